#include "model/report_json.h"

#include <fmt/format.h>

#include <limits>
#include <string>

#include "isthmus/errors.h"

namespace isthmus {

nlohmann::json to_json(const Report& report) {
  nlohmann::json seconds = nlohmann::json::array();
  for (const auto& [phase, time] : report.seconds) seconds.push_back({{"phase", phase}, {"seconds", time}});
  return {{"status", std::string(to_string(report.status))},
          {"iterations", report.iterations},
          {"series", report.series},
          {"facts", report.facts},
          {"notes", report.notes},
          {"warnings", report.warnings},
          {"seconds", seconds}};
}

Report report_from_json(const nlohmann::json& json) {
  // Iteration takes a number for a list of one, and a list for an object of numbered entries.
  const auto part = [&](const char* name, nlohmann::json::value_t type) -> const nlohmann::json& {
    const nlohmann::json& value = json.at(name);
    if (value.type() == type) return value;
    throw InvalidArgument(fmt::format("the report's '{}' is a JSON {}; expected {}", name, value.type_name(),
                                      nlohmann::json(type).type_name()));
  };
  // A NaN (an objective that a round does not have) is null in JSON.
  const auto number = [](const nlohmann::json& value) {
    return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
  };
  Report report;
  report.status = parse_status(json.at("status").get<std::string>());
  const double iterations = json.at("iterations").get<double>();
  if (!(iterations >= 0 && iterations <= std::numeric_limits<int>::max()))
    throw InvalidArgument(fmt::format("{} is no number of iterations", iterations));
  report.iterations = static_cast<int>(iterations);
  using Type = nlohmann::json::value_t;
  for (const auto& [name, values] : part("series", Type::object).items()) {
    if (!values.is_array()) throw InvalidArgument(fmt::format("the report's series '{}' is no list", name));
    for (const auto& value : values) report.series[name].push_back(number(value));
  }
  for (const auto& [name, value] : part("facts", Type::object).items()) report.facts[name] = number(value);
  report.notes = json.at("notes").get<std::vector<std::string>>();
  if (json.contains("warnings")) report.warnings = json.at("warnings").get<std::vector<std::string>>();
  for (const auto& entry : part("seconds", Type::array)) {
    report.seconds.emplace_back(entry.at("phase").get<std::string>(), number(entry.at("seconds")));
  }
  return report;
}

}  // namespace isthmus
