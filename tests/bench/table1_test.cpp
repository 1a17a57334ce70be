#include "table1/table1.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <set>

#include "bench/suite_output.h"
#include "bench/suite_run.h"
#include "bench/table1_settings.h"
#include "benchmark_data.h"
#include "isthmus/adapt.h"
#include "isthmus/data.h"
#include "isthmus/errors.h"
#include "isthmus/version.h"

namespace isthmus {
namespace {

double published_average(const std::string& method) {
  double sum = 0;
  int count = 0;
  for (const Table1Task& task : table1_tasks()) {
    if (const auto value = published_accuracy(task.name, method)) {
      sum += *value;
      ++count;
    }
  }
  return sum / count;
}

/// Cells as a run would leave them, without running anything.
std::vector<SuiteCell> made_up_cells(const std::vector<std::pair<std::string, double>>& accuracies,
                                     const MethodSpec& method) {
  std::vector<SuiteCell> cells;
  for (const auto& [name, accuracy] : accuracies) {
    SuiteCell cell;
    const Table1Task task = select_tasks(name).front();
    cell.task = {name, std::string(to_string(task.family))};
    cell.method = method;
    cell.accuracy = accuracy;
    cell.published = published_accuracy(name, method.name);
    cell.seconds = 1.5;
    cells.push_back(cell);
  }
  return cells;
}

TEST(Table1, HoldsThePublishedAverages) {
  // As the paper prints them, to two decimals.
  EXPECT_NEAR(published_average("tsl"), 50.27, 0.00501);
  EXPECT_NEAR(published_average("cdda"), 56.40, 0.005);
  EXPECT_NEAR(published_average("rsa-cdda"), 57.02, 0.005);
}

TEST(Table1, HasNoDigitsForLtslAndNothingForUnknownNames) {
  EXPECT_FALSE(published_accuracy("USPS->MNIST", "ltsl"));
  EXPECT_TRUE(published_accuracy("C->A", "ltsl"));
  EXPECT_FALSE(published_accuracy("C->A", "coral"));
  EXPECT_FALSE(published_accuracy("X->Y", "nn"));
}

TEST(Table1, SelectsTasksByNameAndFamilyInTableOrder) {
  EXPECT_EQ(select_tasks("").size(), 16U);
  const auto some = select_tasks("W->D, coil");
  ASSERT_EQ(some.size(), 3U);
  EXPECT_EQ(some[0].name, "COIL1->COIL2");
  EXPECT_EQ(some[2].name, "W->D");
  EXPECT_THROW(select_tasks("C->B"), InvalidArgument);
}

TEST(Table1Settings, FollowTheFamily) {
  const Table1Task digits = select_tasks("USPS->MNIST").front();
  const Table1Task surf = select_tasks("C->A").front();
  EXPECT_EQ(table1_setting("nn", digits).preprocessing, "l2");
  EXPECT_EQ(table1_setting("nn", surf).preprocessing, "sum,zscore");
  EXPECT_EQ(table1_setting("pca", surf).options, (OptionMap{{"components", "100"}}));
}

TEST(Table1Settings, LinesCoverEveryTaskOnce) {
  std::multiset<std::string> seen;
  for (const SettingLine& line : table1_setting_lines({"nn"}))
    seen.insert(line.tasks.begin(), line.tasks.end());
  EXPECT_EQ(seen.size(), 16U);
  EXPECT_EQ(std::set<std::string>(seen.begin(), seen.end()).size(), 16U);
}

TEST(Table1Output, CsvHasTheAgreedColumnsAndTwoDecimals) {
  auto cells = made_up_cells({{"C->A", 23.7}}, {"nn", {}});
  const auto failed = made_up_cells({{"USPS->MNIST", 1}}, {"ltsl", {{"rounds", "1,2"}}});
  cells.push_back(failed.front());
  cells.back().accuracy.reset();
  cells.back().status = "failed";
  EXPECT_EQ(suite_csv("table1", cells),
            "suite,task,method,accuracy,published,seconds,peak_mib,status,seed\n"
            "table1,C->A,nn,23.70,23.70,1.500,0.0,ok,0\n"
            "table1,USPS->MNIST,\"ltsl:rounds=1,2\",,,1.500,0.0,failed,0\n");
}

TEST(Table1Output, AveragesAreOverFamiliesAndAll) {
  const auto cells = made_up_cells({{"USPS->MNIST", 40}, {"C->A", 20}, {"C->W", 30}}, {"nn", {}});
  const auto averages = suite_averages(cells);
  ASSERT_EQ(averages.size(), 3U);
  EXPECT_EQ(averages[0].ours, 40);
  EXPECT_EQ(averages[1].ours, 25);
  EXPECT_EQ(averages[2].ours, 30);
  EXPECT_EQ(averages[2].published, (44.70 + 23.70 + 25.76) / 3);
}

TEST(Table1Output, APublishedAverageOverOtherTasksIsNotShown) {
  const auto cells = made_up_cells({{"USPS->MNIST", 40}, {"COIL1->COIL2", 20}}, {"ltsl", {}});
  const auto averages = suite_averages(cells);
  EXPECT_EQ(averages[1].published, 75.69);
  EXPECT_EQ(averages[2].published, std::nullopt);
}

TEST(Table1Output, TextShowsOursPublishedAndDifference) {
  const auto cells = made_up_cells({{"C->A", 24.70}, {"C->W", 25.76}}, {"nn", {}});
  const std::string text = suite_text(cells);
  EXPECT_NE(text.find("C->A          24.70      23.70  +1.00\n"), std::string::npos) << text;
  EXPECT_NE(text.find("C->W          25.76      25.76   0.00\n"), std::string::npos) << text;
  EXPECT_NE(text.find("average SURF  25.23      24.73  +0.50\n"), std::string::npos) << text;
}

TEST(Table1Output, NarrowTerminalsGetSeveralTables) {
  // Both adapt: without nn and logistic no table of who is below them follows.
  auto cells = made_up_cells({{"C->A", 24.70}}, {"jda", {}});
  cells.push_back(made_up_cells({{"C->A", 30}}, {"pca", {}}).front());
  const std::string narrow = suite_text(cells, 40);
  for (const char* column : {"jda  ", "pca  "}) {
    ASSERT_NE(narrow.find(column), std::string::npos) << narrow;
    EXPECT_EQ(narrow.find(column), narrow.rfind(column)) << narrow;
  }
  EXPECT_NE(narrow.find("\n\ntask"), std::string::npos);
  EXPECT_EQ(suite_text(cells, 100).find("\n\ntask"), std::string::npos);
}

TEST(Table1Run, NamesMissingFilesTheirChecksumsAndOrigin) {
  try {
    table1_suite("no-such-folder", select_tasks("W->D"), parse_method_list("nn"));
    FAIL() << "did not throw";
  } catch (const IoError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("webcam_SURF_L10.mat"), std::string::npos) << message;
    EXPECT_NE(message.find("44d673c68e1d07b837893aa74dba3b986e4a6cc3fd66f0dd357683bdef059216"),
              std::string::npos);
    EXPECT_NE(message.find("https://"), std::string::npos) << message;
    EXPECT_EQ(message.find("COIL"), std::string::npos) << "only the files of the tasks";
  }
}

TEST(Table1Run, ReproducesEveryPublishedCellOfNnAndPca) {
  ISTHMUS_REQUIRE_DATA(folder);
  Context context;
  context.threads = available_cores();
  const auto cells =
      run_suite(table1_suite(folder, select_tasks(""), parse_method_list("nn,pca")), {}, context);
  ASSERT_EQ(cells.size(), 32U);
  for (const SuiteCell& cell : cells) {
    EXPECT_EQ(fmt::format("{:.2f}", cell.accuracy.value()), fmt::format("{:.2f}", cell.published.value()))
        << cell.method.name << " on " << cell.task.name;
    EXPECT_EQ(cell.status, "ok");
    EXPECT_GT(cell.peak_mib, 0);
  }
}

struct RsaCddaCell {
  const char* task;
  const char* options;
  const char* accuracy;
};
class RsaCddaCells : public ::testing::TestWithParam<RsaCddaCell> {};

// One run on all singular directions is what the dense prototype of the method does.
TEST_P(RsaCddaCells, AreThoseOfThePrototype) {
  ISTHMUS_REQUIRE_DATA(folder);
  Context context;
  context.threads = available_cores();
  const auto [task, options, accuracy] = GetParam();
  const Suite suite =
      table1_suite(folder, select_tasks(task), parse_method_list(fmt::format("rsa-cdda:{}", options)));
  const auto cells = run_suite(suite, {}, context);
  EXPECT_EQ(fmt::format("{:.2f}", cells.at(0).accuracy.value()), accuracy);
}

INSTANTIATE_TEST_SUITE_P(Table1, RsaCddaCells,
                         ::testing::Values(RsaCddaCell{"C->D", "committee=1;voices=graph;rank=1000", "56.69"},
                                           RsaCddaCell{"W->D", "committee=1;voices=graph;rank=1000", "93.63"},
                                           RsaCddaCell{"D->W", "committee=1;voices=graph;rank=1000", "93.56"},
                                           RsaCddaCell{"W->D", "mode=corrected;rank=300", "86.62"},
                                           RsaCddaCell{"W->D", "mode=printed", "49.68"}));

class RsaCddaTask : public ::testing::TestWithParam<const char*> {};

TEST_P(RsaCddaTask, PredictAgreesWithTheFittedLabelsOn98PercentOfTheTarget) {
  ISTHMUS_REQUIRE_DATA(folder);
  const Table1Task task = select_tasks(GetParam()).at(0);
  const auto read = [&](const DomainFile& from) {
    return read_dataset(std::filesystem::path(folder) / from.file,
                        {.features = std::string(from.features), .labels = std::string(from.labels)})
        .domain;
  };
  const DomainPair pair(read(task.source), read(task.target));
  const MethodSetting setting = table1_setting("rsa-cdda", task);
  const Model model = adapt(
      pair,
      {.method = "rsa-cdda", .options = {}, .preprocessing = Preprocessing::parse(setting.preprocessing)});
  EXPECT_GE(accuracy_percent(model.predict(pair.target()).labels, model.target().labels), 98.0);
}

INSTANTIATE_TEST_SUITE_P(Table1, RsaCddaTask, ::testing::Values("A->D", "D->W", "W->D"));

TEST(Table1Run, StopsBetweenCellsWhenCancelled) {
  ISTHMUS_REQUIRE_DATA(folder);
  std::atomic<bool> cancel{false};
  Context context;
  context.cancel = [&] { return cancel.load(); };
  SuiteProgress progress;
  progress.on_finish = [&](const SuiteCell&, int done, int count) {
    EXPECT_EQ(count, 12);
    if (done == 2) cancel = true;
  };
  const Suite suite = table1_suite(folder, select_tasks("surf"), parse_method_list("nn"));
  EXPECT_EQ(run_suite(suite, {}, context, progress).size(), 2U);
}

TEST(Table1Run, PutsAskedOptionsOnTopOfTheSuites) {
  ISTHMUS_REQUIRE_DATA(folder);
  const auto cells =
      run_suite(table1_suite(folder, select_tasks("W->D"), parse_method_list("pca:components=20")), {}, {});
  ASSERT_EQ(cells.size(), 1U);
  EXPECT_EQ(cells[0].options.at("components"), "20");
  EXPECT_EQ(cells[0].setting.preprocessing, "sum,zscore");
}

}  // namespace
}  // namespace isthmus
