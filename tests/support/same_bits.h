#pragma once

#include <cstring>

#include "isthmus/matrix.h"

namespace isthmus::testing {

/// Equal to the last bit, NaN and the sign of zero included.
inline bool same_bits(const Eigen::Ref<const Matrix>& a, const Eigen::Ref<const Matrix>& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
  for (Index j = 0; j < a.cols(); ++j) {
    for (Index i = 0; i < a.rows(); ++i) {
      const double left = a(i, j);
      const double right = b(i, j);
      if (std::memcmp(&left, &right, sizeof(double)) != 0) return false;
    }
  }
  return true;
}

}  // namespace isthmus::testing
