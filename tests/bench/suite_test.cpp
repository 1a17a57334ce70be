#include "bench/suite.h"

#include <gtest/gtest.h>

#include "bench/suite_compare.h"
#include "bench/suite_log.h"
#include "bench/suite_output.h"
#include "bench/suite_run.h"
#include "isthmus/errors.h"
#include "scratch_folder.h"

namespace isthmus {
namespace {

using nlohmann::ordered_json;
using testing::file_bytes;
using testing::ScratchFolder;

const DemoOptions kSmall{.source_count = 40, .target_count = 40};

std::string message_of(const auto& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// Cells as a run would leave them: accuracies by method and seed on one task.
std::vector<SuiteCell> cells_of(const std::vector<std::pair<std::string, std::vector<double>>>& methods) {
  std::vector<SuiteCell> cells;
  for (const auto& [name, accuracies] : methods) {
    for (std::size_t seed = 0; seed < accuracies.size(); ++seed) {
      SuiteCell cell;
      cell.task.name = "t";
      cell.method.name = name;
      cell.seed = seed;
      cell.accuracy = accuracies[seed];
      cells.push_back(cell);
    }
  }
  return cells;
}

TEST(SuiteListing, MakesACellOfEveryTaskMethodAndSeed) {
  const ScratchFolder folder;
  folder.file("a.csv", "1,2\n");
  const auto path = folder.file("mine.json", R"({
    "preprocess": "zscore", "seeds": [3, 4],
    "methods": ["nn", {"method": "pca", "name": "raw pca", "options": {"components": 2}, "preprocess": "none"}],
    "tasks": [{"name": "one", "source": "a.csv", "target": "a.csv", "target_labels": "2", "published": {"nn": 50}},
              {"name": "two", "demo": {"source_count": 30}, "preprocess": "l2", "group": "drawn"}]})");
  const Suite suite = read_suite(path, {0});
  EXPECT_EQ(suite.name, "mine");
  ASSERT_EQ(suite.cells.size(), 8U);
  EXPECT_EQ(suite.cells[0].setting.preprocessing, "zscore");
  EXPECT_EQ(suite.cells[0].published, 50);
  EXPECT_EQ(suite.cells[1].seed, 4U);
  EXPECT_EQ(suite.cells[2].title(), "raw pca");
  EXPECT_EQ(suite.cells[2].setting.preprocessing, "none");
  EXPECT_EQ(suite.cells[2].published, std::nullopt);
  EXPECT_EQ(suite.cells[4].setting.preprocessing, "l2");
  EXPECT_EQ(suite.cells[4].task.group, "drawn");
  EXPECT_EQ(suite.cells[4].task.demo->source_count, 30);
  EXPECT_EQ(suite.cells[4].task.demo->target_count, 1000);
}

TEST(SuiteListing, OtherMethodsMayStandInForItsOwn) {
  const ScratchFolder folder;
  const auto path = folder.file("s.json", R"({"methods": ["nn"], "tasks": [{"name": "one", "demo": {}}]})");
  const Suite suite = read_suite(path, {0}, parse_method_list("pca:components=2,sa"));
  ASSERT_EQ(suite.cells.size(), 2U);
  EXPECT_EQ(suite.cells[0].title(), "pca:components=2");
  const auto without = folder.file("t.json", R"({"tasks": [{"name": "one", "demo": {}}]})");
  EXPECT_EQ(read_suite(without, {0}, parse_method_list("nn")).cells.size(), 1U);
}

TEST(Suite, KeepsTasksAndGroupsByName) {
  Suite suite{"s", {}, {}};
  for (const char* name : {"a:1", "a:2", "b:1"}) {
    SuiteCell cell;
    cell.task.name = name;
    cell.task.group = cell.task.name.substr(0, 1);
    suite.cells.push_back(cell);
  }
  Suite some = suite;
  keep_tasks(some, "a:2, b");
  ASSERT_EQ(some.cells.size(), 2U);
  EXPECT_EQ(some.cells[0].task.name, "a:2");
  EXPECT_EQ(some.cells[1].task.name, "b:1");
  keep_tasks(suite, "");
  EXPECT_EQ(suite.cells.size(), 3U);
  EXPECT_NE(message_of([&] { keep_tasks(suite, "a:3"); }).find("s has no task or group 'a:3'"),
            std::string::npos);
}

TEST(SuiteListing, SaysWhereAndWhatIsWrong) {
  const ScratchFolder folder;
  const auto problem = [&](const std::string& json) {
    return message_of([&] { read_suite(folder.file("s.json", json), {0}); });
  };
  const std::string task = R"("tasks": [{"name": "a", "demo": {}}])";
  const std::vector<std::pair<std::string, std::string>> cases{
      {"[]", "expected an object"},
      {R"({"methods": ["nn"]})", "'tasks' must be a list"},
      {R"({"methods": [], )" + task + "}", "'methods' must be a list"},
      {R"({"methods": ["nm"], )" + task + "}", "did you mean 'nn'?"},
      {R"({"methods": ["nn", "nn"], )" + task + "}", "method 2: called as an earlier one"},
      {R"({"methods": ["nn"], "sedes": [1], )" + task + "}", "did you mean 'seeds'?"},
      {R"({"methods": ["nn"], "seeds": [-1], )" + task + "}", "'seeds' must be a list of whole numbers"},
      {R"({"methods": ["nn"], "seeds": [1, 1], )" + task + "}", "'seeds' must be without repetitions"},
      {R"({"methods": ["nn"], "preprocess": "l3", )" + task + "}", "l3"},
      {R"({"methods": [{"method": "pca", "options": {"components": ["1"]}}], )" + task + "}",
       "'options' must be"},
      {R"({"methods": ["nn"], "tasks": [{"name": "a", "source": "no.csv", "target": "no.csv"}]})", "no.csv"},
      {R"({"methods": ["nn"], "tasks": [{"name": "a", "demo": {}}, {"name": "a", "demo": {}}]})", "task 2"},
      {R"({"methods": ["nn"], "tasks": [{"name": "a", "demo": {"source_count": 0}}]})", "at least 1"},
  };
  for (const auto& [json, expected] : cases) {
    EXPECT_NE(problem(json).find(expected), std::string::npos) << json << "\n" << problem(json);
  }
}

TEST(SuiteListing, RefusesMoreThanMemoryOrStackHolds) {
  const ScratchFolder folder;
  const auto problem = [&](const std::string& text) {
    return message_of([&] { read_suite(folder.file("s.json", text), {0}); });
  };
  ordered_json listing;
  for (int i = 0; i < 200; ++i) {
    listing["methods"].push_back({{"method", "nn"}, {"name", std::to_string(i)}});
    listing["tasks"].push_back({{"name", std::to_string(i)}, {"demo", ordered_json::object()}});
    listing["seeds"].push_back(i);
  }
  EXPECT_NE(problem(listing.dump()).find("more than a listing of its size may; split it"), std::string::npos)
      << problem(listing.dump());
  const std::string deep = std::string(1'000'000, '[') + std::string(1'000'000, ']');
  EXPECT_NE(problem(R"({"name": )" + deep + "}").find("nested deeper than 64"), std::string::npos);
  std::string names = "{";
  for (int i = 0; i < 10'001; ++i) names += (i == 0 ? "\"" : ",\"") + std::to_string(i) + "\": 0";
  EXPECT_NE(problem(names + "}").find("more than 10000 names"), std::string::npos);
}

TEST(SuiteLog, DropsALineTornAtAnyByteAndKeepsTheRest) {
  const ScratchFolder folder;
  const auto path = folder / "log";
  const std::vector<SuiteCell> cells = cells_of({{"nn", {50, 52}}});
  SuiteLog(path).append(cells[0]);
  const std::size_t first = file_bytes(path).size();
  SuiteLog(path).append(cells[1]);
  const std::string whole = file_bytes(path);
  for (std::size_t length = first; length < whole.size(); ++length) {
    folder.file("log", whole.substr(0, length));
    SuiteLog log(path);
    SuiteCell a = cells[0];
    SuiteCell b = cells[1];
    EXPECT_TRUE(log.recall(a));
    EXPECT_FALSE(log.recall(b));
    EXPECT_TRUE(a.from_log);
    log.append(b);
    EXPECT_EQ(file_bytes(path), whole) << length;
  }
}

TEST(SuiteLog, RefusesAResultThatIsNone) {
  const ScratchFolder folder;
  const SuiteCell cell = cells_of({{"nn", {50}}}).front();
  ordered_json line{{"cell", cell_identity(cell)}, {"result", cell_result(cell)}};
  const auto problem = [&](const ordered_json& result) {
    line["result"] = result;
    const auto path = folder.file("log", line.dump() + "\n");
    return message_of([&] {
      SuiteCell known = cell;
      SuiteLog(path).recall(known);
    });
  };
  EXPECT_EQ(problem(cell_result(cell)), "");
  for (const ordered_json& wrong : {ordered_json(5), ordered_json("ok"), ordered_json(nullptr),
                                    ordered_json::array(), ordered_json::object()}) {
    EXPECT_NE(problem(wrong).find("line 1: the result of nn on t is damaged"), std::string::npos) << wrong;
  }
  // Every field, and every field of the report, as each other kind of JSON.
  const ordered_json kinds = ordered_json::parse(R"([true, -1, "x", [1], {"a": ["x"]}])");
  const ordered_json whole = cell_result(cell);
  for (const auto& [name, value] : whole.items()) {
    for (const ordered_json& kind : kinds) {
      ordered_json result = whole;
      result[name] = kind;
      EXPECT_NE(problem(result).find("is damaged"), std::string::npos) << name << ": " << kind;
    }
  }
  for (const auto& [name, value] : whole.at("report").items()) {
    for (const ordered_json& kind : kinds) {
      ordered_json result = whole;
      result["report"][name] = kind;
      EXPECT_NE(problem(result).find("is damaged"), std::string::npos) << "report, " << name << ": " << kind;
    }
  }
}

TEST(SuiteLog, RefusesWhatIsNestedTooDeep) {
  const ScratchFolder folder;
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  for (const std::string& line :
       {R"({"cell":)" + deep + R"(,"result":{}})", R"({"cell":{},"result":)" + deep + "}"}) {
    const auto path = folder.file("log", line + "\n");
    EXPECT_NE(
        message_of([&] { SuiteLog log(path); }).find("line 1 is no line of a benchmark log: it is nested"),
        std::string::npos);
    EXPECT_EQ(file_bytes(path), line + "\n");
  }
}

TEST(SuiteLog, LeavesAFileAloneThatIsNoLog) {
  const ScratchFolder folder;
  for (const std::string content : {"sample,label\n1,2\n", "notes", "{\"cell\":1}\n", "\n"}) {
    const auto path = folder.file("f", content);
    EXPECT_THROW(SuiteLog{path}, IoError) << content;
    EXPECT_EQ(file_bytes(path), content);
  }
}

TEST(SuiteRun, GivesTheSameFromTheLogAsFromTheRun) {
  const ScratchFolder folder;
  const Suite suite = demo_suite(kSmall, parse_method_list("nn,pca:components=5"), {0, 1});
  SuiteRunOptions options;
  options.log = folder / "log";
  options.jobs = 2;
  const auto run = run_suite(suite, options, {});
  ASSERT_EQ(run.size(), 4U);
  EXPECT_GT(run[0].peak_mib, 0);
  EXPECT_FALSE(run[3].report.seconds.empty());
  EXPECT_NE(run[0].accuracy, run[1].accuracy) << "another seed draws other data";
  EXPECT_EQ(run[0].setting.preprocessing, "auto");
  EXPECT_EQ(suite_json("s", run, {}).at("cells")[0].at("preprocessing"), "l2") << "as used";
  SuiteProgress none;
  none.on_start = [](const SuiteCell&, int, int) { FAIL() << "run twice"; };
  const auto again = run_suite(suite, options, {}, none);
  for (const SuiteCell& cell : run) EXPECT_FALSE(cell.from_log);
  auto logged = again;
  for (SuiteCell& cell : logged) {
    EXPECT_TRUE(cell.from_log);
    cell.from_log = false;
  }
  EXPECT_EQ(suite_json("s", logged, {}).dump(), suite_json("s", run, {}).dump());
}

TEST(SuiteRun, RecordsAFailedCellAndGoesOn) {
  const ScratchFolder folder;
  // More components than there are features; the other method can do without.
  const Suite suite = demo_suite(kSmall, parse_method_list("pca:components=5000,nn"), {0});
  SuiteRunOptions options;
  options.log = folder / "log";
  const auto cells = run_suite(suite, options, {});
  ASSERT_EQ(cells.size(), 2U);
  EXPECT_EQ(cells[0].status, "failed");
  EXPECT_NE(cells[0].problem.find("components"), std::string::npos) << cells[0].problem;
  EXPECT_EQ(cells[1].status, "ok");
  int runs = 0;
  SuiteProgress count;
  count.on_start = [&](const SuiteCell&, int, int) { ++runs; };
  run_suite(suite, options, {}, count);
  EXPECT_EQ(runs, 0);
  options.retry = true;
  run_suite(suite, options, {}, count);
  EXPECT_EQ(runs, 1);
}

TEST(SuiteRun, EndsACellAtItsTimeLimit) {
  // Hours of gradient steps.
  Suite suite = demo_suite({.source_count = 500, .target_count = 500},
                           parse_method_list("tsl:iterations=1000000;tolerance=0,nn"), {0});
  SuiteRunOptions options;
  options.seconds_a_cell = 0.2;
  suite.cells[1].task.demo = kSmall;
  suite.cells.resize(1);
  const auto cells = run_suite(suite, options, {});
  ASSERT_EQ(cells.size(), 1U);
  EXPECT_EQ(cells[0].status, "timeout");
  EXPECT_EQ(cells[0].accuracy, std::nullopt);
}

TEST(SuiteRun, RunsACellAgainWhenItsFilesHoldSomethingElse) {
  const ScratchFolder folder;
  const std::string samples = "a,b,label\n0,1,x\n1,0,y\n0,2,x\n2,0,y\n";
  folder.file("s.csv", samples);
  folder.file("t.csv", samples);
  folder.file("l.csv", "x\ny\nx\ny\n");
  folder.file("suite.json", R"({"methods": ["nn"], "tasks": [
      {"name": "t", "source": "s.csv", "target": "t.csv", "target_labels": "label"}]})");
  SuiteRunOptions options;
  options.log = folder / "log";
  const auto from_log = [&] {
    return run_suite(read_suite(folder / "suite.json", {0}), options, {}).front().from_log;
  };
  EXPECT_FALSE(from_log());
  EXPECT_TRUE(from_log());
  // The same bytes in a new file, then with a new time.
  std::filesystem::remove(folder / "t.csv");
  folder.file("t.csv", samples);
  std::filesystem::last_write_time(folder / "t.csv", std::filesystem::file_time_type::clock::now());
  EXPECT_TRUE(from_log());
  // As long, and as old.
  const auto time = std::filesystem::last_write_time(folder / "t.csv");
  folder.file("t.csv", "a,b,label\n0,1,y\n1,0,x\n0,2,y\n2,0,x\n");
  std::filesystem::last_write_time(folder / "t.csv", time);
  EXPECT_FALSE(from_log());
  folder.file("t.csv", samples);
  EXPECT_TRUE(from_log());
  folder.file("s.csv", samples + "0,3,x\n");
  EXPECT_FALSE(from_log());
}

TEST(SuiteRun, ALabelFileOfItsOwnCountsAsContent) {
  const ScratchFolder folder;
  folder.file("s.csv", "a,b,label\n0,1,x\n1,0,y\n");
  folder.file("t.csv", "a,b\n0,1\n1,0\n");
  folder.file("l.csv", "x\ny\n");
  const SamplesName named{"t.csv", "l.csv"};
  const std::string before = samples_content(named, folder / "", {});
  folder.file("l.csv", "y\nx\n");
  EXPECT_NE(samples_content(named, folder / "", {}), before);
}

TEST(SuiteOutput, MarksWhatCameFromTheLog) {
  auto cells = cells_of({{"nn", {50}}, {"pca", {60}}});
  EXPECT_EQ(suite_text(cells).find('*'), std::string::npos);
  EXPECT_EQ(suite_json("s", cells, {}).at("cells")[1].at("from_log"), false);
  cells[1].from_log = true;
  const std::string text = suite_text(cells);
  EXPECT_NE(text.find("60.00*"), std::string::npos) << text;
  EXPECT_EQ(text.find("50.00*"), std::string::npos) << text;
  EXPECT_NE(text.find("* from the log: 1 of 2 cells"), std::string::npos) << text;
  EXPECT_EQ(suite_json("s", cells, {}).at("cells")[1].at("from_log"), true);
}

TEST(SuiteOutput, ShowsMeanAndDeviationOverSeedsAndRanks) {
  const auto cells = cells_of({{"nn", {50, 52, 54}}, {"pca", {60, 61, 65}}});
  const std::string text = suite_text(cells);
  EXPECT_NE(text.find("52.00 ± 2.00"), std::string::npos) << text;
  EXPECT_EQ(text.find("published"), std::string::npos) << text;
  const auto comparison = suite_comparison(cells);
  ASSERT_TRUE(comparison);
  EXPECT_EQ(comparison->over, "seeds");
  EXPECT_EQ(comparison->ranks[1], 1);
  EXPECT_NEAR(comparison->p(0, 1), 0.25, 1e-15);
}

TEST(SuiteOutput, ComparesOnlyWhatEveryMethodFinished) {
  auto cells = cells_of({{"nn", {50, 52, 54}}, {"pca", {60, 61, 65}}});
  cells[4].accuracy.reset();
  EXPECT_EQ(suite_comparison(cells)->blocks, 2);
  cells[0].accuracy.reset();
  EXPECT_FALSE(suite_comparison(cells)) << "one seed is no comparison";
  auto two = cells_of({{"nn", {50, 52}}, {"pca", {60, 61}}, {"jda", {1, 1}}});
  two[4].accuracy.reset();
  two[5].accuracy.reset();
  EXPECT_EQ(suite_comparison(two)->methods, (std::vector<std::string>{"nn", "pca"}));
}

TEST(SuiteOutput, CountsHowOftenAMethodDoesWorseThanNotAdapting) {
  std::vector<SuiteCell> cells;
  const auto add = [&](const char* task, const char* method, std::optional<double> accuracy) {
    SuiteCell cell;
    cell.task.name = task;
    cell.method.name = method;
    cell.accuracy = accuracy;
    cells.push_back(cell);
  };
  for (const auto& [task, nn, logistic, jda] :
       {std::tuple("a", 50, 60, 59), std::tuple("b", 50, 40, 45), std::tuple("c", 50, 40, 70)}) {
    add(task, "nn", nn);
    add(task, "logistic", logistic);
    add(task, "jda", jda);
  }
  add("d", "nn", 50);
  add("d", "jda", std::nullopt);
  const std::vector<FloorCount> counts = floor_counts(cells);
  ASSERT_EQ(counts.size(), 1U);
  EXPECT_EQ(counts[0].method, "jda");
  EXPECT_EQ(counts[0].tasks, 3);
  EXPECT_EQ(counts[0].below, 1) << "b, five points below 1-NN; a is within two";
  EXPECT_EQ(counts[0].worst, -5);
  EXPECT_EQ(counts[0].worst_task, "b");
  EXPECT_NE(suite_text(cells).find("2 points below not adapting"), std::string::npos) << suite_text(cells);
  EXPECT_TRUE(floor_counts(cells_of({{"pca", {50}}, {"jda", {60}}})).empty()) << "no floor takes part";
}

TEST(SuiteCompare, FindsWhatChanged) {
  auto cells = cells_of({{"nn", {50, 52}}, {"pca", {60}}});
  const ordered_json before = suite_json("s", cells, {});
  cells[1].accuracy = 51;
  cells[2].accuracy.reset();
  cells[2].status = "failed";
  cells.push_back(cells_of({{"jda", {70}}}).front());
  const SuiteChanges changes = compare_suites(before, suite_json("s", cells, {}));
  EXPECT_EQ(changes.same, 1);
  ASSERT_EQ(changes.cells.size(), 3U);
  EXPECT_EQ(changes.cells[0].gain(), -1);
  EXPECT_EQ(changes.cells[1].after, "failed");
  EXPECT_EQ(changes.cells[2].before, "missing");
  EXPECT_EQ(compare_suites(before, before).cells.size(), 0U);
  EXPECT_EQ(compare_suites(before, {{"cells", ordered_json::array()}}).cells.size(), 3U);
  EXPECT_THROW(compare_suites(before, {{"rows", 1}}), InvalidArgument);
}

}  // namespace
}  // namespace isthmus
