#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "bench/suite_output.h"
#include "bench/suite_run.h"
#include "benchmark_data.h"
#include "isthmus/adapt.h"
#include "isthmus/version.h"
#include "table1/table1.h"

// The averages that the documentation claims: docs/reproduction.md is the table, and who changes a result
// changes it there.
namespace isthmus {
namespace {

/// The cells of a Markdown row, without blanks around them.
std::vector<std::string> row_cells(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line.substr(std::min<std::size_t>(1, line.size())));
  for (std::string cell; std::getline(in, cell, '|');) {
    const auto first = cell.find_first_not_of(' ');
    cells.push_back(first == std::string::npos ? ""
                                               : cell.substr(first, cell.find_last_not_of(' ') - first + 1));
  }
  return cells;
}

/// The first table of docs/reproduction.md: row and method to our value, as printed.
using DocumentedTable = std::map<std::pair<std::string, std::string>, std::string>;
DocumentedTable documented_table() {
  std::ifstream in(std::filesystem::path(ISTHMUS_DOCS) / "reproduction.md");
  std::vector<std::string> methods;
  DocumentedTable table;
  for (std::string line; std::getline(in, line);) {
    const bool row = !line.empty() && line.front() == '|';
    if (!row && !methods.empty()) break;
    if (!row) continue;
    std::vector<std::string> cells = row_cells(line);
    if (methods.empty()) {
      for (std::string& name : cells) {
        std::transform(name.begin(), name.end(), name.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
      }
      methods = cells;
    }
    std::erase(cells.front(), '*');
    for (std::size_t i = 1; i < cells.size() && i < methods.size(); ++i) {
      table[{cells.front(), methods[i]}] = cells[i].substr(0, cells[i].find(' '));
    }
  }
  return table;
}

/// → as the program writes it.
std::string task_in_docs(std::string name) {
  const auto arrow = name.find("->");
  return arrow == std::string::npos ? name : name.replace(arrow, 2, "→");
}

TEST(Table1Averages, InTheDocsAreThoseOfTheirCells) {
  const DocumentedTable table = documented_table();
  int compared = 0;
  for (const MethodInfo& method : methods()) {
    const std::string name(method.name);
    if (!table.contains({"all 16", name})) continue;
    std::map<std::string, std::vector<double>> values;
    for (const Table1Task& task : table1_tasks()) {
      const double value = std::stod(table.at({task_in_docs(std::string(task.name)), name}));
      values[std::string(to_string(task.family))].push_back(value);
      values["all 16"].push_back(value);
    }
    for (const auto& [row, cells] : values) {
      double sum = 0;
      for (const double cell : cells) sum += cell;
      // Both are rounded to two decimals.
      EXPECT_NEAR(std::stod(table.at({row, name})), sum / static_cast<double>(cells.size()), 0.0101)
          << name << ", " << row;
      ++compared;
    }
  }
  EXPECT_EQ(compared, 40);
}

TEST(Table1Averages, InTheReadmeAreThoseOfTheDocs) {
  const DocumentedTable table = documented_table();
  std::ifstream in(std::filesystem::path(ISTHMUS_DOCS) / ".." / "README.md");
  int compared = 0;
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("| [`", 0) != 0) continue;
    const std::vector<std::string> cells = row_cells(line);
    const std::string method = cells.at(0).substr(2, cells.at(0).find('`', 2) - 2);
    EXPECT_EQ(cells.at(1), table.at({"all 16", method})) << method;
    ++compared;
  }
  EXPECT_EQ(compared, 10);
}

/// The checksums of the labels that each method gives on each task (`isthmus bench table1 --out`), recorded:
/// who changes a label on purpose records it anew.
std::map<std::pair<std::string, std::string>, std::string> recorded_labels() {
  std::ifstream in(ISTHMUS_RECORDED_LABELS);
  std::map<std::pair<std::string, std::string>, std::string> recorded;
  std::string task;
  std::string method;
  std::string labels;
  std::getline(in, labels);  // the header
  while (std::getline(in, task, ',') && std::getline(in, method, ',') && std::getline(in, labels)) {
    recorded[{task, method}] = labels;
  }
  return recorded;
}

struct FamilyOfMethod {
  const char* method;
  const char* family;
};
class Table1Average : public ::testing::TestWithParam<FamilyOfMethod> {};

TEST_P(Table1Average, IsThatOfTheDocsAndItsLabelsAreThoseRecorded) {
  ISTHMUS_REQUIRE_DATA(folder);
#ifndef NDEBUG
  GTEST_SKIP() << "takes minutes without optimisation: the release build runs it";
#endif
  const auto [method, family] = GetParam();
  Context context;
  context.threads = available_cores();
  const auto cells =
      run_suite(table1_suite(folder, select_tasks(family), parse_method_list(method)), {}, context);
  const SuiteAverage average = suite_averages(cells).at(0);
  EXPECT_EQ(average.tasks, family);
  const DocumentedTable documented = documented_table();
  if (documented.contains({family, method})) {
    EXPECT_EQ(fmt::format("{:.2f}", average.ours.value()), documented.at({family, method}));
  }
  const auto recorded = recorded_labels();
  for (const SuiteCell& cell : cells)
    EXPECT_EQ(cell.labels, recorded.at({cell.task.name, method})) << cell.task.name;
}

// TSL and LTSL take more than half a minute for the digits alone: those are left to `isthmus bench table1`.
INSTANTIATE_TEST_SUITE_P(
    Docs, Table1Average,
    ::testing::Values(
        FamilyOfMethod{"rsa-cdda", "digits"}, FamilyOfMethod{"rsa-cdda", "COIL"},
        FamilyOfMethod{"rsa-cdda", "SURF"}, FamilyOfMethod{"cdda", "digits"}, FamilyOfMethod{"cdda", "COIL"},
        FamilyOfMethod{"cdda", "SURF"}, FamilyOfMethod{"lrsr", "digits"}, FamilyOfMethod{"lrsr", "COIL"},
        FamilyOfMethod{"lrsr", "SURF"}, FamilyOfMethod{"tsl", "COIL"}, FamilyOfMethod{"tsl", "SURF"},
        FamilyOfMethod{"ltsl", "COIL"}, FamilyOfMethod{"ltsl", "SURF"}, FamilyOfMethod{"nn", "digits"},
        FamilyOfMethod{"nn", "COIL"}, FamilyOfMethod{"nn", "SURF"}, FamilyOfMethod{"logistic", "digits"},
        FamilyOfMethod{"logistic", "COIL"}, FamilyOfMethod{"logistic", "SURF"},
        FamilyOfMethod{"pca", "digits"}, FamilyOfMethod{"pca", "COIL"}, FamilyOfMethod{"pca", "SURF"},
        FamilyOfMethod{"gfk", "digits"}, FamilyOfMethod{"gfk", "COIL"}, FamilyOfMethod{"gfk", "SURF"},
        FamilyOfMethod{"tca", "digits"}, FamilyOfMethod{"tca", "COIL"}, FamilyOfMethod{"tca", "SURF"},
        FamilyOfMethod{"jda", "digits"}, FamilyOfMethod{"jda", "COIL"}, FamilyOfMethod{"jda", "SURF"},
        FamilyOfMethod{"sa", "digits"}, FamilyOfMethod{"sa", "COIL"}, FamilyOfMethod{"sa", "SURF"},
        FamilyOfMethod{"coral", "digits"}, FamilyOfMethod{"coral", "COIL"}, FamilyOfMethod{"coral", "SURF"}),
    [](const auto& one) {
      std::string name = fmt::format("{}_{}", one.param.method, one.param.family);
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

}  // namespace
}  // namespace isthmus
