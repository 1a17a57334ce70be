#include "bench/grid_file.h"

#include <fmt/format.h>

#include "bench/json_file.h"
#include "bench/method_spec.h"
#include "isthmus/errors.h"

namespace isthmus {
namespace {

using json = nlohmann::ordered_json;

std::vector<std::string> grid_values(const json& value, const std::string& where) {
  const json list = value.is_array() ? value : json::array({value});
  std::vector<std::string> values;
  for (const json& item : list) {
    values.push_back(option_text(item));
    if (values.back().empty()) {
      throw InvalidArgument(fmt::format(
          "{} holds {}; expected a text, a number, true or false, null (auto), or a list of numbers", where,
          item.dump()));
    }
  }
  if (values.empty())
    throw InvalidArgument(fmt::format("{} is an empty list; name at least one value", where));
  return values;
}

}  // namespace

MethodGrids read_grids(const std::filesystem::path& path) {
  const json file = read_json_object(path, "grid");
  const std::string name = path.string();
  MethodGrids grids;
  for (const auto& [method, options] : file.items()) {
    if (!options.is_object()) {
      throw InvalidArgument(
          fmt::format(R"({}: '{}' holds a JSON {}; expected an object such as {{"components": [20, 100]}})",
                      name, method, options.type_name()));
    }
    MethodSpec spec{method, {}};
    OptionGrid& grid = grids[method];
    for (const auto& [option, values] : options.items()) {
      grid[option] = grid_values(values, fmt::format("{}: '{}' of '{}'", name, option, method));
      spec.options[option] = grid[option].front();
    }
    try {
      require_known_options(spec);
    } catch (const InvalidArgument& error) {
      throw InvalidArgument(fmt::format("{}: {}", name, error.what()));
    }
  }
  if (grids.empty()) throw InvalidArgument(fmt::format("{}: the grid names no method", name));
  return grids;
}

}  // namespace isthmus
