#include "bench/suite_output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "bench/results.h"
#include "bench/suite_groups.h"
#include "bench/text_table.h"
#include "core/text.h"
#include "isthmus/version.h"

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

std::optional<double> mean(const std::vector<double>& values) {
  return values.empty() ? std::nullopt : std::optional(mean_and_deviation(values).mean);
}

SuiteAverage average(const std::vector<SuiteCell>& cells, const std::string& method,
                     const std::optional<std::string>& group) {
  std::vector<double> ours;
  std::vector<double> published;
  for (const std::string& task : task_names(cells)) {
    const std::vector<SuiteCell> repeated = repetitions(cells, task, method);
    if (repeated.empty() || (group && repeated.front().task.group != *group)) continue;
    const MeanAndDeviation accuracy = accuracy_over_seeds(repeated);
    if (accuracy.count == 0) continue;
    ours.push_back(accuracy.mean);
    if (repeated.front().published) published.push_back(*repeated.front().published);
  }
  return {method, group.value_or("all"), mean(ours),
          published.size() == ours.size() ? mean(published) : std::nullopt};
}

/// Columns of a method: ours, and where anything was published also that and the difference.
std::vector<std::string> columns(const std::string& ours, const std::optional<double>& value,
                                 const std::optional<double>& published, bool with_published) {
  if (!with_published) return {ours};
  return {ours, percent(published), signed_percent(difference(value, published))};
}

/// Marks what a log gave.
constexpr const char* kLogged = "*";

std::ptrdiff_t logged_count(const std::vector<SuiteCell>& cells) {
  return std::count_if(cells.begin(), cells.end(), [](const SuiteCell& cell) { return cell.from_log; });
}

std::vector<std::string> task_columns(const std::vector<SuiteCell>& repeated, bool with_published) {
  if (repeated.empty()) return columns("not run", {}, {}, with_published);
  const MeanAndDeviation accuracy = accuracy_over_seeds(repeated);
  const std::optional<double>& published = repeated.front().published;
  if (accuracy.count == 0) {
    return columns(repeated.front().status + (logged_count(repeated) > 0 ? kLogged : ""), {}, published,
                   with_published);
  }
  std::string ours = percent(accuracy.mean);
  if (accuracy.count > 1) ours += fmt::format(" ± {:.2f}", accuracy.deviation);
  if (logged_count(repeated) > 0) ours += kLogged;
  return columns(ours, accuracy.mean, published, with_published);
}

bool any_published(const std::vector<SuiteCell>& cells) {
  return std::any_of(cells.begin(), cells.end(), [](const SuiteCell& c) { return c.published.has_value(); });
}

/// The table for a few methods.
std::string text_block(const std::vector<SuiteCell>& cells, const std::vector<SuiteAverage>& averages,
                       const std::vector<std::string>& methods) {
  const bool with_published = any_published(cells);
  std::vector<std::string> header{"task"};
  for (const std::string& method : methods) {
    header.push_back(method);
    if (with_published) header.insert(header.end(), {"published", "diff"});
  }
  TextTable table(header, {TextTable::Align::Left});
  const auto add_row = [&](std::string name, const auto& columns_of) {
    std::vector<std::string> row{std::move(name)};
    for (const std::string& method : methods) {
      const std::vector<std::string> more = columns_of(method);
      row.insert(row.end(), more.begin(), more.end());
    }
    table.add_row(std::move(row));
  };
  for (const std::string& task : task_names(cells)) {
    add_row(task, [&](const std::string& method) {
      return task_columns(repetitions(cells, task, method), with_published);
    });
  }
  table.add_rule();
  for (const SuiteAverage& row : averages) {
    if (row.method != averages.front().method) continue;
    add_row("average " + row.tasks, [&](const std::string& method) {
      const auto at = std::find_if(averages.begin(), averages.end(), [&](const SuiteAverage& average) {
        return average.method == method && average.tasks == row.tasks;
      });
      return columns(percent(at->ours), at->ours, at->published, with_published);
    });
  }
  add_row("seconds", [&](const std::string& method) {
    double seconds = 0;
    for (const SuiteCell& cell : cells) seconds += cell.title() == method ? cell.seconds : 0.0;
    return columns(fmt::format("{:.1f}", seconds), {}, {}, with_published);
  });
  return table.to_string();
}

std::string p_text(double p) {
  return p < 0.0001 ? "< 0.0001" : fmt::format("{:.4f}", p);
}

/// Methods by mean rank, each against the first.
std::string ranks_text(const Comparison& comparison) {
  std::vector<int> order(comparison.methods.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return comparison.ranks[a] < comparison.ranks[b]; });
  const int best = order.front();
  const auto name = [&](int i) { return comparison.methods[static_cast<std::size_t>(i)]; };
  TextTable table({"method", "mean rank", "p against " + name(best)}, {TextTable::Align::Left});
  for (const int i : order) {
    table.add_row({name(i), fmt::format("{:.2f}", comparison.ranks[i]),
                   i == best ? "" : p_text(comparison.p(i, best))});
  }
  return table.to_string() +
         fmt::format(
             "over {} {}; mean ranks closer than {:.2f} do not differ (Nemenyi, 0.05); p: Wilcoxon "
             "signed-rank, Holm over all pairs\n",
             comparison.blocks, comparison.over, comparison.critical);
}

std::string floor_text(const std::vector<FloorCount>& counts) {
  using enum TextTable::Align;
  TextTable table(
      {"method", "tasks", fmt::format("{:g} points below not adapting", kClearlyBelow), "least", "on"},
      {Left, Right, Right, Right, Left});
  for (const FloorCount& count : counts) {
    table.add_row({count.method, fmt::to_string(count.tasks), fmt::to_string(count.below),
                   signed_percent(count.worst), count.worst_task});
  }
  return table.to_string();
}

ordered_json floor_json(const std::vector<FloorCount>& counts) {
  ordered_json json = ordered_json::array();
  for (const FloorCount& count : counts) {
    json.push_back({{"method", count.method},
                    {"tasks", count.tasks},
                    {"below", count.below},
                    {"worst", count.worst},
                    {"worst_task", count.worst_task}});
  }
  return json;
}

ordered_json cell_json(const SuiteCell& cell) {
  ordered_json json{{"task", cell.task.name},
                    {"family", cell.task.group},
                    {"method", cell.title()},
                    {"seed", cell.seed},
                    {"from_log", cell.from_log},
                    {"published", number_or_null(cell.published)},
                    {"difference", number_or_null(difference(cell.accuracy, cell.published))},
                    {"preprocessing", cell.setting.preprocessing},
                    {"settings", options_json(cell.method.name, cell.setting.options)}};
  json.update(cell_result(cell));
  json["options"] = options_json(cell.method.name, cell.options);
  return json;
}

ordered_json comparison_json(const Comparison& comparison) {
  ordered_json ranks = ordered_json::object();
  ordered_json pairs = ordered_json::array();
  for (std::size_t i = 0; i < comparison.methods.size(); ++i) {
    ranks[comparison.methods[i]] = comparison.ranks[static_cast<Index>(i)];
  }
  for (const Comparison::Pair& pair : comparison.pairs) {
    pairs.push_back({{"first", comparison.methods[static_cast<std::size_t>(pair.first)]},
                     {"second", comparison.methods[static_cast<std::size_t>(pair.second)]},
                     {"p", pair.p}});
  }
  return {{"over", comparison.over},
          {"blocks", comparison.blocks},
          {"mean_ranks", ranks},
          {"critical_difference", comparison.critical},
          {"pairs", pairs}};
}

}  // namespace

std::vector<SuiteAverage> suite_averages(const std::vector<SuiteCell>& cells) {
  std::vector<std::string> groups = distinct(cells, [](const SuiteCell& cell) { return cell.task.group; });
  std::erase(groups, "");
  std::vector<SuiteAverage> averages;
  for (const std::string& method : method_names(cells)) {
    for (const std::string& group : groups) averages.push_back(average(cells, method, group));
    averages.push_back(average(cells, method, std::nullopt));
  }
  return averages;
}

std::optional<Comparison> suite_comparison(const std::vector<SuiteCell>& cells) {
  std::vector<SuiteCell> finished;
  std::copy_if(cells.begin(), cells.end(), std::back_inserter(finished),
               [](const SuiteCell& cell) { return cell.accuracy.has_value(); });
  const std::vector<std::string> methods = method_names(finished);
  const std::vector<std::string> tasks = task_names(cells);
  std::vector<std::vector<double>> rows;
  // A row counts when every method has a value in it.
  const auto add_row = [&](const auto& value_of) {
    std::vector<double> row;
    for (const std::string& method : methods) {
      if (const std::optional<double> value = value_of(method)) row.push_back(*value);
    }
    if (row.size() == methods.size()) rows.push_back(std::move(row));
  };
  if (tasks.size() > 1) {
    for (const std::string& task : tasks) {
      add_row([&](const std::string& method) {
        const MeanAndDeviation accuracy = accuracy_over_seeds(repetitions(cells, task, method));
        return accuracy.count > 0 ? std::optional(accuracy.mean) : std::nullopt;
      });
    }
  } else {
    for (const std::uint64_t seed : distinct(cells, [](const SuiteCell& cell) { return cell.seed; })) {
      add_row([&](const std::string& method) {
        const auto at = std::find_if(cells.begin(), cells.end(), [&](const SuiteCell& cell) {
          return cell.seed == seed && cell.title() == method;
        });
        return at == cells.end() ? std::nullopt : at->accuracy;
      });
    }
  }
  if (methods.size() < 2 || rows.size() < 2) return std::nullopt;
  Matrix values(static_cast<Index>(rows.size()), static_cast<Index>(methods.size()));
  for (Index i = 0; i < values.rows(); ++i) {
    for (Index j = 0; j < values.cols(); ++j) {
      values(i, j) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
    }
  }
  return compare_methods(methods, values, tasks.size() > 1 ? "tasks" : "seeds");
}

const std::vector<std::string>& source_only_methods() {
  static const std::vector<std::string> names{"nn", "logistic"};
  return names;
}

std::vector<FloorCount> floor_counts(const std::vector<SuiteCell>& cells) {
  const auto source_only = [](const SuiteCell& cell) {
    const std::vector<std::string>& names = source_only_methods();
    return std::find(names.begin(), names.end(), cell.method.name) != names.end();
  };
  std::vector<SuiteCell> plain;
  std::vector<SuiteCell> adapting;
  std::partition_copy(cells.begin(), cells.end(), std::back_inserter(plain), std::back_inserter(adapting),
                      source_only);
  std::vector<FloorCount> counts;
  if (plain.empty()) return counts;
  for (const std::string& method : method_names(adapting)) {
    FloorCount count{method, 0, 0, 0, ""};
    for (const std::string& task : task_names(adapting)) {
      const MeanAndDeviation ours = accuracy_over_seeds(repetitions(adapting, task, method));
      std::optional<double> floor;
      for (const std::string& other : method_names(plain)) {
        const MeanAndDeviation accuracy = accuracy_over_seeds(repetitions(plain, task, other));
        if (accuracy.count > 0) floor = std::max(floor.value_or(0.0), accuracy.mean);
      }
      if (ours.count == 0 || !floor) continue;
      const double gain = ours.mean - *floor;
      if (count.tasks++ == 0 || gain < count.worst) {
        count.worst = gain;
        count.worst_task = task;
      }
      if (gain < -kClearlyBelow) ++count.below;
    }
    if (count.tasks > 0) counts.push_back(std::move(count));
  }
  return counts;
}

std::string suite_text(const std::vector<SuiteCell>& cells, std::size_t width) {
  const std::vector<SuiteAverage> averages = suite_averages(cells);
  const std::vector<std::string> methods = method_names(cells);
  // Beside a method's name or number: "published", "diff" and their gaps.
  const std::size_t beside = any_published(cells) ? 21 : 2;
  std::string text;
  for (std::size_t begin = 0; begin < methods.size();) {
    std::size_t used = 14;  // "average digits"
    std::size_t end = begin;
    while (end < methods.size()) {
      used += std::max<std::size_t>(display_width(methods[end]), 6) + beside;
      if (used > width && end > begin) break;
      ++end;
    }
    const std::vector<std::string> block(methods.begin() + static_cast<std::ptrdiff_t>(begin),
                                         methods.begin() + static_cast<std::ptrdiff_t>(end));
    text += (begin > 0 ? "\n" : "") + text_block(cells, averages, block);
    begin = end;
  }
  if (const auto logged = logged_count(cells); logged > 0) {
    text += fmt::format("{} from the log: {} of {} cells were run before, not now\n", kLogged, logged,
                        cells.size());
  }
  if (const std::optional<Comparison> comparison = suite_comparison(cells)) {
    text += "\n" + ranks_text(*comparison);
  }
  if (const std::vector<FloorCount> counts = floor_counts(cells); !counts.empty()) {
    text += "\n" + floor_text(counts);
  }
  return text;
}

std::string suite_csv(const std::string& suite, const std::vector<SuiteCell>& cells) {
  std::string csv = "suite,task,method,accuracy,published,seconds,peak_mib,status,seed\n";
  for (const SuiteCell& cell : cells) {
    csv += fmt::format("{},{},{},{},{},{:.3f},{:.1f},{},{}\n", csv_cell(suite), csv_cell(cell.task.name),
                       csv_cell(cell.title()), percent(cell.accuracy), percent(cell.published), cell.seconds,
                       cell.peak_mib, cell.status, cell.seed);
  }
  return csv;
}

ordered_json suite_json(const std::string& suite, const std::vector<SuiteCell>& cells,
                        const Context& context) {
  ordered_json json{{"kind", "bench"},
                    {"suite", suite},
                    {"version", version()},
                    {"blas", blas_description()},
                    {"threads", context.threads},
                    {"cells", ordered_json::array()},
                    {"averages", ordered_json::array()}};
  for (const SuiteCell& cell : cells) json["cells"].push_back(cell_json(cell));
  for (const SuiteAverage& average : suite_averages(cells)) {
    json["averages"].push_back({{"method", average.method},
                                {"tasks", average.tasks},
                                {"accuracy", number_or_null(average.ours)},
                                {"published", number_or_null(average.published)},
                                {"difference", number_or_null(difference(average.ours, average.published))}});
  }
  if (const std::optional<Comparison> comparison = suite_comparison(cells)) {
    json["comparison"] = comparison_json(*comparison);
  }
  if (const std::vector<FloorCount> counts = floor_counts(cells); !counts.empty()) {
    json["floor"] = floor_json(counts);
  }
  return json;
}

}  // namespace isthmus
