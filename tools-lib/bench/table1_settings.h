#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "bench/method_spec.h"
#include "table1/table1.h"

namespace isthmus {

/// The setting of a method on a task. A method without an entry of its own runs with its defaults on
/// unit-length samples.
MethodSetting table1_setting(std::string_view method, const Table1Task& task);

/// One line of `--show-settings`: the tasks of a family that a method runs with the same setting.
struct SettingLine {
  std::string method;
  Family family;
  std::vector<std::string> tasks;
  MethodSetting setting;
};
std::vector<SettingLine> table1_setting_lines(const std::vector<std::string>& methods);
/// For people, and for machines.
std::string settings_text(const std::vector<SettingLine>& lines);
nlohmann::ordered_json settings_json(const std::vector<SettingLine>& lines);

}  // namespace isthmus
