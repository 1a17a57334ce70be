#include "bench/method_spec.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/text.h"
#include "isthmus/adapt.h"
#include "isthmus/errors.h"

namespace isthmus {
namespace {

bool starts_with_digit(const std::string& word) {
  return word.front() >= '0' && word.front() <= '9';
}

}  // namespace

std::string MethodSpec::text() const {
  std::string text = name;
  char separator = ':';
  for (const auto& [option, value] : options) {
    text += fmt::format("{}{}={}", separator, option, value);
    separator = ';';
  }
  return text;
}

std::pair<std::string, std::string> parse_assignment(std::string_view text) {
  const auto at = text.find('=');
  if (at == std::string_view::npos || at == 0) {
    throw InvalidArgument(fmt::format("'{}' is no option; expected name=value, such as components=20", text));
  }
  return {std::string(text.substr(0, at)), std::string(text.substr(at + 1))};
}

void add_assignment(OptionMap& options, std::string_view text) {
  const auto [name, value] = parse_assignment(text);
  const auto [old, fresh] = options.emplace(name, value);
  if (fresh) return;
  throw InvalidArgument(
      fmt::format("the option '{}' is given twice, '{}' and '{}'; give it once", name, old->second, value));
}

std::vector<MethodSpec> parse_method_list(std::string_view list) {
  std::vector<std::string> pieces;
  for (const std::string& word : split_words(list, ',')) {
    if (starts_with_digit(word) && !pieces.empty()) {
      pieces.back() += "," + word;
    } else {
      pieces.push_back(word);
    }
  }
  if (pieces.empty())
    throw InvalidArgument("the list of methods is empty; name at least one, such as nn,pca");
  std::vector<MethodSpec> specs;
  for (const std::string& piece : pieces) {
    const auto colon = piece.find(':');
    MethodSpec spec{piece.substr(0, colon), {}};
    if (colon != std::string::npos) {
      for (const std::string& option : split_words(std::string_view(piece).substr(colon + 1), ';')) {
        add_assignment(spec.options, option);
      }
    }
    require_known_options(spec);
    specs.push_back(std::move(spec));
  }
  return specs;
}

void require_known_options(const MethodSpec& spec) {
  std::vector<std::string> known;
  for (const OptionSpec& option : find_method(spec.name).options) known.push_back(option.name);
  for (const auto& [name, value] : spec.options) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    throw InvalidArgument(fmt::format("method '{}' has no option '{}'{}; it has: {}", spec.name, name,
                                      did_you_mean(name, known),
                                      known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", "))));
  }
}

}  // namespace isthmus
