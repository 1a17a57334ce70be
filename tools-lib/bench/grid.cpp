#include "bench/grid.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "bench/json_file.h"
#include "core/text.h"
#include "isthmus/errors.h"
#include "isthmus/select.h"

namespace isthmus {
namespace {

using json = nlohmann::ordered_json;

/// One option of a method's default grid: dimensions (none: left to the method), or multiples of the option's
/// default.
struct Axis {
  std::string_view method;
  std::string_view option;
  enum class Kind { Dimension, Multiple } kind;
  std::vector<std::optional<double>> values;
};

const std::vector<Axis>& default_axes() {
  using enum Axis::Kind;
  static const std::vector<Axis> axes{
      {"pca", "components", Dimension, {20, 50, 100}},
      {"gfk", "subspace", Dimension, {std::nullopt, 10, 20}},
      {"tca", "components", Dimension, {20, 100}},
      {"tca", "lambda", Multiple, {0.1, 1, 10}},
      {"jda", "components", Dimension, {20, 100}},
      {"jda", "lambda", Multiple, {0.1, 1, 10}},
      {"cdda", "components", Dimension, {20, 100}},
      {"cdda", "lambda", Multiple, {0.1, 1, 10}},
      {"lrsr", "gamma", Multiple, {0.1, 1, 10}},
      {"rsa-cdda", "gamma", Multiple, {0.3, 1, 3}},
      {"sa", "components", Dimension, {std::nullopt, 20, 50}},
      {"coral", "regularization", Multiple, {0.001, 0.01, 0.1, 1}},
  };
  return axes;
}

double option_default(std::string_view method, std::string_view option) {
  for (const OptionSpec& spec : find_method(method).options) {
    if (spec.name == option) return parse_number(spec.default_value).value();
  }
  throw InvalidArgument(fmt::format("method '{}' has no option '{}'", method, option));
}

/// What both domains allow a subspace of: the smaller one's samples span no more.
Index largest_dimension(const DomainPair& pair) {
  return std::max<Index>(1, std::min({pair.dimension(), pair.source_count() - 1, pair.target_count() - 1}));
}

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

OptionGrid default_grid(std::string_view method, const DomainPair& pair) {
  OptionGrid grid;
  for (const Axis& axis : default_axes()) {
    if (axis.method != method) continue;
    std::vector<std::string>& values = grid[std::string(axis.option)];
    for (const std::optional<double>& value : axis.values) {
      std::string text(kAutomatic);
      if (value) {
        text = fmt::format("{:g}", axis.kind == Axis::Kind::Dimension
                                       ? std::min(*value, static_cast<double>(largest_dimension(pair)))
                                       : *value * option_default(axis.method, axis.option));
      }
      if (std::find(values.begin(), values.end(), text) == values.end()) values.push_back(std::move(text));
    }
  }
  return grid;
}

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

std::vector<AdaptRequest> expand_grid(const MethodSpec& spec, const OptionGrid& grid,
                                      const Preprocessing& preprocessing) {
  std::vector<AdaptRequest> all{{spec.name, spec.options, preprocessing}};
  for (const auto& [option, values] : grid) {
    if (spec.options.contains(option)) continue;
    std::vector<AdaptRequest> longer;
    for (const AdaptRequest& candidate : all) {
      for (const std::string& value : values) {
        longer.push_back(candidate);
        longer.back().options[option] = value;
      }
    }
    all = std::move(longer);
  }
  return all;
}

std::vector<MethodSpec> quick_methods() {
  std::vector<MethodSpec> quick;
  for (const MethodInfo& method : methods()) {
    if (method.name != "tsl" && method.name != "ltsl") quick.push_back({std::string(method.name), {}});
  }
  return quick;
}

std::vector<AdaptRequest> default_candidates(const DomainPair& pair, const Preprocessing& preprocessing) {
  std::vector<AdaptRequest> candidates;
  for (const MethodSpec& method : quick_methods()) {
    const auto more = expand_grid(method, default_grid(method.name, pair), preprocessing);
    candidates.insert(candidates.end(), more.begin(), more.end());
  }
  return candidates;
}

}  // namespace isthmus
