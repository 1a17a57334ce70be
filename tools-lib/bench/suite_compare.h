#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace isthmus {

/// A cell of two runs of a suite that is not the same in both.
struct CellChange {
  std::string task, method;
  std::uint64_t seed = 0;
  std::string before, after;  ///< status in each run; "missing" where it was not run
  std::optional<double> accuracy_before, accuracy_after;

  /// Points of accuracy won (or lost, below 0); none where one of the runs has no accuracy.
  std::optional<double> gain() const;
};

struct SuiteChanges {
  std::vector<CellChange> cells;                   ///< in the order of the newer run, then what it lacks
  int same = 0;                                    ///< cells with the same status and accuracy
  double seconds_before = 0, seconds_after = 0;    ///< of the cells that both finished
  double peak_mib_before = 0, peak_mib_after = 0;  ///< the largest of those
};

/// What changed between two results of `bench --out`. Throws InvalidArgument on JSON that is none.
SuiteChanges compare_suites(const nlohmann::ordered_json& before, const nlohmann::ordered_json& after);

std::string changes_text(const SuiteChanges& changes);
nlohmann::ordered_json changes_json(const SuiteChanges& changes);

}  // namespace isthmus
