#pragma once

#include <Eigen/Core>

namespace isthmus {

using Index = Eigen::Index;

/// A feature matrix is d×n, column-major, one column per sample (as in the papers).
/// A C-ordered NumPy array of shape (n, d) is the same memory.
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

/// What functions take: binds to a Matrix, a block of columns or a mapped buffer without a copy.
using MatrixView = Eigen::Ref<const Matrix>;

}  // namespace isthmus
