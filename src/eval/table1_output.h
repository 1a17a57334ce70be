#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "eval/table1_run.h"

namespace isthmus {

/// Task × method for people: ours, published, difference; family averages and overall; as many methods side
/// by side as `width` characters hold.
std::string table1_text(const std::vector<Table1Cell>& cells, std::size_t width = 100);

/// One row a cell: suite,task,method,accuracy,published,seconds,peak_mib,status.
std::string table1_csv(const std::vector<Table1Cell>& cells);

/// Everything: version, machine, cells with settings and reports, averages.
nlohmann::ordered_json table1_json(const std::vector<Table1Cell>& cells, const Context& context);

/// The settings for people, and for machines.
std::string settings_text(const std::vector<SettingLine>& lines);
nlohmann::ordered_json settings_json(const std::vector<SettingLine>& lines);

}  // namespace isthmus
