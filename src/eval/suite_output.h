#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "eval/comparison.h"
#include "eval/suite.h"
#include "eval/table1_settings.h"
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

/// Task × method for people: ours (mean ± deviation over several seeds), published and difference where
/// anything was published; averages, seconds, ranks; as many methods side by side as `width` characters hold.
std::string suite_text(const std::vector<SuiteCell>& cells, std::size_t width = 100);

/// One row a cell: suite,task,method,accuracy,published,seconds,peak_mib,status,seed.
std::string suite_csv(const std::string& suite, const std::vector<SuiteCell>& cells);

/// Everything: version, machine, cells with settings and reports, averages, comparison.
nlohmann::ordered_json suite_json(const std::string& suite, const std::vector<SuiteCell>& cells,
                                  const Context& context);

/// The settings for people, and for machines.
std::string settings_text(const std::vector<SettingLine>& lines);
nlohmann::ordered_json settings_json(const std::vector<SettingLine>& lines);

}  // namespace isthmus
