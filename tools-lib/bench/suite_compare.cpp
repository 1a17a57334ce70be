#include "bench/suite_compare.h"

#include <fmt/format.h>

#include <algorithm>

#include "bench/text_table.h"
#include "isthmus/errors.h"

namespace isthmus {
namespace {

using nlohmann::ordered_json;

struct FinishedCell {
  std::string task, method, status;
  std::uint64_t seed = 0;
  std::optional<double> accuracy;
  double seconds = 0, peak_mib = 0;

  bool same_as(const FinishedCell& other) const {
    return task == other.task && method == other.method && seed == other.seed;
  }
};

std::vector<FinishedCell> finished_cells(const ordered_json& result) {
  std::vector<FinishedCell> cells;
  try {
    for (const ordered_json& json : result.at("cells")) {
      const ordered_json& accuracy = json.at("accuracy");
      cells.push_back({json.at("task"), json.at("method"), json.at("status"), json.at("seed"),
                       accuracy.is_null() ? std::nullopt : std::optional(accuracy.get<double>()),
                       json.at("seconds"), json.at("peak_mib")});
    }
  } catch (const nlohmann::json::exception& error) {
    throw InvalidArgument(
        fmt::format("expected the JSON that `isthmus bench ... --out` writes: {}", error.what()));
  }
  return cells;
}

const FinishedCell* find(const std::vector<FinishedCell>& cells, const FinishedCell& wanted) {
  const auto at = std::find_if(cells.begin(), cells.end(),
                               [&](const FinishedCell& cell) { return cell.same_as(wanted); });
  return at == cells.end() ? nullptr : &*at;
}

std::string percent_or(const std::optional<double>& value, const std::string& otherwise) {
  return value ? fmt::format("{:.2f}", *value) : otherwise;
}

}  // namespace

std::optional<double> CellChange::gain() const {
  if (!accuracy_before || !accuracy_after) return std::nullopt;
  return *accuracy_after - *accuracy_before;
}

SuiteChanges compare_suites(const ordered_json& before, const ordered_json& after) {
  const std::vector<FinishedCell> old_cells = finished_cells(before);
  const std::vector<FinishedCell> new_cells = finished_cells(after);
  SuiteChanges changes;
  for (const FinishedCell& cell : new_cells) {
    const FinishedCell* old = find(old_cells, cell);
    if (old == nullptr) {
      changes.cells.push_back({cell.task, cell.method, cell.seed, "missing", cell.status, {}, cell.accuracy});
      continue;
    }
    if (old->accuracy && cell.accuracy) {
      changes.seconds_before += old->seconds;
      changes.seconds_after += cell.seconds;
      changes.peak_mib_before = std::max(changes.peak_mib_before, old->peak_mib);
      changes.peak_mib_after = std::max(changes.peak_mib_after, cell.peak_mib);
    }
    if (old->accuracy == cell.accuracy && old->status == cell.status) {
      ++changes.same;
    } else {
      changes.cells.push_back(
          {cell.task, cell.method, cell.seed, old->status, cell.status, old->accuracy, cell.accuracy});
    }
  }
  for (const FinishedCell& cell : old_cells) {
    if (find(new_cells, cell) != nullptr) continue;
    changes.cells.push_back({cell.task, cell.method, cell.seed, cell.status, "missing", cell.accuracy, {}});
  }
  return changes;
}

std::string changes_text(const SuiteChanges& changes) {
  using enum TextTable::Align;
  std::string text;
  if (!changes.cells.empty()) {
    TextTable table({"task", "method", "seed", "before", "after", "change"}, {Left, Left});
    for (const CellChange& cell : changes.cells) {
      table.add_row({cell.task, cell.method, fmt::to_string(cell.seed),
                     percent_or(cell.accuracy_before, cell.before),
                     percent_or(cell.accuracy_after, cell.after),
                     cell.gain() ? fmt::format("{:+.2f}", *cell.gain()) : ""});
    }
    text = table.to_string() + "\n";
  }
  return text + fmt::format(
                    "{} cells changed, {} are the same; seconds {:.1f} -> {:.1f}, largest memory {:.0f} -> "
                    "{:.0f} MiB\n",
                    changes.cells.size(), changes.same, changes.seconds_before, changes.seconds_after,
                    changes.peak_mib_before, changes.peak_mib_after);
}

ordered_json changes_json(const SuiteChanges& changes) {
  const auto number = [](const std::optional<double>& value) {
    return value ? ordered_json(*value) : ordered_json(nullptr);
  };
  ordered_json cells = ordered_json::array();
  for (const CellChange& cell : changes.cells) {
    cells.push_back({{"task", cell.task},
                     {"method", cell.method},
                     {"seed", cell.seed},
                     {"before", {{"status", cell.before}, {"accuracy", number(cell.accuracy_before)}}},
                     {"after", {{"status", cell.after}, {"accuracy", number(cell.accuracy_after)}}},
                     {"change", number(cell.gain())}});
  }
  return {{"changed", cells},
          {"same", changes.same},
          {"seconds", {{"before", changes.seconds_before}, {"after", changes.seconds_after}}},
          {"peak_mib", {{"before", changes.peak_mib_before}, {"after", changes.peak_mib_after}}}};
}

}  // namespace isthmus
