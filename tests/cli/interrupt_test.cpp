#include <signal.h>

#include <nlohmann/json.hpp>

#include "process.h"

namespace isthmus::testing {
namespace {

using Interrupt = ProgramTest;

/// Takes seconds at each iteration and has far more of them than anybody waits for, so that a signal sent at
/// the first line (what the reader found in the source) always comes in the middle.
const std::vector<std::string> kEndless{
    "adapt", "--source",     "source.csv", "--target",    "target.csv", "--method",
    "tsl",   "--iterations", "1000000",    "--tolerance", "0",          "--components",
    "3",     "-o",           "labels.csv", "--report",    "r.json"};

void write_large_domains(const std::function<void(const std::string&, const std::string&)>& write) {
  write("source.csv", samples_csv(2000, 0.0));
  write("target.csv", samples_csv(2000, 0.3));
}

Surroundings signal_at_first_line(int number) {
  Surroundings around;
  around.on_first_line = [number](int pid) { kill(pid, number); };
  return around;
}

TEST_F(Interrupt, WritesTheBestResultSoFar) {
  write_large_domains([this](const auto& name, const auto& text) { write(name, text); });
  for (const int number : {SIGINT, SIGTERM}) {
    const Outcome outcome = run(kEndless, signal_at_first_line(number));
    EXPECT_EQ(outcome.code, 130) << outcome.err;
    EXPECT_NE(read("labels.csv").find("\n2000,class"), std::string::npos);
    EXPECT_EQ(nlohmann::json::parse(read("r.json")).at("report").at("status"), "stopped");
    std::filesystem::remove(folder() / "labels.csv");
  }
}

TEST_F(Interrupt, ASecondSignalEndsAtOnceAndWritesNothing) {
  write_large_domains([this](const auto& name, const auto& text) { write(name, text); });
  Surroundings around;
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

}  // namespace
}  // namespace isthmus::testing
