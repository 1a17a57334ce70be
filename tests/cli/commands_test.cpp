#include <nlohmann/json.hpp>

#include "process.h"

namespace isthmus::testing {
namespace {

using nlohmann::json;
using Commands = ProgramTest;

const std::vector<std::vector<std::string>>& every_command() {
  static const std::vector<std::vector<std::string>> commands{
      {"adapt"},  {"predict"},         {"transform"},      {"inspect"},       {"methods"},
      {"demo"},   {"bench", "table1"}, {"bench", "demo"},  {"bench", "run"},  {"bench", "compare"},
      {"report"}, {"data", "list"},    {"data", "verify"}, {"data", "fetch"}, {"completion"}};
  return commands;
}

TEST_F(Commands, EveryHelpShowsAnExampleAndTheCommonFlags) {
  for (std::vector<std::string> command : every_command()) {
    command.emplace_back("--help");
    const Outcome outcome = run(command);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("Example:\n  "), std::string::npos) << outcome.out;
    for (const char* flag : {"--json", "--threads", "--seed", "--quiet", "--config"}) {
      EXPECT_NE(outcome.out.find(flag), std::string::npos) << command[0] << " lacks " << flag;
    }
  }
}

TEST_F(Commands, TheProgramsOwnHelpListsEveryCommand) {
  const Outcome outcome = run({"--help"});
  EXPECT_EQ(outcome.code, 0);
  for (const auto& command : every_command()) {
    EXPECT_NE(outcome.out.find("\n  " + command[0]), std::string::npos) << command[0];
  }
}

TEST_F(Commands, VersionTellsBlasAndThreads) {
  const Outcome outcome = run({"--version"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out.find("isthmus "), 0U);
  EXPECT_NE(outcome.out.find("BLAS: "), std::string::npos);
  EXPECT_NE(outcome.out.find("threads: "), std::string::npos);
}

TEST_F(Commands, AdaptLabelsEveryTargetSample) {
  write_domains();
  const Outcome outcome = run({"adapt", "--source", "source.csv", "--target", "target.csv", "--method", "pca",
                               "--components", "3", "-o", "labels.csv"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("accuracy 100.00 %"), std::string::npos) << outcome.out;
  const std::string csv = read("labels.csv");
  EXPECT_EQ(csv.find("sample,label,confidence\n1,class0,"), 0U) << csv;
  EXPECT_NE(csv.find("\n45,class2,"), std::string::npos) << csv;
}

TEST_F(Commands, AdaptTellsTheOptionsThatWereUsedAsNumbers) {
  write_domains();
  const Outcome outcome = run({"adapt", "--source", "source.csv", "--target", "target.csv", "-o", "l.csv",
                               "--report", "r.json", "--committee", "auto", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json report = json::parse(read("r.json"));
  const json& options = report.at("options");
  EXPECT_EQ(options, json::parse(outcome.out).at("options"));
  EXPECT_TRUE(options.at("lambda").is_number_float());
  EXPECT_EQ(options.at("lambda"), 0.3);
  EXPECT_TRUE(options.at("committee").is_number_integer());
  EXPECT_EQ(options.at("committee"), 5);
  EXPECT_EQ(options.at("geo"), 0.0);
  EXPECT_EQ(options.at("components"), json({20, 50, 100}));
  EXPECT_EQ(options.at("explain"), false);
  EXPECT_EQ(options.at("classifier"), "geometry");
  const Outcome zero = run({"adapt", "--source", "source.csv", "--target", "target.csv", "-o", "l.csv",
                            "--method", "jda", "--components", "0"});
  EXPECT_EQ(zero.code, 2);
  EXPECT_NE(zero.err.find("expected a whole number ≥ 1, or auto"), std::string::npos) << zero.err;
  const Outcome matched = run({"adapt", "--source", "source.csv", "--target", "target.csv", "-o", "l.csv",
                               "--method", "jda", "--json"});
  EXPECT_EQ(json::parse(matched.out).at("options").at("width"), nullptr) << "no kernel, no width";
  EXPECT_EQ(json::parse(matched.out).at("options").at("components"), 5);
}

TEST_F(Commands, TheSameFilesGiveTheSameLabelsModelAndPage) {
  write_domains();
  const auto adapted = [&](const std::string& threads) {
    EXPECT_EQ(run({"adapt", "--source", "source.csv", "--target", "target.csv", "-o", "l.csv", "--model",
                   "m.safetensors", "--report", "r.json", "--html", "r.html", "--threads", threads})
                  .code,
              0);
    return std::vector<std::string>{read("l.csv"), read("m.safetensors"), read("r.html")};
  };
  const std::vector<std::string> first = adapted("1");
  EXPECT_EQ(adapted("1"), first);
  EXPECT_EQ(adapted("3")[1], first[1]);
  EXPECT_EQ(first[2].find("seconds\":"), std::string::npos) << "times are in the report, not on the page";
  EXPECT_FALSE(json::parse(read("r.json")).at("report").at("seconds").empty());
}

TEST_F(Commands, TargetLabelsDoNotChangeTheResult) {
  write_domains();
  write("bare.csv", samples_csv(45, 0.3, false));
  run({"adapt", "--source", "source.csv", "--target", "target.csv", "--method", "pca", "--components", "3",
       "-o", "with.csv"});
  const Outcome bare = run({"adapt", "--source", "source.csv", "--target", "bare.csv", "--method", "pca",
                            "--components", "3", "-o", "without.csv"});
  ASSERT_EQ(bare.code, 0) << bare.err;
  EXPECT_EQ(bare.out.find("accuracy"), std::string::npos);
  EXPECT_EQ(read("with.csv"), read("without.csv"));
}

TEST_F(Commands, LabelsMayComeFromAFileOfTheirOwn) {
  write("bare.csv", samples_csv(60, 0.0, false));
  std::string labels;
  for (int i = 0; i < 60; ++i) labels += "class" + std::to_string(i % 3) + "\n";
  write("labels.txt", labels);
  write("target.csv", samples_csv(45, 0.3));
  const Outcome outcome = run({"adapt", "--source", "bare.csv", "--source-labels", "labels.txt", "--target",
                               "target.csv", "--method", "nn", "-o", "out.csv"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("accuracy 100.00 %"), std::string::npos) << outcome.out;
}

TEST_F(Commands, PredictInAnotherProcessGivesTheLabelsOfAdapt) {
  write_domains();
  const Outcome adapted = run({"adapt", "--source", "source.csv", "--target", "target.csv", "--method", "pca",
                               "--components", "3", "-o", "adapted.csv", "--model", "m.safetensors"});
  ASSERT_EQ(adapted.code, 0) << adapted.err;
  const Outcome predicted =
      run({"predict", "--model", "m.safetensors", "--input", "target.csv", "-o", "predicted.csv"});
  ASSERT_EQ(predicted.code, 0) << predicted.err;
  EXPECT_EQ(read("adapted.csv"), read("predicted.csv"));
  const Outcome tabbed =
      run({"predict", "--model", "m.safetensors", "--input", "target.csv", "-o", "predicted.tsv"});
  ASSERT_EQ(tabbed.code, 0) << tabbed.err;
  EXPECT_EQ(read("predicted.tsv").substr(0, 24), "sample\tlabel\tconfidence\n");
}

TEST_F(Commands, ThePreparationIsChosenToldAndOverridden) {
  write_domains();
  const std::vector<std::string> adapt{"adapt",    "--source", "source.csv", "--target", "target.csv",
                                       "--method", "nn",       "-o",         "l.csv"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), adapt.begin(), adapt.end());
    return run(more);
  };
  const Outcome told = with({});
  EXPECT_NE(told.out.find("note: prepared by zscore:domain, chosen from the features: 5 features"),
            std::string::npos)
      << told.out;
  const json chosen = json::parse(with({"--json"}).out);
  EXPECT_EQ(chosen.at("preprocessing"), "zscore:domain");
  EXPECT_EQ(json::parse(with({"--json", "--preprocess", "auto"}).out), chosen);
  write("c.json", R"({"preprocess": "l2"})");
  for (const std::vector<std::string>& other :
       {std::vector<std::string>{"--preprocess", "l2"}, {"--config", "c.json"}}) {
    const Outcome given = with(other);
    EXPECT_EQ(given.out.find("prepared by"), std::string::npos) << given.out;
  }
  const json selection = json::parse(
      run({"select", "--source", "source.csv", "--target", "target.csv", "--methods", "nn,coral", "--json"})
          .out);
  for (const json& row : selection.at("rows")) EXPECT_EQ(row.at("preprocessing"), "zscore:domain");
  EXPECT_EQ(selection.at("model").at("preprocessing"), "zscore:domain");
}

TEST_F(Commands, TransformWritesEveryFormat) {
  write_domains();
  run({"adapt", "--source", "source.csv", "--target", "target.csv", "--method", "pca", "--components", "2",
       "-o", "l.csv", "--model", "m.safetensors"});
  for (const std::string name : {"e.csv", "e.npy", "e.safetensors"}) {
    const Outcome outcome =
        run({"transform", "--model", "m.safetensors", "--input", "target.csv", "-o", name});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const Outcome inspected = run({"inspect", name, "--json"});
    ASSERT_EQ(inspected.code, 0) << inspected.err;
    const json found = json::parse(inspected.out);
    EXPECT_EQ(found.at("samples"), 45) << inspected.out;
    EXPECT_EQ(found.at("features"), 2) << inspected.out;
  }
}

TEST_F(Commands, TransformedSourceAndTargetDifferOnlyBySide) {
  write_domains();
  run({"adapt", "--source", "source.csv", "--target", "target.csv", "--method", "pca", "--components", "2",
       "--preprocess", "zscore", "-o", "l.csv", "--model", "m.safetensors"});
  run({"transform", "--model", "m.safetensors", "--input", "target.csv", "-o", "t.csv"});
  run({"transform", "--model", "m.safetensors", "--input", "target.csv", "--side", "source", "-o", "s.csv"});
  EXPECT_NE(read("t.csv"), read("s.csv"));
}

TEST_F(Commands, InspectCountsSamplesFeaturesAndClasses) {
  write_domains();
  const Outcome outcome = run({"inspect", "source.csv"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("60 samples, 5 features"), std::string::npos) << outcome.out;
  const json found = json::parse(run({"inspect", "source.csv", "--json"}).out);
  EXPECT_EQ(found.at("classes"), json({{"class0", 20}, {"class1", 20}, {"class2", 20}}));
}

TEST_F(Commands, MethodsListsAllAndShowsTheOptionsOfOne) {
  const Outcome list = run({"methods"});
  EXPECT_NE(list.out.find("\nnn "), std::string::npos) << list.out;
  EXPECT_NE(list.out.find("\npca "), std::string::npos) << list.out;
  const Outcome one = run({"methods", "pca"});
  EXPECT_NE(one.out.find("components = auto    (≥ 1 or auto)"), std::string::npos) << one.out;
  const json machine = json::parse(run({"methods", "pca", "--json"}).out);
  EXPECT_EQ(machine.at("options").at(0).at("name"), "components");
  EXPECT_EQ(machine.at("options").at(0).at("default"), nullptr);
  EXPECT_EQ(machine.at("options").at(0).at("automatic"), true);
}

TEST_F(Commands, DemoWritesPredictionsAndModel) {
  const Outcome outcome =
      run({"demo", "--methods", "nn,pca", "--source-count", "150", "--target-count", "120", "--out", "demo"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("\nnn "), std::string::npos) << outcome.out;
  for (const char* name : {"demo/labels.csv", "demo/model.safetensors"}) {
    EXPECT_TRUE(exists(name)) << name;
    EXPECT_NE(outcome.out.find(name), std::string::npos) << outcome.out;
  }
}

TEST_F(Commands, DemoWritesItsDataWhereAsked) {
  const Outcome outcome =
      run({"demo", "--write-data", "demo", "--source-count", "30", "--target-count", "20", "--seed", "7"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json found = json::parse(run({"inspect", "demo/target.csv", "--json"}).out);
  EXPECT_EQ(found.at("samples"), 20);
  EXPECT_EQ(found.at("classes").size(), 10U);
  EXPECT_FALSE(exists("demo/labels.csv"));
}

TEST_F(Commands, JsonOutputParses) {
  write_domains();
  const std::vector<std::string> adapt{
      "adapt", "--source", "source.csv", "--target", "target.csv",    "--method", "pca",    "--components",
      "3",     "-o",       "l.csv",      "--model",  "m.safetensors", "--report", "r.json", "--json"};
  const json adapted = json::parse(run(adapt).out);
  EXPECT_EQ(adapted.at("method"), "pca");
  EXPECT_EQ(adapted.at("target").at("samples"), 45);
  EXPECT_EQ(adapted.at("target").at("accuracy"), 100.0);
  EXPECT_EQ(json::parse(read("r.json")).at("report").at("status"), "converged");
  const json predicted = json::parse(
      run({"predict", "--model", "m.safetensors", "--input", "target.csv", "-o", "p.csv", "--json"}).out);
  EXPECT_EQ(predicted.at("prediction").at("samples"), 45);
  EXPECT_TRUE(json::parse(run({"data", "list", "--json"}).out).is_array());
  EXPECT_TRUE(json::parse(run({"bench", "table1", "--show-settings", "--json"}).out).is_array());
  EXPECT_EQ(json::parse(run({"methods", "--json"}).out).at("methods").at(0).at("name"), "nn");
}

TEST_F(Commands, VerifyTellsWhatIsWrongWithEachBenchmarkFile) {
  write("COIL_1.mat", "not the real one");
  const Outcome outcome = run({"data", "verify", "--data", "."});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.out.find("wrong size"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.err.find("isthmus data fetch --data ."), std::string::npos) << outcome.err;
  for (const json& file : json::parse(run({"data", "verify", "--data", ".", "--json"}).out)) {
    EXPECT_EQ(file.at("state"), file.at("name") == "COIL_1.mat" ? "wrong size" : "missing");
  }
}

TEST_F(Commands, QuietSaysNothing) {
  write_domains();
  const Outcome outcome = run({"adapt", "--source", "source.csv", "--target", "target.csv", "--method", "pca",
                               "--components", "3", "-o", "l.csv", "--quiet"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out + outcome.err, "");
  EXPECT_TRUE(exists("l.csv"));
}

TEST_F(Commands, ResultsDoNotDependOnTheNumberOfThreads) {
  write_domains();
  for (const std::string threads : {"1", "3"}) {
    run({"adapt", "--source", "source.csv", "--target", "target.csv", "--method", "pca", "--components", "3",
         "-o", threads + ".csv", "--model", threads + ".safetensors", "--threads", threads});
  }
  EXPECT_EQ(read("1.csv"), read("3.csv"));
}

TEST_F(Commands, ShowSettingsNeedsNoData) {
  const Outcome outcome = run({"bench", "table1", "--show-settings", "--methods", "nn,pca"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("sum,zscore"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("components=100"), std::string::npos) << outcome.out;
}

}  // namespace
}  // namespace isthmus::testing
