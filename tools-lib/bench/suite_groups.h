#pragma once

#include <algorithm>
#include <string>
#include <type_traits>
#include <vector>

#include "bench/comparison.h"
#include "bench/suite.h"

namespace isthmus {

/// What the cells have of something, the first of equal ones kept.
template <class Get>
auto distinct(const std::vector<SuiteCell>& cells, Get get) {
  std::vector<std::decay_t<decltype(get(cells.front()))>> kept;
  for (const SuiteCell& cell : cells) {
    if (std::find(kept.begin(), kept.end(), get(cell)) == kept.end()) kept.push_back(get(cell));
  }
  return kept;
}
std::vector<std::string> method_names(const std::vector<SuiteCell>& cells);
std::vector<std::string> task_names(const std::vector<SuiteCell>& cells);

/// The cells of one method on one task: one a seed.
std::vector<SuiteCell> repetitions(const std::vector<SuiteCell>& cells, const std::string& task,
                                   const std::string& method);

MeanAndDeviation accuracy_over_seeds(const std::vector<SuiteCell>& repeated);

}  // namespace isthmus
