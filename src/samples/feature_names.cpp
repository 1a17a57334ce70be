#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_map>

#include "isthmus/domain.h"
#include "isthmus/errors.h"

namespace isthmus {
namespace {

using Names = std::vector<std::string>;

/// "'a', 'b' and 7 more".
std::string list_names(const Names& names) {
  constexpr std::size_t kShown = 5;
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < std::min(kShown, names.size()); ++i) shown.push_back("'" + names[i] + "'");
  std::string text = fmt::format("{}", fmt::join(shown, ", "));
  if (names.size() > kShown) text += fmt::format(" and {} more", names.size() - kShown);
  return text;
}

/// Where each name stands.
std::unordered_map<std::string_view, Index> positions(const Names& names, std::string_view whose) {
  std::unordered_map<std::string_view, Index> found;
  for (const std::string& name : names) {
    if (found.try_emplace(name, static_cast<Index>(found.size())).second) continue;
    throw InvalidArgument(fmt::format(
        "two features of the {} are called '{}', so that they cannot be matched by name; rename one, or take "
        "features by their position (--by-position)",
        whose, name));
  }
  return found;
}

Names without(const Names& names, const std::unordered_map<std::string_view, Index>& known) {
  Names left;
  std::copy_if(names.begin(), names.end(), std::back_inserter(left),
               [&](const std::string& name) { return !known.contains(name); });
  return left;
}

}  // namespace

bool match_features(Domain& domain, const Names& names, std::string_view domain_is,
                    std::string_view names_are_of) {
  const Names& own = domain.feature_names;
  if (!own.empty() && static_cast<Index>(own.size()) != domain.features.dimension()) {
    throw InvalidArgument(fmt::format("the {} has {} features but {} feature names; one a feature is needed",
                                      domain_is, domain.features.dimension(), own.size()));
  }
  if (own.empty() || names.empty() || own == names) return false;
  const auto place = positions(own, domain_is);
  const Names missing = without(names, place);
  const Names extra = without(own, positions(names, names_are_of));
  if (!missing.empty() || !extra.empty()) {
    std::string what;
    if (!missing.empty()) what = fmt::format("{} lacks {}", domain_is, list_names(missing));
    if (!extra.empty()) {
      if (!what.empty()) what += ", and the ";
      what += fmt::format("{} lacks {}", names_are_of, list_names(extra));
    }
    throw InvalidArgument(
        fmt::format("the features of {} ({}) and {} ({}) differ: the {}; both need the same: rename them, "
                    "leave out what is "
                    "too many (--drop), or take features by their position (--by-position)",
                    names_are_of, names.size(), domain_is, own.size(), what));
  }
  std::vector<Index> order;
  order.reserve(names.size());
  for (const std::string& name : names) order.push_back(place.at(name));
  domain.features = std::move(domain.features).reordered(order);
  domain.feature_names = names;
  return true;
}

}  // namespace isthmus
