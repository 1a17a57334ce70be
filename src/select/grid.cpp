#include "select/grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/text.h"
#include "isthmus/errors.h"
#include "isthmus/select.h"

namespace isthmus {
namespace {

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

std::vector<AdaptRequest> expand_grid(const AdaptRequest& base, const OptionGrid& grid) {
  std::vector<AdaptRequest> all{base};
  for (const auto& [option, values] : grid) {
    if (base.options.contains(option)) continue;
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

std::vector<std::string> quick_methods() {
  std::vector<std::string> quick;
  for (const MethodInfo& method : methods()) {
    if (method.name != "tsl" && method.name != "ltsl") quick.emplace_back(method.name);
  }
  return quick;
}

std::vector<AdaptRequest> default_candidates(const DomainPair& pair, const Preprocessing& preprocessing) {
  std::vector<AdaptRequest> candidates;
  for (const std::string& method : quick_methods()) {
    const auto more = expand_grid({method, {}, preprocessing}, default_grid(method, pair));
    candidates.insert(candidates.end(), more.begin(), more.end());
  }
  return candidates;
}

}  // namespace isthmus
