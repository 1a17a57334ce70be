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

/// acosh t with t = 2(value/cut)² − 1: the Chebyshev polynomial of degree m, within ±1 up to `cut`, is
/// cosh(m·acosh t) at a singular value above it.
double chebyshev_rate(double value, double cut) {
  constexpr double kSlowest = 1e-3;
  const double t = 2.0 * (value / cut) * (value / cut) - 1.0;
  return t > 1 ? std::max(std::acosh(t), kSlowest) : kSlowest;
}

/// The degree that should bring the error of the first `rank` triplets below the goal.
int filter_degree(const Vector& values, Index rank, double error, double goal) {
  constexpr double kMostDegree = 6;
  // Leading directions grow most and drown the others; what is left of these must stay above rounding.
  const double kMostGrowth = std::log(1e12);
  const double cut = values[values.size() - 1];
  if (!(cut > 0)) return 1;
  const double needed = std::acosh(std::max(2.0 * error / goal, 1.0));
  const double wanted = std::ceil(needed / chebyshev_rate(values[std::max<Index>(rank, 1) - 1], cut));
  const double allowed = std::floor(kMostGrowth / chebyshev_rate(values[0], cut));
  return static_cast<int>(std::clamp(std::min(wanted, allowed), 1.0, kMostDegree));
}

/// T_degree(2XᵀX/cut² − 1) V for the right Ritz vectors V, where w = XᵀU: grows what lies above the last Ritz
/// value, cut, by more than as many power steps do. (Reached a tolerance of 1e-6 in half as many products,
/// and with fewer bases in between, where singular values fall slowly.)
Matrix chebyshev_filter(const MatrixView& x, const Svd& ritz, Matrix w, int degree, int threads) {
  const double cut = ritz.values[ritz.values.size() - 1];
  // A last value that is rounding only: the power step is the limit of the first polynomial.
  if (!(cut > 1e-12 * ritz.values[0])) return w;
  const double scale = 2.0 / (cut * cut);
  Matrix before = ritz.v;
  Matrix now = w * (scale * ritz.values).asDiagonal();
  now -= before;
  for (int m = 2; m <= degree; ++m) {
    const Matrix image = multiply(x, now, threads);
    // before ← 2(scale·XᵀX − 1) now − before
    before += 2.0 * now;
    gemm(Op::Transpose, Op::None, 2.0 * scale, x, image, -1.0, before, threads);
    before.swap(now);
  }
  return now;
}

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
    Matrix w = multiply_transposed(x, ritz.u, threads);
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
    const double unsettled = std::max(error, settled ? 0.0 : next);
    const int degree = filter_degree(ritz.values, rank, unsettled, goal);
    const double product = 4.0 * static_cast<double>(x.size()) * static_cast<double>(width);
    const double left = degree * std::max(forecast.iterations_left(unsettled, goal), 1.0);
    spent += product;
    if (spent + left * product > limits.flops) return {};
    spent += (degree - 1) * product;
    v = orthonormal_columns(chebyshev_filter(x, ritz, std::move(w), degree, threads), threads);
  }
  return {};
}

}  // namespace isthmus::linalg
