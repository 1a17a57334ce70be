#include "linalg/basis.h"

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
/// other are left to Householder, which fills up with other directions, and false is returned.
bool make_orthonormal(Matrix& y, int threads) {
  constexpr double kIllConditioned = 1e-5;
  normalize_columns(y);
  for (int pass = 0; pass < 2; ++pass) {
    Matrix factor = gram_transposed(y, threads);
    if (!cholesky_factor(factor) || factor.diagonal().minCoeff() < kIllConditioned) {
      y = orthonormal_basis(y);
      return false;
    }
    const BlasCall blas;
    const int rows = blas_size(y.rows());
    const int columns = blas_size(y.cols());
    const double one = 1.0;
    dtrsm_("R", "L", "T", "N", &rows, &columns, &one, factor.data(), &columns, y.data(), &rows);
  }
  return true;
}

}  // namespace

Matrix orthonormal_columns(Matrix y, int threads) {
  make_orthonormal(y, threads);
  return y;
}

// Where a pass took away no more than half of each column's square, what it left is orthogonal to the basis;
// of a block that adds next to nothing it leaves mostly rounding, which is not.
Matrix orthonormal_beside(MatrixView basis, Matrix block, int threads) {
  constexpr int kMostPasses = 5;
  constexpr double kHalf = 0.7;
  constexpr double kNothing = 1e-13;
  if (basis.cols() == 0) return orthonormal_columns(std::move(block), threads);
  normalize_columns(block);
  for (int pass = 0; pass < kMostPasses; ++pass) {
    const Matrix shares = multiply_transposed(basis, block, threads);
    const double taken = shares.colwise().norm().maxCoeff();
    if (pass > 0 && taken < kNothing) break;
    gemm(Op::None, Op::None, -1.0, basis, shares, 1.0, block, threads);
    if (make_orthonormal(block, threads) && taken < kHalf) break;
  }
  return block;
}

}  // namespace isthmus::linalg
