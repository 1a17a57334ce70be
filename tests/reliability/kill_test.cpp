#include <fmt/format.h>
#include <signal.h>

#include <iostream>
#include <random>

#include "benchmark_data.h"
#include "io/checksum.h"
#include "job.h"
#include "loopback_server.h"
#include "scratch_folder.h"
#include "table1/manifest.h"

namespace isthmus::testing {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kRandomKills = kUnderSanitizer ? 10 : 30;

/// Every line but the last is a whole one; the last may be cut off.
void expect_whole_lines(const std::string& log, const std::string& when) {
  for (std::size_t begin = 0, end = log.find('\n'); end != std::string::npos; end = log.find('\n', begin)) {
    EXPECT_EQ(log.substr(begin, 8), "{\"cell\":") << when;
    EXPECT_EQ(log.substr(end - 2, 2), "}}") << when;
    begin = end + 1;
  }
}

class Kill : public JobTest {
 protected:
  /// Kills the job at moments spread over its whole run by chance; the old outputs are there every second
  /// time.
  void kill_by_chance(const Job& job) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> share(0.0, 1.0);
    int hits = 0;
    for (int kill = 0; kill < kRandomKills; ++kill) {
      const bool old = kill % 2 == 1;
      set_outputs(job, old);
      const auto moment = Clock::now() + usual() * share(random);
      Surroundings around;
      around.kill_when = [&] { return Clock::now() >= moment; };
      const Outcome outcome = run_job(job, around);
      hits += outcome.signal == SIGKILL ? 1 : 0;
      expect_after_kill(job, old, fmt::format("after kill {}", kill));
      if (kill % 10 == 9) expect_the_usual_run(job, fmt::format("after kill {}", kill));
    }
    tell(job, fmt::format("{} of {} kills came while it ran", hits, kRandomKills));
  }

  /// Kills the job at each of its changes to the file system in turn, in the middle where it is a write.
  void kill_at_every_change(const Job& job) {
    const int changes = moments(job).changes;
    ASSERT_GE(changes, 5) << "the faults do not reach the program";
    for (int change = 1; change <= changes; change += kStep) {
      const bool old = change % 2 == 1;
      set_outputs(job, old);
      const Outcome outcome = run_with_fault(job, fmt::format("kill:{}", change));
      // Where cells run side by side, what is written does not depend on their order, but how often does.
      if (outcome.signal == 0 && !job.log.empty()) continue;
      ASSERT_EQ(outcome.signal, SIGKILL) << outcome.err;
      expect_after_kill(job, old, fmt::format("killed at change {}", change));
      expect_the_usual_run(job, fmt::format("after a kill at change {}", change));
    }
    tell(job, fmt::format("killed at each of {} changes", changes));
  }

 private:
  void expect_after_kill(const Job& job, bool old, const std::string& when) const {
    expect_old_or_whole(job, old, when);
    if (!job.log.empty()) expect_whole_lines(read(job.log), when);
  }

  void tell(const Job& job, const std::string& what) const {
    std::cout << fmt::format("{}: {}; left behind: {} files\n", job.name, what, strangers(job).size());
  }
};

class KillCommand : public Kill, public ::testing::WithParamInterface<Job> {
 protected:
  KillCommand() { write_inputs(); }
};

std::string name_of(const ::testing::TestParamInfo<Job>& info) {
  return info.param.name;
}

TEST_P(KillCommand, AtAnyMomentLeavesOldOrWholeFiles) {
  keep_reference(GetParam());
  kill_by_chance(GetParam());
}

TEST_P(KillCommand, AtEveryChangeLeavesOldOrWholeFilesAndNothingInTheWay) {
  keep_reference(GetParam());
  kill_at_every_change(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Jobs, KillCommand, ::testing::ValuesIn(writing_jobs()), name_of);

std::string bytes(std::size_t count) {
  std::string content;
  for (std::size_t i = 0; i < count; ++i) content += static_cast<char>((i * i + i / 251) % 256);
  return content;
}

HttpResponse answer(const std::string& content, const HttpRequest& request) {
  return request.range_start ? rest(content, *request.range_start) : whole(content);
}

/// Downloads are resumed: what a killed one leaves (NAME.part) stays for the next.
class KillDownload : public Kill {};

/// A small program that calls fetch(), since the files of `isthmus data fetch` are not among the tests.
class KillFetch : public KillDownload {
 protected:
  KillFetch() : server_([this](const HttpRequest& request) { return answer(content_, request); }) {
    job_ = {.name = "Fetch",
            .program = ISTHMUS_FETCH_ONE,
            .arguments = {server_.url(), "file.mat", fmt::to_string(content_.size()), sha256(content_)},
            .outputs = {"file.mat"},
            .log = ""};
  }

  const std::string content_ = bytes(200000);
  LoopbackServer server_;
  Job job_;
};

TEST_F(KillFetch, AtAnyMomentLeavesOldOrWholeFiles) {
  keep_reference(job_);
  kill_by_chance(job_);
  EXPECT_TRUE(strangers(job_).empty());
}

TEST_F(KillFetch, AtEveryChangeLeavesOldOrWholeFilesAndNothingInTheWay) {
  keep_reference(job_);
  kill_at_every_change(job_);
  EXPECT_TRUE(strangers(job_).empty());
}

TEST_F(KillDownload, OfTheBenchmarkFilesAtAnyMomentLeavesOldOrWholeFiles) {
  ISTHMUS_REQUIRE_DATA(data);
  const LoopbackServer server([&](const HttpRequest& request) {
    return answer(file_bytes(data / std::filesystem::path(request.path).filename()), request);
  });
  Job job{.name = "DataFetch",
          .program = ISTHMUS_PROGRAM,
          .arguments = {"data", "fetch", "--data", ".", "--from", server.url(), "--quiet"},
          .outputs = {},
          .log = ""};
  for (const ManifestEntry& entry : manifest()) job.outputs.emplace_back(entry.name);
  keep_reference(job);
  kill_by_chance(job);
  EXPECT_TRUE(strangers(job).empty());
}

}  // namespace
}  // namespace isthmus::testing
