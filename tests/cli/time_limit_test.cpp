#include "process.h"

namespace isthmus::testing {
namespace {

using TimeLimit = ProgramTest;

/// Iterations without end, were it not for the limit.
const std::vector<std::string> kEndless{"adapt",    "--source", "source.csv",   "--target",   "target.csv",
                                        "--method", "tsl",      "--iterations", "2000000000", "--tolerance",
                                        "0",        "-o",       "labels.csv"};

TEST_F(TimeLimit, WritesTheBestResultSoFarAndSaysWhy) {
  write_domains();
  std::vector<std::string> arguments = kEndless;
  arguments.insert(arguments.end(), {"--time-limit", "1e-9"});
  const Outcome outcome = run(arguments);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("by tsl (stopped)"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("note: the time limit ended the fit"), std::string::npos) << outcome.out;
  EXPECT_NE(read("labels.csv").find("\n45,class"), std::string::npos);
}

TEST_F(TimeLimit, SelectSaysThatNothingWasDoneAndWritesNothing) {
  write_domains();
  const Outcome outcome = run({"select", "--source", "source.csv", "--target", "target.csv", "--methods",
                               "nn,pca", "--time-limit", "1e-9"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("the time limit of 1e-09 seconds"), std::string::npos) << outcome.err;
  EXPECT_EQ(names(), (std::vector<std::string>{"source.csv", "target.csv"}));
}

TEST_F(TimeLimit, RefusesLessThanNothing) {
  write_domains();
  std::vector<std::string> arguments = kEndless;
  arguments.insert(arguments.end(), {"--time-limit", "-1"});
  EXPECT_EQ(run(arguments).code, 2);
  EXPECT_FALSE(exists("labels.csv"));
}

}  // namespace
}  // namespace isthmus::testing
