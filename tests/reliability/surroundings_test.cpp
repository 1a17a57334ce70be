#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <clocale>
#include <nlohmann/json.hpp>

#include "job.h"
#include "loopback_server.h"

namespace isthmus::testing {
namespace {

using nlohmann::json;

constexpr int kNobody = 65534;

/// Every job that writes files, in surroundings it may meet.
class Around : public JobTest {
 protected:
  Around() { write_inputs(); }

  /// Runs the whole of `adapt` there and compares with a run in plain surroundings.
  void expect_the_same(const Surroundings& around) {
    const Job job = writing_jobs().front();
    keep_reference(job);
    const Outcome outcome = run_job(job, around);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    expect_old_or_whole(job, true, "in other surroundings");
    expect_the_usual_run(job, "afterwards");
  }

  /// Nobody may use the folder, and run the program; false (and why) where a path is closed to others.
  bool open_to_nobody() const {
    chmod(folder().c_str(), 0755);
    Surroundings around;
    around.user = kNobody;
    return run({"--version"}, around).code == 0;
  }
};

TEST_F(Around, AnEmptyEnvironmentChangesNothing) {
  Surroundings around;
  around.bare = true;
  expect_the_same(around);
}

TEST_F(Around, AMissingTemporaryFolderAndHomeChangeNothing) {
  Surroundings around;
  around.environment = {"TMPDIR=/nowhere", "HOME=/nowhere", "XDG_CACHE_HOME=/nowhere"};
  expect_the_same(around);
}

TEST_F(Around, ALocaleWithDecimalCommasChangesNothing) {
  const Outcome made =
      run_other("localedef", {"-i", "de_DE", "-f", "UTF-8", (folder() / "de_DE.UTF-8").string()});
  if (made.code > 1) GTEST_SKIP() << "no locale with decimal commas can be made here: " << made.err;
  Surroundings around;
  around.environment = {"LC_ALL=de_DE.UTF-8", "LOCPATH=" + folder().string()};
  expect_the_same(around);
}

TEST_F(Around, AFolderInPlaceOfAFileIsRefusedByName) {
  std::filesystem::create_directory(folder() / "folder");
  const std::vector<std::string> plain{"adapt",  "--source",   "source.csv", "--target",      "target.csv",
                                       "-o",     "labels.csv", "--model",    "m.safetensors", "--report",
                                       "r.json", "--html",     "r.html",     "--method",      "nn"};
  const std::vector<std::string> before = names();
  for (std::size_t i = 2; i < 13; i += 2) {
    std::vector<std::string> command = plain;
    command[i] = "folder";
    const Outcome outcome = run(command);
    EXPECT_EQ(outcome.code, 2) << command[i - 1];
    EXPECT_NE(outcome.err.find("isthmus: error: folder: "), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("is a folder"), std::string::npos) << outcome.err;
    EXPECT_EQ(names(), before) << command[i - 1];
  }
  for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
           {"predict", "--model", "folder", "--input", "target.csv", "-o", "labels.csv"},
           {"bench", "run", "folder"},
           {"bench", "run", "suite.json", "--log", "folder"},
           {"report", "folder", "-o", "r.html"},
           {"inspect", "folder"},
           {"adapt", "--config", "folder"},
           {"select", "--source", "source.csv", "--target", "target.csv", "--grid", "folder"}}) {
    const Outcome outcome = run(command);
    EXPECT_EQ(outcome.code, 2) << command[0] << ": " << outcome.err;
    EXPECT_NE(outcome.err.find("folder: "), std::string::npos) << command[0] << ": " << outcome.err;
    EXPECT_EQ(names(), before) << command[0];
  }
}

TEST_F(Around, AFolderThatMayNotBeWrittenIsFoundBeforeTheWorkStarts) {
  if (geteuid() != 0) {
    std::filesystem::permissions(folder(), std::filesystem::perms(0500));
  } else if (!open_to_nobody()) {
    GTEST_SKIP() << "the program is not open to other users, and root may write anywhere";
  }
  Surroundings around;
  if (geteuid() == 0) around.user = kNobody;
  const std::vector<std::string> before = names();
  for (const Job& job : writing_jobs()) {
    const Outcome outcome = run_job(job, around);
    EXPECT_EQ(outcome.code, 2) << job.name << outcome.err;
    EXPECT_NE(outcome.err.find("Permission denied"), std::string::npos) << outcome.err;
    EXPECT_EQ(names(), before) << job.name;
  }
  std::filesystem::permissions(folder(), std::filesystem::perms(0700));
}

TEST_F(Around, AFileThatMayNotBeReadIsNamed) {
  if (geteuid() == 0 && !open_to_nobody()) {
    GTEST_SKIP() << "the program is not open to other users, and root may read anything";
  }
  Surroundings around;
  if (geteuid() == 0) around.user = kNobody;
  for (const std::string file : {"source.csv", "target.csv"}) {
    std::filesystem::permissions(folder() / file, std::filesystem::perms::none);
    const Outcome outcome =
        run({"adapt", "--source", "source.csv", "--target", "target.csv", "-o", "/dev/null"}, around);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find(file + ": cannot open: Permission denied"), std::string::npos) << outcome.err;
    std::filesystem::permissions(folder() / file, std::filesystem::perms(0644));
  }
}

TEST_F(Around, AReaderThatLeavesInTheMiddleIsNoCrash) {
  // Far more than a pipe holds, so that the program is still writing when head has gone.
  const std::string command = fmt::format(
      "'{}' completion bash; for i in 1 2 3; do '{}' adapt --source large.csv --target large.csv --method nn "
      "-o labels.csv --json --quiet; done; echo code=$? >&2",
      ISTHMUS_PROGRAM, ISTHMUS_PROGRAM);
  const Outcome outcome = run_other("bash", {"-c", "{ " + command + "; } | head -n 1"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "code=0\n") << "its files are written, and that counts";
}

TEST_F(Around, AFullStandardOutputIsAnErrorForHelpToo) {
  Surroundings around;
  around.out_path = "/dev/full";
  for (const std::vector<std::string>& command :
       std::vector<std::vector<std::string>>{{"--help"}, {"--version"}, {"adapt", "--help"}, {"scores"}}) {
    const Outcome outcome = run(command, around);
    EXPECT_EQ(outcome.code, 2) << command[0];
    EXPECT_NE(outcome.err.find("standard output"), std::string::npos) << command[0] << outcome.err;
  }
}

TEST_F(Around, LittleMemoryGivesTheResultOrOneMessage) {
  if (kUnderSanitizer) GTEST_SKIP() << "a sanitizer takes terabytes of address space for itself";
  Job job = writing_jobs().front();
  job.arguments = {"adapt",     "--method", "rsa-cdda", "--source",   "large.csv", "--target",
                   "large.csv", "--quiet",  "-o",       "labels.csv", "--model",   "m.safetensors"};
  job.outputs = {"labels.csv", "m.safetensors"};
  keep_reference(job);
  int refused = 0;
  int done = 0;
  // The fit needs about 20 MiB more than the libraries: smaller steps meet what lies between.
  for (long mebibytes = 16; mebibytes < 1500; mebibytes += mebibytes < 400 ? 6 : 200) {
    Surroundings around;
    around.memory_limit = mebibytes << 20U;
    // Below that the libraries themselves cannot be loaded.
    if (run({"--version"}, around).code != 0) continue;
    set_outputs(job, true);
    const std::string when = fmt::format("with {} MiB", mebibytes);
    const Outcome outcome = run_job(job, around);
    EXPECT_EQ(outcome.signal, 0) << when << ": " << outcome.err;
    if (outcome.code == 0) {
      ++done;
      expect_old_or_whole(job, false, when);
      continue;
    }
    ++refused;
    EXPECT_EQ(outcome.code, 1) << when << ": " << outcome.err;
    EXPECT_EQ(outcome.err.find("isthmus: error: out of memory"), 0U) << when << ": " << outcome.err;
    EXPECT_EQ(outcome.err.find('\n'), outcome.err.size() - 1) << outcome.err;
    expect_untouched(job, true, when);
  }
  EXPECT_GE(refused, 1);
  EXPECT_GE(done, 1);
}

TEST_F(Around, ADownloadAsksTheProxyOfTheEnvironment) {
  const LoopbackServer proxy([](const HttpRequest&) {
    HttpResponse refusal = whole("");
    refusal.status = 403;
    return refusal;
  });
  Surroundings around;
  around.environment = {"https_proxy=" + proxy.url()};
  const Outcome outcome =
      run({"data", "fetch", "--data", ".", "--from", "https://files.invalid", "--quiet"}, around);
  EXPECT_EQ(outcome.code, 2) << outcome.err;
  ASSERT_FALSE(proxy.requests().empty());
  EXPECT_EQ(proxy.requests()[0].path, "files.invalid:443");
}

TEST_F(Around, NoMatrixOfAllSamplesByAllSamplesIsHeld) {
  if (kUnderSanitizer) GTEST_SKIP() << "a sanitizer takes terabytes of address space for itself";
  write("many.csv", samples_csv(12000, 0.0));
  write("as-many.csv", samples_csv(12000, 0.3));
  Surroundings around;
  around.memory_limit = 900L << 20U;  // 12,000 × 12,000 doubles take 1098 MiB
  for (const std::string method : {"nn", "pca", "gfk", "tca", "jda", "cdda", "sa", "coral"}) {
    const Outcome outcome = run({"adapt", "--source", "many.csv", "--target", "as-many.csv", "--method",
                                 method, "--threads", "2", "-o", "labels.csv", "--quiet"},
                                around);
    EXPECT_EQ(outcome.code, 0) << method << ": " << outcome.err;
  }
  const Outcome outcome = run({"adapt", "--source", "many.csv", "--target", "as-many.csv", "--method", "lrsr",
                               "--threads", "2", "-o", "labels.csv", "--quiet"},
                              around);
  EXPECT_EQ(outcome.code, 1) << "LRSR holds source × target numbers: the limit is one";
}

/// A signal to a command that would take far longer than anybody waits, once it has said a line.
class Signals : public JobTest {
 protected:
  Signals() {
    write("source.csv", samples_csv(1500, 0.0));
    write("target.csv", samples_csv(1500, 0.3));
  }

  Outcome interrupted(const std::vector<std::string>& command, int number, const std::string& line,
                      const std::function<bool()>& ready = {}) const {
    Surroundings around;
    around.first_line_text = line;
    around.on_first_line = [&, number](int pid) {
      while (ready && !ready()) usleep(1000);
      kill(pid, number);
    };
    return run(command, around);
  }
};

TEST_F(Signals, ASuiteKeepsItsFinishedCellsAndGoesOnLater) {
  write("suite.json",
        R"({"methods": ["nn", {"method": "lrsr", "options": {"iterations": 1000000, "tolerance": 0}}],
                          "tasks": [{"name": "files", "source": "source.csv", "target": "target.csv"}]})");
  for (const int number : {SIGINT, SIGTERM}) {
    const Outcome outcome = interrupted({"bench", "run", "suite.json", "--log", "l.jsonl", "--out", "b.json"},
                                        number, "[2/2]", [this] { return !read("l.jsonl").empty(); });
    EXPECT_EQ(outcome.code, 130) << outcome.err;
    const json cells = json::parse(read("b.json")).at("cells");
    ASSERT_EQ(cells.size(), 1U);
    EXPECT_EQ(cells[0].at("method"), "nn");
    EXPECT_EQ(cells[0].at("status"), "ok");
  }
}

TEST_F(Signals, ASelectionKeepsTheBestOfWhatIsDone) {
  const Outcome outcome = interrupted(
      {"select", "--source", "source.csv", "--target", "target.csv", "--methods",
       "tsl:iterations=1000000;tolerance=0;components=3", "-o", "labels.csv", "--model", "m.safetensors"},
      SIGINT, "[1/");
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  EXPECT_EQ(exists("labels.csv"), exists("m.safetensors")) << "all or none";
}

}  // namespace
}  // namespace isthmus::testing
