#include "linalg/basis.h"

#include <algorithm>
#include <utility>

#include "linalg/blas.h"
#include "linalg/eigen.h"
#include "linalg/lapack.h"

namespace isthmus::linalg {

Matrix normal_matrix(Index rows, Index columns, std::mt19937_64& engine) {
  std::normal_distribution<double> normal;
  return Matrix::NullaryExpr(rows, columns, [&] { return normal(engine); });
}

namespace {

/// Makes the columns of y orthonormal by CholeskyQR2: two passes make up for the squared condition. The
/// columns come nearly orthogonal, so scaling them is most of the conditioning. Those that depend on each
/// other are left to Householder, which fills up with other directions. Returns how far they were from that:
/// the smallest length of what a column, of length 1, adds to those before it.
double make_orthonormal(Matrix& y, const Execution& run) {
  constexpr double kIllConditioned = 1e-5;
  double added = 1;
  normalize_columns(y);
  for (int pass = 0; pass < 2; ++pass) {
    Matrix factor = gram_transposed(y, run);
    if (!cholesky_factor(factor) || factor.diagonal().minCoeff() < kIllConditioned) {
      y = orthonormal_basis(y);
      return 0;
    }
    added = std::min(added, factor.diagonal().minCoeff());
    const BlasCall blas;
    const int rows = blas_size(y.rows());
    const int columns = blas_size(y.cols());
    const double one = 1.0;
    dtrsm_("R", "L", "T", "N", &rows, &columns, &one, factor.data(), &columns, y.data(), &rows);
  }
  return added;
}

}  // namespace

Matrix orthonormal_columns(Matrix y, const Execution& run) {
  make_orthonormal(y, run);
  return y;
}

// Where a pass took away no more than half of each column's square, and these were far from dependent, what
// it left is orthogonal to the basis. Of a block that adds next to nothing it leaves mostly rounding, which
// is not.
Matrix orthonormal_beside(MatrixView basis, Matrix block, const Execution& run) {
  constexpr int kMostPasses = 4;
  constexpr double kHalf = 0.7;
  constexpr double kFarFromDependent = 0.1;
  constexpr double kNothing = 1e-13;
  if (basis.cols() == 0) return orthonormal_columns(std::move(block), run);
  normalize_columns(block);
  for (int pass = 0; pass < kMostPasses; ++pass) {
    const Matrix shares = multiply_transposed(basis, block, run);
    const double taken = shares.colwise().norm().maxCoeff();
    if (pass > 0 && taken < kNothing) return block;
    gemm(Op::None, Op::None, -1.0, basis, shares, 1.0, block, run);
    if (make_orthonormal(block, run) > kFarFromDependent && taken < kHalf) return block;
  }
  // Rounding itself lies in the span of the basis, as where both have the same zeros.
  Matrix both(basis.rows(), basis.cols() + block.cols());
  both << basis, block;
  return orthonormal_basis(both).rightCols(block.cols());
}

}  // namespace isthmus::linalg
