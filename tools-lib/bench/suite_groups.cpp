#include "bench/suite_groups.h"

#include <iterator>

namespace isthmus {

std::vector<std::string> method_names(const std::vector<SuiteCell>& cells) {
  return distinct(cells, [](const SuiteCell& cell) { return cell.title(); });
}

std::vector<std::string> task_names(const std::vector<SuiteCell>& cells) {
  return distinct(cells, [](const SuiteCell& cell) { return cell.task.name; });
}

std::vector<SuiteCell> repetitions(const std::vector<SuiteCell>& cells, const std::string& task,
                                   const std::string& method) {
  std::vector<SuiteCell> found;
  std::copy_if(cells.begin(), cells.end(), std::back_inserter(found),
               [&](const SuiteCell& cell) { return cell.task.name == task && cell.title() == method; });
  return found;
}

MeanAndDeviation accuracy_over_seeds(const std::vector<SuiteCell>& repeated) {
  std::vector<double> values;
  for (const SuiteCell& cell : repeated) {
    if (cell.accuracy) values.push_back(*cell.accuracy);
  }
  return mean_and_deviation(values);
}

}  // namespace isthmus
