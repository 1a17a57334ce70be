#include "eval/table1_output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "data/text.h"
#include "eval/text_table.h"
#include "isthmus/version.h"
#include "model/report_json.h"

namespace isthmus {
namespace {

using nlohmann::ordered_json;

std::string percent(const std::optional<double>& value) {
  return value ? fmt::format("{:.2f}", *value) : "";
}

std::optional<double> difference(const std::optional<double>& ours, const std::optional<double>& published) {
  return ours && published ? std::optional(*ours - *published) : std::nullopt;
}

/// "+1.25"; what rounds to zero has no sign.
std::string signed_percent(const std::optional<double>& value) {
  if (!value) return "";
  const std::string text = fmt::format("{:+.2f}", *value);
  return text == "-0.00" || text == "+0.00" ? "0.00" : text;
}

ordered_json number_or_null(const std::optional<double>& value) {
  return value ? ordered_json(*value) : ordered_json(nullptr);
}

/// Keeps the first of equal words.
std::vector<std::string> distinct(std::vector<std::string> words) {
  std::vector<std::string> kept;
  for (std::string& word : words) {
    if (std::find(kept.begin(), kept.end(), word) == kept.end()) kept.push_back(std::move(word));
  }
  return kept;
}

std::vector<std::string> method_names(const std::vector<Table1Cell>& cells) {
  std::vector<std::string> names;
  for (const Table1Cell& cell : cells) names.push_back(cell.method.text());
  return distinct(std::move(names));
}

/// The table for a few methods: a group of three columns each.
std::string text_block(const std::vector<Table1Cell>& cells, const std::vector<Table1Average>& averages,
                       const std::vector<std::string>& methods) {
  std::vector<std::string> header{"task"};
  for (const std::string& method : methods) header.insert(header.end(), {method, "published", "diff"});
  TextTable table(header, {TextTable::Align::Left});

  std::vector<std::string> tasks;
  for (const Table1Cell& cell : cells) tasks.emplace_back(cell.task.name);
  for (const std::string& task : distinct(std::move(tasks))) {
    std::vector<std::string> row{task};
    for (const std::string& method : methods) {
      const auto at = std::find_if(cells.begin(), cells.end(), [&](const Table1Cell& cell) {
        return cell.task.name == task && cell.method.text() == method;
      });
      if (at == cells.end()) {
        row.insert(row.end(), {"not run", "", ""});
        continue;
      }
      const std::string ours = percent(at->accuracy) + (at->status == "stopped" ? "*" : "");
      row.insert(row.end(), {at->accuracy ? ours : at->status, percent(at->published),
                             signed_percent(difference(at->accuracy, at->published))});
    }
    table.add_row(std::move(row));
  }
  table.add_rule();
  for (const std::string tasks_of : {"digits", "COIL", "SURF", "all"}) {
    std::vector<std::string> row{"average " + tasks_of};
    for (const std::string& method : methods) {
      const auto at = std::find_if(averages.begin(), averages.end(), [&](const Table1Average& average) {
        return average.method == method && average.tasks == tasks_of;
      });
      row.insert(row.end(), {percent(at->ours), percent(at->published),
                             signed_percent(difference(at->ours, at->published))});
    }
    table.add_row(std::move(row));
  }
  std::vector<std::string> row{"seconds"};
  for (const std::string& method : methods) {
    double seconds = 0;
    for (const Table1Cell& cell : cells) seconds += cell.method.text() == method ? cell.seconds : 0.0;
    row.insert(row.end(), {fmt::format("{:.1f}", seconds), "", ""});
  }
  table.add_row(std::move(row));
  return table.to_string();
}

ordered_json cell_json(const Table1Cell& cell) {
  ordered_json json{{"task", cell.task.name},
                    {"family", to_string(cell.task.family)},
                    {"method", cell.method.text()},
                    {"accuracy", number_or_null(cell.accuracy)},
                    {"published", number_or_null(cell.published)},
                    {"difference", number_or_null(difference(cell.accuracy, cell.published))},
                    {"seconds", cell.seconds},
                    {"peak_mib", cell.peak_mib},
                    {"status", cell.status},
                    {"preprocessing", cell.setting.preprocessing},
                    {"settings", cell.setting.options},
                    {"options", cell.options},
                    {"report", to_json(cell.report)}};
  if (!cell.problem.empty()) json["problem"] = cell.problem;
  return json;
}

std::string assignments(const OptionMap& options) {
  std::vector<std::string> words;
  for (const auto& [name, value] : options) words.push_back(name + "=" + value);
  return words.empty() ? "defaults" : fmt::format("{}", fmt::join(words, " "));
}

}  // namespace

std::string table1_text(const std::vector<Table1Cell>& cells, std::size_t width) {
  const std::vector<Table1Average> averages = table1_averages(cells);
  const std::vector<std::string> methods = method_names(cells);
  std::string text;
  for (std::size_t begin = 0; begin < methods.size();) {
    // "average digits", then three columns and their gaps a method.
    std::size_t used = 14;
    std::size_t end = begin;
    while (end < methods.size()) {
      used += std::max<std::size_t>(display_width(methods[end]), 6) + 21;
      if (used > width && end > begin) break;
      ++end;
    }
    const std::vector<std::string> block(methods.begin() + static_cast<std::ptrdiff_t>(begin),
                                         methods.begin() + static_cast<std::ptrdiff_t>(end));
    text += (begin > 0 ? "\n" : "") + text_block(cells, averages, block);
    begin = end;
  }
  const auto stopped = [](const Table1Cell& cell) { return cell.status == "stopped"; };
  if (std::any_of(cells.begin(), cells.end(), stopped)) text += "* stopped early; the best result so far\n";
  return text;
}

std::string table1_csv(const std::vector<Table1Cell>& cells) {
  std::string csv = "suite,task,method,accuracy,published,seconds,peak_mib,status\n";
  for (const Table1Cell& cell : cells) {
    csv += fmt::format("table1,{},{},{},{},{:.3f},{:.1f},{}\n", cell.task.name, csv_cell(cell.method.text()),
                       percent(cell.accuracy), percent(cell.published), cell.seconds, cell.peak_mib,
                       cell.status);
  }
  return csv;
}

ordered_json table1_json(const std::vector<Table1Cell>& cells, const Context& context) {
  ordered_json json{{"suite", "table1"},
                    {"version", version()},
                    {"blas", blas_description()},
                    {"threads", context.threads},
                    {"seed", context.seed},
                    {"cells", ordered_json::array()},
                    {"averages", ordered_json::array()}};
  for (const Table1Cell& cell : cells) json["cells"].push_back(cell_json(cell));
  for (const Table1Average& average : table1_averages(cells)) {
    json["averages"].push_back({{"method", average.method},
                                {"tasks", average.tasks},
                                {"accuracy", number_or_null(average.ours)},
                                {"published", number_or_null(average.published)},
                                {"difference", number_or_null(difference(average.ours, average.published))}});
  }
  return json;
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

ordered_json settings_json(const std::vector<SettingLine>& lines) {
  ordered_json json = ordered_json::array();
  for (const SettingLine& line : lines) {
    json.push_back({{"method", line.method},
                    {"family", to_string(line.family)},
                    {"tasks", line.tasks},
                    {"preprocessing", line.setting.preprocessing},
                    {"options", line.setting.options}});
  }
  return json;
}

}  // namespace isthmus
