#include <signal.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "process.h"

namespace isthmus::testing {
namespace {

using nlohmann::json;
using Resume = ProgramTest;

constexpr const char* kSuite = R"({
  "methods": ["nn", "pca:components=5", {"method": "jda", "options": {"components": 5, "rounds": 3}},
              "pca:components=5000"],
  "seeds": [0, 1, 2],
  "tasks": [{"name": "small", "demo": {"source_count": 60, "target_count": 60}},
            {"name": "files", "source": "source.csv", "target": "target.csv"}]})";
constexpr std::size_t kCells = 24;

std::vector<std::string> command(const std::string& stem) {
  return {"bench", "run",          "suite.json", "--log", stem + ".jsonl",
          "--out", stem + ".json", "--jobs",     "2",     "--quiet"};
}

/// Without what differs from run to run: times, memory, and whether a log gave it.
json lasting(json value) {
  if (value.is_object()) {
    for (const char* name : {"seconds", "peak_mib", "from_log"}) value.erase(name);
  }
  if (value.is_structured()) {
    for (auto& part : value) part = lasting(std::move(part));
  }
  return value;
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> found;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) found.push_back(line);
  return found;
}

TEST_F(Resume, KilledAtAnyMomentNothingIsLostAndNothingDoneTwice) {
  write_domains();
  write("suite.json", kSuite);
  ASSERT_EQ(run(command("whole")).code, 1) << "pca with 5000 components fails, and only that";

  int kills = 0;
  Outcome outcome;
  for (std::size_t attempt = 0; attempt < 60; ++attempt) {
    // Before the first cell, right after one, after two; with two jobs, others are in work then.
    const std::size_t wanted = lines(read("parts.jsonl")).size() + attempt % 3;
    Surroundings around;
    around.kill_when = [&] { return lines(read("parts.jsonl")).size() >= wanted; };
    outcome = run(command("parts"), around);
    if (outcome.signal == 0) break;
    EXPECT_EQ(outcome.signal, SIGKILL);
    EXPECT_FALSE(exists("parts.json"));
    ++kills;
  }
  ASSERT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_GE(kills, 5);

  EXPECT_EQ(lasting(json::parse(read("parts.json"))).dump(), lasting(json::parse(read("whole.json"))).dump());
  std::set<std::string> cells;
  for (const std::string& line : lines(read("parts.jsonl"))) {
    EXPECT_TRUE(cells.insert(json::parse(line).at("cell").dump()).second) << "twice: " << line;
  }
  EXPECT_EQ(cells.size(), kCells);
}

TEST_F(Resume, ASecondRunOfTheSameLogIsRefused) {
  write_domains();
  write("suite.json", kSuite);
  Surroundings around;
  Outcome second;
  bool asked = false;
  around.kill_when = [&] {
    if (!asked && !lines(read("a.jsonl")).empty()) {
      asked = true;
      second = run(command("a"));
    }
    return asked;
  };
  run(command("a"), around);
  ASSERT_TRUE(asked);
  EXPECT_EQ(second.code, 2);
  EXPECT_NE(second.err.find("another run"), std::string::npos) << second.err;
}

TEST_F(Resume, ALogThatIsNoneIsRefusedAndLeftAlone) {
  const std::vector<std::string> bench{"bench", "demo",    "--methods",      "nn", "--log",
                                       "log",   "--retry", "--source-count", "30", "--target-count",
                                       "30",    "--quiet"};
  ASSERT_EQ(run(bench).code, 0);
  auto line = nlohmann::ordered_json::parse(read("log"));  // a cell is known by its text
  line["result"] = 5;
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  for (const auto& [text, problem] : std::vector<std::pair<std::string, std::string>>{
           {line.dump(), "the result of nn on digits is damaged"},
           {R"({"cell":)" + deep + R"(,"result":{}})", "nested deeper than 64"}}) {
    write("log", text + "\n");
    const Outcome outcome = run(bench);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_NE(outcome.err.find("log: line 1"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find(problem), std::string::npos) << outcome.err;
    EXPECT_EQ(read("log"), text + "\n");
  }
}

TEST_F(Resume, WhatCameFromTheLogIsMarkedAndAReplacedFileIsRunAgain) {
  write_domains();
  write("suite.json", R"({"methods": ["nn"], "tasks": [{"name": "f", "source": "source.csv",
                                                       "target": "target.csv"}]})");
  const std::vector<std::string> bench{"bench", "run", "suite.json", "--log", "log", "--out", "b.json"};
  EXPECT_EQ(run(bench).out.find("from the log"), std::string::npos);
  EXPECT_NE(run(bench).out.find("* from the log: 1 of 1 cells"), std::string::npos);
  EXPECT_EQ(json::parse(read("b.json"))["cells"][0]["from_log"], true);
  write("target.csv", samples_csv(45, 2.7));
  EXPECT_EQ(run(bench).out.find("from the log"), std::string::npos);
  EXPECT_EQ(lines(read("log")).size(), 2U);
}

TEST_F(Resume, CompareTellsWhatChanged) {
  write("a.json", R"({"cells": [{"task": "t", "method": "nn", "seed": 0, "status": "ok", "accuracy": 50.0,
                                 "seconds": 1.0, "peak_mib": 10.0}]})");
  write("b.json", R"({"cells": [{"task": "t", "method": "nn", "seed": 0, "status": "ok", "accuracy": 49.0,
                                 "seconds": 1.0, "peak_mib": 10.0}]})");
  EXPECT_NE(run({"bench", "compare", "a.json", "b.json"}).out.find("-1.00"), std::string::npos);
  const auto changes = nlohmann::json::parse(run({"bench", "compare", "a.json", "b.json", "--json"}).out);
  EXPECT_EQ(changes["changed"][0]["change"], -1.0);
  EXPECT_EQ(changes["same"], 0);
  EXPECT_EQ(run({"bench", "compare", "a.json", "b.json", "--most-lost", "0.5"}).code, 1);
  EXPECT_EQ(run({"bench", "compare", "a.json", "b.json", "--most-lost", "1"}).code, 0);
  EXPECT_EQ(run({"bench", "compare", "b.json", "a.json", "--most-lost", "0"}).code, 0);
}

}  // namespace
}  // namespace isthmus::testing
