#include <nlohmann/json.hpp>

#include "process.h"

namespace isthmus::testing {
namespace {

using Config = ProgramTest;

TEST_F(Config, HoldsAnyFlag) {
  write_domains();
  write("c.json", R"({"source": "source.csv", "target": "target.csv", "method": "pca", "components": 3,
                      "output": "labels.csv", "threads": 1, "quiet": true})");
  const Outcome outcome = run({"adapt", "--config", "c.json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(exists("labels.csv"));
}

TEST_F(Config, TheCommandLineWins) {
  write_domains();
  write("c.json", R"({"method": "no-such-method", "preprocess": "none", "option": ["components=9999"]})");
  const Outcome outcome =
      run({"adapt", "--config=c.json", "--source", "source.csv", "--target", "target.csv", "--method", "pca",
           "-O", "components=2", "-o", "labels.csv", "--report", "r.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto report = nlohmann::json::parse(read("r.json"));
  EXPECT_EQ(report.at("options").at("components"), 2);
  EXPECT_EQ(report.at("preprocessing"), "none");
}

TEST_F(Config, TheCommandLineWinsHoweverAnOptionIsWritten) {
  write_domains();
  write("flag.json", R"({"components": 9999, "output": "from-config.csv", "quiet": true})");
  write("assignment.json", R"({"option": ["components=9999"], "output": "x"})");
  for (const auto& [config, typed] : std::vector<std::pair<std::string, std::vector<std::string>>>{
           {"flag.json", {"-O", "components=2"}},
           {"flag.json", {"-Ocomponents=2"}},
           {"flag.json", {"--option=components=2"}},
           {"assignment.json", {"--components", "2"}},
           {"assignment.json", {"--components=2"}}}) {
    std::vector<std::string> command{"adapt",      "--config",     config,       "--source",
                                     "source.csv", "--target",     "target.csv", "--method",
                                     "pca",        "-olabels.csv", "--report",   "r.json"};
    command.insert(command.end(), typed.begin(), typed.end());
    const Outcome outcome = run(command);
    ASSERT_EQ(outcome.code, 0) << config << " " << typed[0] << ": " << outcome.err;
    const auto used = nlohmann::json::parse(read("r.json")).at("options").at("components");
    EXPECT_TRUE(used == "2" || used == 2) << used;
    EXPECT_FALSE(exists("from-config.csv"));
  }
}

TEST_F(Config, AnUnknownKeyGetsADidYouMean) {
  write("c.json", R"({"preproces": "l2"})");
  const Outcome outcome = run({"adapt", "--config", "c.json"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("did you mean 'preprocess'?"), std::string::npos) << outcome.err;
}

TEST_F(Config, WorksForANestedCommand) {
  write("c.json", R"({"show-settings": true, "methods": "nn"})");
  const Outcome outcome = run({"bench", "table1", "--config", "c.json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out.find("pca"), std::string::npos);
}

}  // namespace
}  // namespace isthmus::testing
