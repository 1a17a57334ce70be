#include "bench/table1_settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "bench/results.h"
#include "bench/text_table.h"
#include "core/text.h"
#include "isthmus/adapt.h"

namespace isthmus {
namespace {

/// The preparations of the published rows: P, and P followed by unit length.
enum class Preparation { P, PL2 };

std::string steps(Preparation preparation, Family family) {
  if (family != Family::Surf) return "l2";
  return preparation == Preparation::P ? "sum,zscore" : "sum,zscore,l2";
}

struct PublishedSetting {
  std::string_view method;
  Preparation preparation;
  std::string_view digits_and_coil;  ///< options, "name=value name=value"
  std::string_view surf;
};

/// What reproduces the published numbers, method by method. Not listed: defaults on P+L2.
constexpr std::array kEntries{
    PublishedSetting{"nn", Preparation::P, "", ""},
    PublishedSetting{"pca", Preparation::P, "components=100", "components=100"},
    PublishedSetting{"gfk", Preparation::P, "", ""},  // dimension by task, below
    PublishedSetting{"tca", Preparation::P, "components=100 kernel=primal lambda=0.1 lambda_unit=absolute",
                     "components=100 kernel=linear lambda=1 lambda_unit=absolute"},
    PublishedSetting{
        "jda", Preparation::PL2,
        "components=100 kernel=primal lambda=0.1 lambda_unit=absolute rounds=10 empty_class=keep-half",
        "components=100 kernel=linear lambda=1 lambda_unit=absolute rounds=10 empty_class=keep-half"},
    PublishedSetting{"cdda", Preparation::PL2,
                     "components=100 kernel=primal lambda=0.1 lambda_unit=absolute rounds=10",
                     "components=100 kernel=linear lambda=1 lambda_unit=absolute rounds=10"},
};

struct TaskEntry {
  std::string_view method;
  std::string_view options;
  std::string_view tasks;
};

/// Settings that differ from task to task. The published COIL cells of GFK are reached by no dimension:
/// there the method's own label-free choice is used.
constexpr std::array kTaskEntries{
    TaskEntry{"gfk", "subspace=20", "C->A,C->W,A->C,A->D,W->C,D->A"},
    TaskEntry{"gfk", "subspace=10", "C->D,A->W,W->A,W->D,D->C,D->W"},
    TaskEntry{"gfk", "subspace=100", "USPS->MNIST,MNIST->USPS"},
};

void add_options(OptionMap& options, std::string_view assignments) {
  for (const std::string& assignment : split_words(assignments, ' ')) {
    auto [name, value] = parse_assignment(assignment);
    options[name] = std::move(value);
  }
}

bool operator==(const MethodSetting& a, const MethodSetting& b) {
  return a.preprocessing == b.preprocessing && a.options == b.options;
}

std::string assignments(const OptionMap& options) {
  std::vector<std::string> words;
  for (const auto& [name, value] : options) words.push_back(name + "=" + value);
  return words.empty() ? "defaults" : fmt::format("{}", fmt::join(words, " "));
}

}  // namespace

MethodSetting table1_setting(std::string_view method, const Table1Task& task) {
  MethodSetting setting{steps(Preparation::PL2, task.family), {}};
  for (const PublishedSetting& entry : kEntries) {
    if (entry.method != method) continue;
    setting.preprocessing = steps(entry.preparation, task.family);
    add_options(setting.options, task.family == Family::Surf ? entry.surf : entry.digits_and_coil);
  }
  for (const TaskEntry& entry : kTaskEntries) {
    const std::vector<std::string> tasks = split_words(entry.tasks, ',');
    if (entry.method != method || std::find(tasks.begin(), tasks.end(), task.name) == tasks.end()) continue;
    add_options(setting.options, entry.options);
  }
  return setting;
}

std::vector<SettingLine> table1_setting_lines(const std::vector<std::string>& methods) {
  std::vector<SettingLine> lines;
  for (const std::string& method : methods) {
    for (const Table1Task& task : table1_tasks()) {
      MethodSetting setting = table1_setting(method, task);
      const auto same = std::find_if(lines.begin(), lines.end(), [&](const SettingLine& line) {
        return line.method == method && line.family == task.family && line.setting == setting;
      });
      if (same != lines.end()) {
        same->tasks.emplace_back(task.name);
      } else {
        lines.push_back({method, task.family, {std::string(task.name)}, std::move(setting)});
      }
    }
  }
  return lines;
}

std::string settings_text(const std::vector<SettingLine>& lines) {
  using enum TextTable::Align;
  TextTable table({"method", "tasks", "preparation", "options"}, {Left, Left, Left, Left});
  for (const SettingLine& line : lines) {
    const auto whole = static_cast<std::ptrdiff_t>(line.tasks.size()) ==
                       std::count_if(table1_tasks().begin(), table1_tasks().end(),
                                     [&](const Table1Task& task) { return task.family == line.family; });
    table.add_row(
        {line.method,
         whole ? std::string(to_string(line.family)) : fmt::format("{}", fmt::join(line.tasks, " ")),
         line.setting.preprocessing, assignments(line.setting.options)});
  }
  return table.to_string();
}

nlohmann::ordered_json settings_json(const std::vector<SettingLine>& lines) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const SettingLine& line : lines) {
    json.push_back({{"method", line.method},
                    {"family", to_string(line.family)},
                    {"tasks", line.tasks},
                    {"preprocessing", line.setting.preprocessing},
                    {"options", options_json(line.method, line.setting.options)}});
  }
  return json;
}

}  // namespace isthmus
