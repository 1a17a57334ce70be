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
Nearest nearest(MatrixView references, MatrixView queries, const Execution& run = {}, Index block = 0);

/// Squared distances below have lost digits to underflow: only the search itself can tell them apart.
inline constexpr double kSmallestSquare = 0x1p-960;

/// The k nearest references of each query, nearest first, ties to the lowest index.
struct Neighbours {
  Eigen::Matrix<Index, Eigen::Dynamic, Eigen::Dynamic> index;  ///< k×m
  Matrix squared_distance;                                     ///< k×m
};
/// With `exclude_self`, references and queries are the same samples and a sample is not its own neighbour.
///
/// Distances are compared as ‖r − q‖² summed feature by feature in double. Matrix products only sieve: they
/// drop what a bound on their rounding proves to be farther. A squared distance beyond double is reported as
/// infinite, one below as zero, yet both are still ordered by their true size. Throws InvalidArgument when k
/// is not in 1 … number of references, NumericalError when a value is not finite.
Neighbours nearest_k(MatrixView references, MatrixView queries, Index k, bool exclude_self,
                     const Execution& run = {}, Index block = 0);

}  // namespace isthmus::linalg
