#pragma once

#include <vector>

#include "isthmus/execution.h"
#include "isthmus/matrix.h"
#include "ops/backend.h"

namespace isthmus::ops {

/// The nearest reference of each query: Euclidean, exact, ties to the lowest index; independent of block
/// size and thread count.
struct Nearest {
  std::vector<Index> index;
  Vector squared_distance;
};
Nearest nearest(MatrixView references, MatrixView queries, const Execution& run, Index block = 0);

/// ‖a − b‖² of two samples with d features, each operation rounded to double, in this order: the squares of
/// features i, i + 4, i + 8, … of all whole groups of four are summed for i = 0, 1, 2, 3; the third sum is
/// added to the first and the fourth to the second; two features that are left are added to one of these
/// each; then the two to each other; at last the square of a single feature that is left. Any backend can
/// repeat it to the byte.
double squared_distance(const double* a, const double* b, Index d);

/// Squared distances below have lost digits to underflow: only the search itself can tell them apart.
inline constexpr double kSmallestSquare = 0x1p-960;

/// The k nearest references of each query, nearest first, ties to the lowest index.
struct Neighbours {
  NeighbourIndex index;
  Matrix squared_distance;  ///< k×m
};
/// With `exclude_self`, references and queries are the same samples and a sample is not its own neighbour.
///
/// The backend of `run` proposes, by matrix products with a bound on their rounding, and drops what is proved
/// to be farther; who is nearest is decided here, by squared_distance(), for all backends alike. A squared
/// distance beyond double is reported as infinite, one below as zero, yet both are still ordered by their
/// true size. Throws InvalidArgument when k is not in 1 … number of references, NumericalError when a value
/// is not finite, Error when a backend's proposals cannot be what it promised.
///
/// `near` may hold what a search of the same shape found for these samples elsewhere, say in an embedding
/// that differs little: what is nearer than these is found faster. It never changes the result.
Neighbours nearest_k(MatrixView references, MatrixView queries, Index k, bool exclude_self,
                     const Execution& run, Index block = 0, const NeighbourIndex* near = nullptr);

}  // namespace isthmus::ops
