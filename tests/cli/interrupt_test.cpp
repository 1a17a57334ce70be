#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "process.h"

namespace isthmus::testing {
namespace {

using Interrupt = ProgramTest;

/// Has far more iterations than anybody waits for, so that a signal sent once one of them is told always
/// comes in the middle.
const std::vector<std::string> kEndless{
    "adapt", "--source",     "source.csv", "--target",    "target.csv", "--method",
    "tsl",   "--iterations", "1000000",    "--tolerance", "0",          "--components",
    "3",     "-o",           "labels.csv", "--report",    "r.json"};

void write_large_domains(const std::function<void(const std::string&, const std::string&)>& write) {
  write("source.csv", samples_csv(2000, 0.0));
  write("target.csv", samples_csv(2000, 0.3));
}

Surroundings signal_after_an_iteration(int number) {
  Surroundings around;
  around.first_line_text = "descent 1/";
  around.on_first_line = [number](int pid) { kill(pid, number); };
  return around;
}

TEST_F(Interrupt, WritesTheBestResultSoFar) {
  write_large_domains([this](const auto& name, const auto& text) { write(name, text); });
  for (const int number : {SIGINT, SIGTERM}) {
    const Outcome outcome = run(kEndless, signal_after_an_iteration(number));
    EXPECT_EQ(outcome.code, 130) << outcome.err;
    EXPECT_NE(read("labels.csv").find("\n2000,class"), std::string::npos);
    EXPECT_EQ(nlohmann::json::parse(read("r.json")).at("report").at("status"), "stopped");
    std::filesystem::remove(folder() / "labels.csv");
  }
}

TEST_F(Interrupt, ASecondSignalEndsAtOnceAndWritesNothing) {
  write_large_domains([this](const auto& name, const auto& text) { write(name, text); });
  Surroundings around = signal_after_an_iteration(SIGINT);
  around.on_first_line = [](int pid) {
    // The first one is held back by the stop until the second is pending too: SIGINT and SIGTERM are
    // different signals, so neither is lost.
    kill(pid, SIGSTOP);
    kill(pid, SIGINT);
    kill(pid, SIGTERM);
    kill(pid, SIGCONT);
  };
  const Outcome outcome = run(kEndless, around);
  EXPECT_EQ(outcome.code, 130);
  EXPECT_FALSE(exists("labels.csv"));
}

TEST_F(Interrupt, BeforeTheFirstIterationNothingIsWritten) {
  write_large_domains([this](const auto& name, const auto& text) { write(name, text); });
  Surroundings around;
  // What the reader found in the source: the target is read next.
  around.on_first_line = [](int pid) { kill(pid, SIGINT); };
  const Outcome outcome = run(kEndless, around);
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  EXPECT_NE(outcome.err.find("nothing is written"), std::string::npos) << outcome.err;
  EXPECT_EQ(names(), (std::vector<std::string>{"source.csv", "target.csv"}));
}

TEST_F(Interrupt, WhileNewSamplesAreLabelledNothingIsWritten) {
  write("source.csv", samples_csv(10000, 0.0));
  write("target.csv", samples_csv(30, 0.3));
  ASSERT_EQ(run({"adapt", "--source", "source.csv", "--target", "target.csv", "--method", "nn", "-o", "l.csv",
                 "--model", "m.safetensors"})
                .code,
            0);
  // Seconds of work, of which the program does what it has begun.
  write("new.csv", samples_csv(100000, 0.3));
  Surroundings around;
  around.on_first_line = [](int pid) { kill(pid, SIGINT); };  // the samples are read
  const Outcome outcome = run(
      {"predict", "--model", "m.safetensors", "--input", "new.csv", "-o", "new-labels.csv", "--threads", "1"},
      around);
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  EXPECT_NE(outcome.err.find("nothing is written"), std::string::npos) << outcome.err;
  EXPECT_FALSE(exists("new-labels.csv"));
}

/// Commands that wait for a pipe nobody writes to.
class InterruptedWait : public ProgramTest, public ::testing::WithParamInterface<std::vector<std::string>> {};

TEST_P(InterruptedWait, EndsAtOnce) {
  write_domains();
  ASSERT_EQ(mkfifo((folder() / "pipe").c_str(), 0600), 0);
  for (const int number : {SIGINT, SIGTERM}) {
    int writer = -1;
    Surroundings around;
    around.meanwhile = [&](int pid) {
      if (writer >= 0) return;
      // There is a reader once this succeeds; it gets nothing to read.
      writer = open((folder() / "pipe").c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
      if (writer >= 0) kill(pid, number);
    };
    const Outcome outcome = run(GetParam(), around);
    ASSERT_GE(writer, 0) << outcome.err;
    close(writer);
    EXPECT_EQ(outcome.code, 130) << outcome.err;
    EXPECT_NE(outcome.err.find("nothing is written"), std::string::npos) << outcome.err;
    EXPECT_EQ(names(), (std::vector<std::string>{"pipe", "source.csv", "target.csv"}));
  }
}

INSTANTIATE_TEST_SUITE_P(Commands, InterruptedWait,
                         ::testing::Values(std::vector<std::string>{"report", "pipe", "-o", "page.html"},
                                           std::vector<std::string>{"bench", "run", "pipe", "--log", "log"},
                                           std::vector<std::string>{"bench", "compare", "pipe", "pipe"},
                                           std::vector<std::string>{"select", "--source", "source.csv",
                                                                    "--target", "target.csv", "--grid",
                                                                    "pipe"},
                                           std::vector<std::string>{"adapt", "--config", "pipe"},
                                           std::vector<std::string>{"predict", "--config", "pipe"},
                                           std::vector<std::string>{"transform", "--config", "pipe"}));

}  // namespace
}  // namespace isthmus::testing
