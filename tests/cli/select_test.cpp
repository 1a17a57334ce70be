#include <signal.h>

#include <nlohmann/json.hpp>

#include "process.h"

namespace isthmus::testing {
namespace {

using Select = ProgramTest;
using nlohmann::json;

std::vector<std::string> select(const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{"select",     "--source",  "source.csv",          "--target",
                                     "target.csv", "--methods", "nn,pca:components=3", "-o",
                                     "l.csv",      "--model",   "m.safetensors"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

TEST_F(Select, WritesTheWinnersLabelsAndModel) {
  write_domains();
  const Outcome outcome = run(select({"--report", "r.json", "--html", "r.html"}));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("chosen by "), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find("accuracy"), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.err.find("[1/2] nn\n[2/2] pca:components=3\n"), outcome.err.find('[')) << outcome.err;
  const Outcome predicted =
      run({"predict", "--model", "m.safetensors", "--input", "target.csv", "-o", "p.csv"});
  ASSERT_EQ(predicted.code, 0) << predicted.err;
  EXPECT_EQ(read("p.csv"), read("l.csv"));
  EXPECT_NE(read("r.html").find("<html"), std::string::npos);
  EXPECT_EQ(run({"report", "r.json", "-o", "again.html"}).code, 0);
  const json report = json::parse(read("r.json"));
  ASSERT_EQ(run({"report", "r.json", "-o", "again.html"}).code, 0);
  EXPECT_EQ(read("r.html"), read("again.html"));
  EXPECT_EQ(report.at("kind"), "selection");
  EXPECT_EQ(report.at("rows").size(), 2U);
  EXPECT_EQ(report.at("rows").at(1).at("options"), json({{"components", 3}}));
  EXPECT_EQ(report.at("rows").at(report.at("winner").get<std::size_t>()).at("method"),
            report.at("model").at("method"));
}

TEST_F(Select, NamesTheScoreThatRankedAndThoseThatAreOnlyShown) {
  write_domains();
  const Outcome several = run(select({"--score", "entropy,reverse,snd"}));
  ASSERT_EQ(several.code, 0) << several.err;
  EXPECT_NE(several.out.find("\nchosen by entropy, without target labels: "), std::string::npos)
      << several.out;
  EXPECT_NE(several.out.find("\nonly shown, without a say: reverse, snd\n"), std::string::npos)
      << several.out;
  const Outcome one = run(select({"--score", "entropy"}));
  EXPECT_EQ(one.out.find("only shown"), std::string::npos) << one.out;
}

TEST_F(Select, OnTheSameFilesGivesTheSameModelAndPage) {
  write_domains();
  const auto selected = [&] {
    EXPECT_EQ(run(select({"--report", "r.json", "--html", "r.html"})).code, 0);
    return std::vector<std::string>{read("l.csv"), read("m.safetensors"), read("r.html")};
  };
  const std::vector<std::string> first = selected();
  EXPECT_EQ(selected(), first);
  EXPECT_TRUE(json::parse(read("r.json")).at("rows").at(0).contains("seconds"));
}

TEST_F(Select, WithoutOutputFlagsWritesUnderItsOwnNames) {
  write_domains();
  const Outcome outcome =
      run({"select", "--source", "source.csv", "--target", "target.csv", "--methods", "nn"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(exists("selected-labels.csv"));
  EXPECT_TRUE(exists("selected-model.safetensors"));
}

TEST_F(Select, ChoosesTheSameWithAndWithoutTargetLabelsAndOnAnyNumberOfThreads) {
  write_domains();
  ASSERT_EQ(run(select({"--threads", "1"})).code, 0);
  const std::string labels = read("l.csv");
  const std::string model = read("m.safetensors");
  const Outcome shown = run(select({"--show-accuracy", "--threads", "3"}));
  ASSERT_EQ(shown.code, 0) << shown.err;
  EXPECT_NE(shown.out.find("accuracy % (not used)"), std::string::npos) << shown.out;
  EXPECT_EQ(read("l.csv"), labels);
  write("target.csv", samples_csv(45, 0.3, false));
  ASSERT_EQ(run(select({"--show-accuracy"})).code, 0);
  EXPECT_EQ(read("l.csv"), labels);
}

TEST_F(Select, TakesAGridAndSeveralScores) {
  write_domains();
  write("grid.json", R"({"pca": {"components": [1, 2, 9]}, "coral": {"regularization": 0.5}})");
  const Outcome outcome = run({"select", "--source", "source.csv", "--target", "target.csv", "--grid",
                               "grid.json", "--score", "silhouette,reverse", "--json", "-o", "l.csv"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json found = json::parse(outcome.out);
  EXPECT_EQ(found.at("score"), "silhouette");
  ASSERT_EQ(found.at("rows").size(), 4U);
  EXPECT_EQ(found.at("rows").at(0).at("method"), "coral");
  EXPECT_EQ(found.at("rows").at(0).at("scores").size(), 2U);
  EXPECT_EQ(found.at("rows").at(3).at("status"), "failed") << "more components than features";
  EXPECT_NE(outcome.err.find("pca failed: "), std::string::npos) << outcome.err;
}

TEST_F(Select, InterruptedBeforeAnythingIsDoneItWritesNothing) {
  write("source.csv", samples_csv(2000, 0.0));
  write("target.csv", samples_csv(2000, 0.3));
  const std::vector<std::string> before = names();
  Surroundings around;
  around.first_line_text = "[1/1] tsl";
  around.on_first_line = [](int pid) { kill(pid, SIGINT); };
  const Outcome outcome = run({"select", "--source", "source.csv", "--target", "target.csv", "--methods",
                               "tsl:iterations=1000000;tolerance=0;components=3", "--show-accuracy"},
                              around);
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  EXPECT_NE(outcome.err.find("interrupted"), std::string::npos) << outcome.err;
  EXPECT_EQ(names(), before);
}

TEST_F(Select, ScoresAreListed) {
  const Outcome list = run({"scores"});
  ASSERT_EQ(list.code, 0) << list.err;
  EXPECT_NE(list.out.find("snd: Soft neighbourhood density\n  Higher is better."), std::string::npos)
      << list.out;
  const json machine = json::parse(run({"scores", "--json"}).out);
  EXPECT_EQ(machine.at("scores").size(), 9U);
}

}  // namespace
}  // namespace isthmus::testing
