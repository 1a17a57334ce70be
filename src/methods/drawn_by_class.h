#pragma once

#include <random>
#include <vector>

#include "isthmus/matrix.h"

namespace isthmus {

/// About `wanted` of the samples with these labels, ascending: the classes keep their shares, and each has at
/// least two where it can.
std::vector<Index> drawn_by_class(const std::vector<int>& labels, int class_count, Index wanted,
                                  std::mt19937_64& engine);

}  // namespace isthmus
