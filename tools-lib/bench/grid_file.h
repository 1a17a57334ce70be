#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "select/grid.h"

namespace isthmus {

/// Grids by method.
using MethodGrids = std::map<std::string, OptionGrid>;

/// Reads {"jda": {"components": [20, 100], "lambda": [0.01, 0.1]}, "nn": {}}; a value alone counts as a list
/// of one, a list within the list is one value ("20,50"). Throws IoError or InvalidArgument (with a
/// did-you-mean) naming the file and what is wrong.
MethodGrids read_grids(const std::filesystem::path& path);

}  // namespace isthmus
