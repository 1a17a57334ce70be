#pragma once

#include <cstdint>
#include <random>

#include "isthmus/matrix.h"

namespace isthmus::testing {

/// Standard normal entries; the same seed gives the same matrix.
inline Matrix random_matrix(Index rows, Index columns, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  return Matrix::NullaryExpr(rows, columns, [&] { return normal(engine); });
}

/// Symmetric positive definite, eigenvalues at least 1.
inline Matrix random_spd(Index size, std::uint64_t seed) {
  const Matrix factor = random_matrix(size, size, seed);
  return factor * factor.transpose() + Matrix::Identity(size, size);
}

}  // namespace isthmus::testing
