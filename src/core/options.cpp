#include "isthmus/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "core/options_io.h"

namespace isthmus {
namespace {

std::string describe_range(Range range) {
  const bool low = std::isfinite(range.low);
  const bool high = std::isfinite(range.high);
  if (range.low == kAboveZero && !high) return "> 0";
  if (low && high) return fmt::format("{} … {}", range.low, range.high);
  if (low) return fmt::format("≥ {}", range.low);
  if (high) return fmt::format("≤ {}", range.high);
  return "any";
}

template <class Number>
std::string text_of(const std::optional<Number>& value) {
  return value ? fmt::to_string(*value) : std::string(kAutomatic);
}

/// Collects what each option is.
class SpecCollector : public OptionVisitor {
 public:
  std::vector<OptionSpec> specs;

  void integer(std::string_view name, int& value, Range range, std::string_view help) override {
    add(name, OptionType::Integer, fmt::to_string(value), describe_range(range), help);
  }
  void integer(std::string_view name, std::optional<int>& value, Range range,
               std::string_view help) override {
    add(name, OptionType::Integer, text_of(value), describe_range(range), help, true);
  }
  void real(std::string_view name, double& value, Range range, std::string_view help) override {
    add(name, OptionType::Real, fmt::to_string(value), describe_range(range), help);
  }
  void real(std::string_view name, std::optional<double>& value, Range range,
            std::string_view help) override {
    add(name, OptionType::Real, text_of(value), describe_range(range), help, true);
  }
  void flag(std::string_view name, bool& value, std::string_view help) override {
    add(name, OptionType::Flag, value ? "true" : "false", "true | false", help);
  }
  void integer_list(std::string_view name, std::vector<int>& value, Range each,
                    std::string_view help) override {
    add(name, OptionType::IntegerList, fmt::format("{}", fmt::join(value, ",")),
        "list, each " + describe_range(each), help);
  }

 protected:
  std::optional<std::size_t> choose(std::string_view name, std::optional<std::size_t> current, bool automatic,
                                    const std::vector<std::string>& words, std::string_view help) override {
    add(name, OptionType::Choice, current ? words[*current] : std::string(kAutomatic),
        fmt::format("{}", fmt::join(words, " | ")), help, automatic);
    specs.back().choices = words;
    return current;
  }

 private:
  void add(std::string_view name, OptionType type, std::string value, std::string range,
           std::string_view help, bool automatic = false) {
    specs.push_back(
        {std::string(name), type, std::move(value), std::move(range), std::string(help), {}, automatic});
  }
};

/// Parses text into each option that is named.
class Assigner : public OptionVisitor {
 public:
  Assigner(const OptionMap& values, std::string owner) : values_(values), owner_(std::move(owner)) {}

  void integer(std::string_view name, int& value, Range range, std::string_view /*help*/) override {
    if (const std::string* text = find(name)) value = parse_integer(name, *text, range);
  }
  void integer(std::string_view name, std::optional<int>& value, Range range,
               std::string_view /*help*/) override {
    if (const std::string* text = find(name)) {
      value = *text == kAutomatic ? std::nullopt : std::optional(parse_integer(name, *text, range, true));
    }
  }
  void real(std::string_view name, double& value, Range range, std::string_view /*help*/) override {
    if (const std::string* text = find(name)) value = parse_real(name, *text, range);
  }
  void real(std::string_view name, std::optional<double>& value, Range range,
            std::string_view /*help*/) override {
    if (const std::string* text = find(name)) {
      value = *text == kAutomatic ? std::nullopt : std::optional(parse_real(name, *text, range, true));
    }
  }
  void flag(std::string_view name, bool& value, std::string_view /*help*/) override {
    const std::string* text = find(name);
    if (text == nullptr) return;
    if (*text != "true" && *text != "false") fail(name, *text, "true or false");
    value = *text == "true";
  }
  void integer_list(std::string_view name, std::vector<int>& value, Range each,
                    std::string_view /*help*/) override {
    const std::string* text = find(name);
    if (text == nullptr) return;
    std::vector<int> parsed;
    std::string_view rest = *text;
    while (true) {
      const auto comma = rest.find(',');
      parsed.push_back(parse_integer(name, std::string(rest.substr(0, comma)), each));
      if (comma == std::string_view::npos) break;
      rest.remove_prefix(comma + 1);
    }
    value = std::move(parsed);
  }

  void check_all_known() const {
    for (const auto& [name, value] : values_) {
      if (seen_.contains(name)) continue;
      const std::string near = closest_word(name, {seen_.begin(), seen_.end()});
      throw InvalidArgument(fmt::format("{} has no option '{}'{}; it has: {}", owner_, name,
                                        near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near),
                                        seen_.empty() ? "none" : fmt::format("{}", fmt::join(seen_, ", "))));
    }
  }

 protected:
  std::optional<std::size_t> choose(std::string_view name, std::optional<std::size_t> current, bool automatic,
                                    const std::vector<std::string>& words,
                                    std::string_view /*help*/) override {
    const std::string* text = find(name);
    if (text == nullptr) return current;
    if (automatic && *text == kAutomatic) return std::nullopt;
    const auto at = std::find(words.begin(), words.end(), *text);
    if (at == words.end()) fail(name, *text, fmt::format("one of {}", fmt::join(words, ", ")), automatic);
    return static_cast<std::size_t>(at - words.begin());
  }

 private:
  const std::string* find(std::string_view name) {
    seen_.insert(std::string(name));
    const auto at = values_.find(std::string(name));
    return at == values_.end() ? nullptr : &at->second;
  }
  int parse_integer(std::string_view name, const std::string& text, Range range,
                    bool automatic = false) const {
    int parsed = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), parsed);
    if (error != std::errc() || end != text.data() + text.size()) {
      fail(name, text, "a whole number", automatic);
    }
    if (parsed < range.low || parsed > range.high) {
      fail(name, text, "a whole number " + describe_range(range), automatic);
    }
    return parsed;
  }
  double parse_real(std::string_view name, const std::string& text, Range range,
                    bool automatic = false) const {
    double parsed = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), parsed);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(parsed)) {
      fail(name, text, "a number", automatic);
    }
    if (parsed < range.low || parsed > range.high) {
      fail(name, text, "a number " + describe_range(range), automatic);
    }
    return parsed;
  }
  [[noreturn]] void fail(std::string_view name, const std::string& text, const std::string& expected,
                         bool automatic = false) const {
    throw InvalidArgument(fmt::format("option '{}' of {} is '{}'; expected {}{}", name, owner_, text,
                                      expected, automatic ? ", or auto" : ""));
  }

  const OptionMap& values_;
  std::string owner_;
  std::set<std::string> seen_;
};

}  // namespace

std::vector<OptionSpec> option_specs(const std::function<void(OptionVisitor&)>& describe) {
  SpecCollector collector;
  describe(collector);
  return std::move(collector.specs);
}

void assign_options(const std::function<void(OptionVisitor&)>& describe, const OptionMap& values,
                    const std::string& owner) {
  Assigner assigner(values, owner);
  describe(assigner);
  assigner.check_all_known();
}

OptionMap option_values(const std::function<void(OptionVisitor&)>& describe) {
  OptionMap values;
  for (OptionSpec& spec : option_specs(describe)) values[spec.name] = std::move(spec.default_value);
  return values;
}

std::string closest_word(std::string_view word, const std::vector<std::string>& candidates) {
  // Damerau-Levenshtein distance (adjacent swaps count once): most slips are one key.
  const auto distance = [](std::string_view a, std::string_view b) {
    std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
    for (std::size_t j = 0; j <= b.size(); ++j) cost[0][j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
      for (std::size_t j = 1; j <= b.size(); ++j) {
        const std::size_t replace = cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
        cost[i][j] = std::min({replace, cost[i - 1][j] + 1, cost[i][j - 1] + 1});
        if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
          cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
        }
      }
    }
    return cost[a.size()][b.size()];
  };
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 2) + 1;
  for (const std::string& candidate : candidates) {
    // Names from a file may be endless; lengths that differ so much cannot be close.
    if (std::max(word.size(), candidate.size()) - std::min(word.size(), candidate.size()) >= best_distance)
      continue;
    const std::size_t d = distance(word, candidate);
    if (d < best_distance && d < candidate.size()) {
      best_distance = d;
      best = candidate;
    }
  }
  return best;
}

}  // namespace isthmus
