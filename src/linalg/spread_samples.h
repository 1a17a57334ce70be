#pragma once

#include <random>
#include <vector>

#include "isthmus/execution.h"
#include "isthmus/matrix.h"

namespace isthmus::linalg {

/// `count` of the columns, spread out by D² sampling (the start of k-means++): each next one is drawn
/// with a probability proportional to its squared distance from those drawn before; copies of drawn ones come
/// last. In drawing order. Expects count ≤ columns.
std::vector<Index> spread_samples(MatrixView samples, Index count, std::mt19937_64& engine,
                                  const Execution& run);

/// `count` different numbers out of 0 … total − 1, ascending; all of them when there are no more.
std::vector<Index> random_subset(Index total, Index count, std::mt19937_64& engine);

}  // namespace isthmus::linalg
