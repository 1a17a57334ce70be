#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "isthmus/adapt.h"

namespace isthmus {

/// Values to try, by option.
using OptionGrid = std::map<std::string, std::vector<std::string>>;
/// Which settings of a method are worth trying on a pair: dimensions up to what it allows, weights as
/// multiples of the method's defaults.
OptionGrid default_grid(std::string_view method, const DomainPair& pair);

/// Every combination of the values; the last option varies fastest. Options that `base` sets keep its values.
std::vector<AdaptRequest> expand_grid(const AdaptRequest& base, const OptionGrid& grid);

/// The methods whose default grids take no more than seconds a setting on a few thousand samples.
std::vector<std::string> quick_methods();

}  // namespace isthmus
