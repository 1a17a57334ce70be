#pragma once

#include <vector>

#include "isthmus/execution.h"
#include "isthmus/matrix.h"

namespace isthmus::linalg {

/// The nearest reference of each query: Euclidean, exact, ties to the lowest index; independent of block
/// size and thread count.
struct Nearest {
  std::vector<Index> index;
  Vector squared_distance;
};
Nearest nearest(MatrixView references, MatrixView queries, const Execution& run, Index block = 0);

/// Squared distances below have lost digits to underflow: only the search itself can tell them apart.
inline constexpr double kSmallestSquare = 0x1p-960;

/// References of each query, by their numbers, k×m.
using NeighbourIndex = Eigen::Matrix<Index, Eigen::Dynamic, Eigen::Dynamic>;

/// The k nearest references of each query, nearest first, ties to the lowest index.
struct Neighbours {
  NeighbourIndex index;
  Matrix squared_distance;  ///< k×m
};
/// With `exclude_self`, references and queries are the same samples and a sample is not its own neighbour.
///
/// Distances are compared as ‖r − q‖² summed feature by feature in double. Matrix products only sieve: they
/// drop what a bound on their rounding proves to be farther. A squared distance beyond double is reported as
/// infinite, one below as zero, yet both are still ordered by their true size. Throws InvalidArgument when k
/// is not in 1 … number of references, NumericalError when a value is not finite.
///
/// `near` may hold what a search of the same shape found for these samples elsewhere, say in an embedding
/// that differs little: what is nearer than these is found faster. It never changes the result.
Neighbours nearest_k(MatrixView references, MatrixView queries, Index k, bool exclude_self,
                     const Execution& run, Index block = 0, const NeighbourIndex* near = nullptr);

}  // namespace isthmus::linalg
