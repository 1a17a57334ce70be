#pragma once

#include <Eigen/QR>

#include "isthmus/matrix.h"

namespace isthmus::testing {

/// Sine of the largest principal angle between the spans.
inline double subspace_distance(const Matrix& a, const Matrix& b) {
  const Matrix qa = Eigen::HouseholderQR<Matrix>(a).householderQ() * Matrix::Identity(a.rows(), a.cols());
  const Matrix qb = Eigen::HouseholderQR<Matrix>(b).householderQ() * Matrix::Identity(b.rows(), b.cols());
  return (qa - qb * (qb.transpose() * qa)).norm();
}

}  // namespace isthmus::testing
