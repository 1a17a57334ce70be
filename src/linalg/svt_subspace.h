#pragma once

#include <cstdint>
#include <random>

#include "isthmus/execution.h"
#include "isthmus/matrix.h"
#include "linalg/blas.h"
#include "linalg/eigen.h"

namespace isthmus::linalg {

/// Columns to start a search for `rank` singular triplets with: the surplus sets its speed.
Index subspace_width(Index rank);

struct SubspaceLimits {
  Index width = 0;       ///< gives up where more columns are needed
  double tolerance = 0;  ///< residual of the triplets above the threshold, relative to the largest value
};

struct SubspaceResult {
  bool converged = false;
  Svd triplets;  ///< leading first, with some below the threshold; those above it have converged
};

/// Two streams, so that what a test draws changes no start.
struct SubspaceRandomness {
  explicit SubspaceRandomness(std::uint64_t seed) : starts(seed), tests(~seed) {}

  std::mt19937_64 starts;
  std::mt19937_64 tests;
};

/// The singular triplets of x above the threshold, from the columns of `start` (n×l, no more than
/// x has rows or columns).
/// Where these are not enough, the space grows by blocks of a Krylov sequence (block bidiagonalisation after
/// Golub and Kahan, with products in single precision as far as they carry) and all of it is used.
/// It ends when unseen_directions() finds no further value above the threshold and the tolerance.
SubspaceResult krylov_triplets(MatrixView x, double threshold, Matrix start, const SubspaceLimits& limits,
                               SubspaceRandomness& random, const Execution& run);

/// Singular triplets of op(x) restricted to the span of orthonormal columns v: op(x) V' = U diag(values).
Svd restricted_svd(Op op, MatrixView x, const Matrix& v, const Execution& run);

}  // namespace isthmus::linalg
