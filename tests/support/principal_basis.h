#pragma once

#include <Eigen/Eigenvalues>

#include "isthmus/matrix.h"

namespace isthmus::testing {

/// The leading principal directions of samples about their mean, straight from the d×d scatter matrix.
inline Matrix principal_basis(const Matrix& samples, Index dimension) {
  const Matrix centred = samples.colwise() - samples.rowwise().mean();
  const Matrix scatter = centred * centred.transpose();
  return Eigen::SelfAdjointEigenSolver<Matrix>(scatter)
      .eigenvectors()
      .rightCols(dimension)
      .rowwise()
      .reverse();
}

}  // namespace isthmus::testing
