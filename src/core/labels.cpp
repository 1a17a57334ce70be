#include "isthmus/labels.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <unordered_map>

namespace isthmus {
namespace {

std::optional<std::int64_t> parse_integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// "3.0", "+3", "3e0" → "3"; nothing for what is no whole number that a double holds exactly.
std::optional<std::string> plain_integer(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  if (const auto exact = parse_integer(text)) return std::to_string(*exact);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (!(std::abs(value) < 9007199254740992.0) || value != std::floor(value)) return std::nullopt;
  return std::to_string(static_cast<std::int64_t>(value));
}

/// The order of class names: by value where all are integers, bytewise otherwise.
bool comes_before(std::string_view a, std::string_view b, bool integers) {
  return integers ? *parse_integer(a) < *parse_integer(b) : a < b;
}

}  // namespace

ClassNames::ClassNames(std::vector<std::string> names) : names_(std::move(names)) {
  const auto is_plain = [](const std::string& name) {
    const auto value = parse_integer(name);
    return value && std::to_string(*value) == name;
  };
  integers_ = !names_.empty() && std::all_of(names_.begin(), names_.end(), is_plain);
  std::sort(names_.begin(), names_.end(),
            [&](const std::string& a, const std::string& b) { return comes_before(a, b, integers_); });
  names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
}

std::optional<int> ClassNames::find(std::string_view name) const {
  if (integers_ && !parse_integer(name)) return std::nullopt;
  const auto at =
      std::lower_bound(names_.begin(), names_.end(), name,
                       [&](std::string_view a, std::string_view b) { return comes_before(a, b, integers_); });
  if (at == names_.end() || *at != name) return std::nullopt;
  return static_cast<int>(at - names_.begin());
}

Labels encode_labels(std::vector<std::string> names) {
  // Distinct spellings first: a column of a million labels has few.
  std::unordered_map<std::string, int> spelling;
  std::vector<std::string> distinct;
  std::vector<int> ids(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto [at, fresh] = spelling.try_emplace(std::move(names[i]), static_cast<int>(distinct.size()));
    if (fresh) distinct.push_back(at->first);
    ids[i] = at->second;
  }
  std::vector<std::string> plain;
  for (const std::string& name : distinct) {
    const auto integer = plain_integer(name);
    if (!integer) break;
    plain.push_back(*integer);
  }
  if (plain.size() == distinct.size()) distinct = std::move(plain);

  Labels labels{ClassNames(distinct), std::move(ids)};
  std::vector<int> final_id;
  final_id.reserve(distinct.size());
  for (const std::string& name : distinct) final_id.push_back(*labels.classes.find(name));
  for (int& id : labels.ids) id = final_id[static_cast<std::size_t>(id)];
  return labels;
}

std::vector<int> encode_labels(const Labels& labels, const ClassNames& classes) {
  std::vector<int> known;
  known.reserve(static_cast<std::size_t>(labels.classes.size()));
  for (const std::string& name : labels.classes.all())
    known.push_back(classes.find(name).value_or(kUnknownClass));
  std::vector<int> ids;
  ids.reserve(labels.ids.size());
  for (const int id : labels.ids) ids.push_back(id < 0 ? kUnknownClass : known[static_cast<std::size_t>(id)]);
  return ids;
}

}  // namespace isthmus
