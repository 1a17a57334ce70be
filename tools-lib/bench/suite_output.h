#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bench/comparison.h"
#include "bench/suite.h"
#include "isthmus/context.h"

namespace isthmus {

/// Mean accuracy of one method over the finished tasks of a group; each task counts by its mean over seeds.
struct SuiteAverage {
  std::string method;  ///< SuiteCell::title()
  std::string tasks;   ///< the group, or "all"
  std::optional<double> ours;
  std::optional<double> published;  ///< none unless every task counted has a published value
};
/// The groups in order of their first task, then all.
std::vector<SuiteAverage> suite_averages(const std::vector<SuiteCell>& cells);

/// The methods that finished anything, over what all of them finished: tasks (by their mean over seeds), or
/// seeds of a single task. None with less than two methods or two of those.
std::optional<Comparison> suite_comparison(const std::vector<SuiteCell>& cells);

/// The methods that do not adapt: nn and logistic.
const std::vector<std::string>& source_only_methods();

/// How often a method does worse than not adapting.
struct FloorCount {
  std::string method;  ///< SuiteCell::title()
  int tasks = 0;       ///< that it and a source-only method finished, by their means over seeds
  int below = 0;       ///< of them more than kClearlyBelow points below the best source-only one
  double worst = 0;    ///< the least difference to that one, in points
  std::string worst_task;
};
inline constexpr double kClearlyBelow = 2.0;
/// Of every method that adapts; nothing where no source-only method takes part.
std::vector<FloorCount> floor_counts(const std::vector<SuiteCell>& cells);

/// Task × method for people: ours (mean ± deviation over several seeds), published and difference where
/// anything was published; averages, seconds, ranks, floor; as many methods side by side as `width`
/// characters hold.
std::string suite_text(const std::vector<SuiteCell>& cells, std::size_t width = 100);

/// One row a cell: suite,task,method,accuracy,published,seconds,peak_mib,status,seed.
std::string suite_csv(const std::string& suite, const std::vector<SuiteCell>& cells);

/// Everything: version, machine, cells with settings and reports, averages, comparison, floor.
nlohmann::ordered_json suite_json(const std::string& suite, const std::vector<SuiteCell>& cells,
                                  const Context& context);

}  // namespace isthmus
