#include "linalg/svt_subspace.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "isthmus/errors.h"
#include "linalg/lapack.h"

namespace isthmus::linalg {
namespace {

constexpr int kMostIterations = 500;

/// Orthonormal basis of the columns of y by CholeskyQR2: two passes make up for the squared condition. The
/// columns come nearly orthogonal, so scaling them is most of the conditioning; Householder for the rest.
Matrix orthonormal_columns(Matrix y, int threads) {
  constexpr double kIllConditioned = 1e-5;
  normalize_columns(y);
  for (int pass = 0; pass < 2; ++pass) {
    Matrix factor = gram_transposed(y, threads);
    if (!cholesky_factor(factor) || factor.diagonal().minCoeff() < kIllConditioned)
      return orthonormal_basis(y);
    const BlasCall blas;
    const int rows = blas_size(y.rows());
    const int columns = blas_size(y.cols());
    const double one = 1.0;
    dtrsm_("R", "L", "T", "N", &rows, &columns, &one, factor.data(), &columns, y.data(), &rows);
  }
  return y;
}

/// SVD of y m×l, l ≤ m, through its orthonormal basis: no squares of singular values anywhere.
Svd tall_svd(const Matrix& y, int threads) {
  const Matrix basis = orthonormal_columns(y, threads);
  Svd small = thin_svd(multiply_transposed(basis, y, threads));
  small.u = multiply(basis, small.u, threads);
  return small;
}

Matrix append_columns(const Matrix& left, const Matrix& right) {
  Matrix both(left.rows(), left.cols() + right.cols());
  both << left, right;
  return both;
}

/// Foresees from the residuals at one width how many more iterations are needed; says 0 while they are too
/// few.
class Forecast {
 public:
  void reset() { seen_ = 0; }
  double iterations_left(double residual, double goal) {
    constexpr int kEnough = 3;
    const double rate = residual / std::exchange(last_, residual);
    if (++seen_ < kEnough || residual <= goal) return 0.0;
    return rate < 1 ? std::log(goal / residual) / std::log(rate) : std::numeric_limits<double>::infinity();
  }

 private:
  double last_ = 0;
  int seen_ = 0;
};

}  // namespace

Matrix normal_matrix(Index rows, Index columns, std::mt19937_64& engine) {
  std::normal_distribution<double> normal;
  return Matrix::NullaryExpr(rows, columns, [&] { return normal(engine); });
}

Index subspace_width(Index rank) {
  return rank + std::max<Index>(16, rank / 4);
}

Svd restricted_svd(Op op, MatrixView x, const Matrix& v, int threads) {
  const Matrix y = op == Op::None ? multiply(x, v, threads) : multiply_transposed(x, v, threads);
  if (!y.allFinite())
    throw NumericalError("singular value thresholding: the matrix holds NaN or infinite values");
  Svd svd = tall_svd(y, threads);
  svd.v = multiply(v, svd.v, threads);
  return svd;
}

SubspaceResult subspace_iteration(MatrixView x, double threshold, Matrix start, const SubspaceLimits& limits,
                                  std::mt19937_64& engine, int threads) {
  const Index smaller = std::min(x.rows(), x.cols());
  double spent = 0;
  Forecast forecast;
  Matrix v = orthonormal_columns(std::move(start), threads);
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    // X V = U Σ for the rotated V.
    Svd ritz = restricted_svd(Op::None, x, v, threads);
    const Index width = v.cols();
    const Index rank = (ritz.values.array() > threshold).count();
    if (width - rank < 4 + rank / 16 && width < smaller) {
      const Index wider = std::min(std::max(subspace_width(rank), width + width / 2), smaller);
      if (wider > limits.width) return {};
      forecast.reset();
      v = orthonormal_columns(append_columns(ritz.v, normal_matrix(x.cols(), wider - width, engine)),
                              threads);
      continue;
    }
    // Of the kept triplets XᵀU − VΣ bounds the error of Z. The first one not kept must not be about to pass
    // the threshold.
    const Matrix w = multiply_transposed(x, ritz.u, threads);
    const double goal = limits.tolerance * std::max(ritz.values[0], threshold);
    const auto residual = [&](Index i) { return w.col(i) - ritz.values[i] * ritz.v.col(i); };
    double error = 0;
    for (Index i = 0; i < rank; ++i) error = std::hypot(error, residual(i).norm());
    const double next = rank < width ? residual(rank).norm() : 0.0;
    const bool settled = rank == width || ritz.values[rank] + next <= threshold || next <= goal;
    if (error <= goal && settled) {
      // W = XᵀU is one step further for free: XᵀU' = V'Σ'.
      Svd better = tall_svd(w, threads);
      return {true, {multiply(ritz.u, better.v, threads), std::move(better.values), std::move(better.u)}};
    }
    const double cost = 4.0 * static_cast<double>(x.size()) * static_cast<double>(width);
    spent += cost;
    const double left = forecast.iterations_left(std::max(error, settled ? 0.0 : next), goal);
    if (spent + left * cost > limits.flops) return {};
    v = orthonormal_columns(w, threads);
  }
  return {};
}

}  // namespace isthmus::linalg
