#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bench/method_spec.h"
#include "isthmus/adapt.h"

namespace isthmus {

/// Values to try, by option.
using OptionGrid = std::map<std::string, std::vector<std::string>>;
/// Grids by method.
using MethodGrids = std::map<std::string, OptionGrid>;

/// Which settings of a method are worth trying on a pair: dimensions up to what it allows, weights as
/// multiples of the method's defaults.
OptionGrid default_grid(std::string_view method, const DomainPair& pair);

/// Reads {"jda": {"components": [20, 100], "lambda": [0.01, 0.1]}, "nn": {}}; a value alone counts as a list
/// of one, a list within the list is one value ("20,50"). Throws IoError or InvalidArgument (with a
/// did-you-mean) naming the file and what is wrong.
MethodGrids read_grids(const std::filesystem::path& path);

/// Every combination of the values; the last option varies fastest. Options that `spec` sets keep its values.
std::vector<AdaptRequest> expand_grid(const MethodSpec& spec, const OptionGrid& grid,
                                      const Preprocessing& preprocessing);

/// The methods whose default grids take no more than seconds a setting on a few thousand samples.
std::vector<MethodSpec> quick_methods();

}  // namespace isthmus
