#include <fmt/format.h>
#include <sys/mount.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "job.h"

namespace isthmus::testing {
namespace {

class Disk : public JobTest, public ::testing::WithParamInterface<Job> {
 protected:
  Disk() { write_inputs(); }

  static void expect_one_message(const Outcome& outcome, const std::string& when) {
    EXPECT_EQ(outcome.signal, 0) << when;
    EXPECT_EQ(outcome.code, 2) << outcome.err << when;
    EXPECT_EQ(outcome.err.find("isthmus: error: "), 0U) << outcome.err << when;
    EXPECT_EQ(outcome.err.find('\n'), outcome.err.size() - 1) << outcome.err << when;
  }
};

TEST_P(Disk, FullFromAnyMomentOnKeepsTheOldFilesAndSaysSo) {
  const Job& job = GetParam();
  keep_reference(job);
  const int changes = moments(job).changes;
  int failures = 0;
  for (int change = 1; change <= changes; change += kStep) {
    const bool old = change % 2 == 1;
    set_outputs(job, old);
    const std::string when = fmt::format("full from change {} on", change);
    const Outcome outcome = run_with_fault(job, fmt::format("full:{}", change));
    if (outcome.code == job.code) {
      // Everything was in place, but for syncs of the folder.
      expect_old_or_whole(job, old, when);
      continue;
    }
    ++failures;
    expect_one_message(outcome, when);
    EXPECT_NE(outcome.err.find("No space left"), std::string::npos) << outcome.err;
    expect_untouched(job, old, when);
    EXPECT_TRUE(strangers(job).empty()) << when;
  }
  EXPECT_GE(failures, kUnderSanitizer ? 1 : 5);
  expect_the_usual_run(job, "with space again");
}

TEST_P(Disk, AnyChangeThatFailsGivesAMessageAndNoHalfFile) {
  const Job& job = GetParam();
  keep_reference(job);
  const int changes = moments(job).changes;
  for (int change = 1; change <= changes; change += kStep) {
    const bool old = change % 2 == 1;
    set_outputs(job, old);
    const std::string when = fmt::format("change {} broken", change);
    const Outcome outcome = run_with_fault(job, fmt::format("broken:{}", change));
    EXPECT_EQ(outcome.signal, 0) << when;
    if (outcome.code != job.code) expect_one_message(outcome, when);
    expect_old_or_whole(job, old, when);
  }
  expect_the_usual_run(job, "with a sound disk again");
}

TEST_P(Disk, ThatTakesAFewBytesAtATimeGetsWholeFiles) {
  const Job& job = GetParam();
  keep_reference(job);
  set_outputs(job, true);
  const Outcome outcome = run_with_fault(job, "short:1000");
  EXPECT_EQ(outcome.code, job.code) << outcome.err;
  expect_old_or_whole(job, false, "after short writes");
}

INSTANTIATE_TEST_SUITE_P(Jobs, Disk, ::testing::ValuesIn(writing_jobs()),
                         [](const auto& job) { return job.param.name; });

/// A file system of 64 KiB for as long as it lives.
class SmallDisk {
 public:
  explicit SmallDisk(std::filesystem::path folder) : folder_(std::move(folder)) {
    std::filesystem::create_directory(folder_);
    mounted_ = mount("tmpfs", folder_.c_str(), "tmpfs", 0, "size=64k") == 0;
    problem_ = mounted_ ? "" : std::strerror(errno);
  }
  ~SmallDisk() {
    if (mounted_) umount(folder_.c_str());
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  bool mounted() const { return mounted_; }
  const std::string& problem() const { return problem_; }

 private:
  std::filesystem::path folder_;
  bool mounted_ = false;
  std::string problem_;
};

using RealDisk = ProgramTest;

TEST_F(RealDisk, FullKeepsTheOldFilesAndSaysSo) {
  const SmallDisk disk(folder() / "disk");
  if (!disk.mounted()) GTEST_SKIP() << "no disk of its own for the test: mount: " << disk.problem();
  write_domains();
  write("large.csv", samples_csv(4000, 0.0));  // its model has 160 kB
  std::vector<std::string> command{
      "adapt", "--source", "source.csv",      "--target", "target.csv",         "--method",
      "nn",    "-o",       "disk/labels.csv", "--model",  "disk/m.safetensors", "--quiet"};
  ASSERT_EQ(run(command).code, 0);
  const std::string labels = read("disk/labels.csv");
  const std::string model = read("disk/m.safetensors");
  command[2] = "large.csv";
  const Outcome outcome = run(command);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("disk/m.safetensors: cannot write: No space left"), std::string::npos)
      << outcome.err;
  EXPECT_EQ(read("disk/labels.csv"), labels);
  EXPECT_EQ(read("disk/m.safetensors"), model);
}

}  // namespace
}  // namespace isthmus::testing
