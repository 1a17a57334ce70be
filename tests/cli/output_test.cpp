#include "process.h"

namespace isthmus::testing {
namespace {

using Output = ProgramTest;

const std::vector<std::string> kAdapt{"adapt",      "--source", "source.csv",    "--target", "target.csv",
                                      "--method",   "pca",      "--components",  "3",        "-o",
                                      "labels.csv", "--model",  "m.safetensors", "--report", "r.json"};

TEST_F(Output, AFullDiskLeavesNothingBehind) {
  write_domains();
  const std::vector<std::string> before = names();
  for (const long limit : {1L, 10L, 1200L}) {  // without a single byte ThreadSanitizer does not start
    Surroundings around;
    around.file_size_limit = limit;
    const Outcome outcome = run(kAdapt, around);
    EXPECT_EQ(outcome.code, 2) << limit << ": " << outcome.err;
    EXPECT_NE(outcome.err.find("isthmus: error: "), std::string::npos) << outcome.err;
    EXPECT_EQ(names(), before) << limit;
  }
}

TEST_F(Output, AFullDiskKeepsTheOlderFiles) {
  write_domains();
  ASSERT_EQ(run(kAdapt).code, 0);
  const std::string labels = read("labels.csv");
  const std::string model = read("m.safetensors");
  Surroundings around;
  around.file_size_limit = 1200;
  EXPECT_EQ(run(kAdapt, around).code, 2);
  EXPECT_EQ(read("labels.csv"), labels);
  EXPECT_EQ(read("m.safetensors"), model);
}

TEST_F(Output, AReaderThatHasGoneIsNoCrash) {
  Surroundings around;
  around.broken_out = true;
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"methods"}, {"--help"}, {"--version"}, {"completion", "bash"}}) {
    const Outcome outcome = run(command, around);
    EXPECT_EQ(outcome.signal, 0) << command[0];
    EXPECT_EQ(outcome.code, 0) << command[0] << outcome.err;
  }
}

TEST_F(Output, WithStandardOutputClosedTheFilesAreStillRight) {
  write_domains();
  ASSERT_EQ(run(kAdapt).code, 0);
  const std::string labels = read("labels.csv");
  Surroundings around;
  around.close_out = true;
  EXPECT_EQ(run(kAdapt, around).code, 0);
  EXPECT_EQ(read("labels.csv"), labels);
}

TEST_F(Output, AFullStandardOutputIsAnError) {
  Surroundings around;
  around.out_path = "/dev/full";
  const Outcome outcome = run({"methods"}, around);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("standard output"), std::string::npos) << outcome.err;
}

TEST_F(Output, ProgressIsPlainLinesWhereThereIsNoTerminal) {
  const Outcome outcome =
      run({"demo", "--methods", "nn,pca", "--source-count", "60", "--target-count", "60", "--out", "demo"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "[1/2] nn\n[2/2] pca\n");
}

}  // namespace
}  // namespace isthmus::testing
