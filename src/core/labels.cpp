#include "isthmus/labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <unordered_map>

#include "isthmus/errors.h"

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

/// Every name is an integer in its plain form.
bool all_integers(const std::vector<std::string>& names) {
  return !names.empty() && std::all_of(names.begin(), names.end(), [](const std::string& name) {
    const auto value = parse_integer(name);
    return value && std::to_string(*value) == name;
  });
}

}  // namespace

ClassNames::ClassNames(std::vector<std::string> names)
    : names_(std::move(names)), by_name_(names_.size()), integers_(all_integers(names_)) {
  std::iota(by_name_.begin(), by_name_.end(), 0);
  std::sort(by_name_.begin(), by_name_.end(), [&](int a, int b) { return (*this)[a] < (*this)[b]; });
  const auto twice = std::adjacent_find(by_name_.begin(), by_name_.end(),
                                        [&](int a, int b) { return (*this)[a] == (*this)[b]; });
  if (twice != by_name_.end()) {
    throw InvalidArgument(
        fmt::format("two classes are called '{}'; each class needs a name of its own", (*this)[*twice]));
  }
}

ClassNames ClassNames::sorted(std::vector<std::string> names) {
  if (all_integers(names)) {
    std::sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
      return *parse_integer(a) < *parse_integer(b);
    });
  } else {
    std::sort(names.begin(), names.end());
  }
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return ClassNames(std::move(names));
}

std::optional<int> ClassNames::find(std::string_view name) const {
  const auto at = std::lower_bound(by_name_.begin(), by_name_.end(), name,
                                   [&](int id, std::string_view wanted) { return (*this)[id] < wanted; });
  if (at == by_name_.end() || (*this)[*at] != name) return std::nullopt;
  return *at;
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

  Labels labels{ClassNames::sorted(distinct), std::move(ids)};
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
