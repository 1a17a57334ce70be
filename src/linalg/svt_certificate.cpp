#include <algorithm>
#include <cmath>
#include <utility>

#include "linalg/basis.h"
#include "linalg/blas.h"
#include "linalg/eigen.h"
#include "linalg/svt.h"

namespace isthmus::linalg {
namespace {

/// Room for rounding, relative to the largest singular value of x.
constexpr double kSlack = 1e-9;

/// (I − QQᵀ) w.
Vector project_out(const Matrix& q, Vector w) {
  w -= q * (q.transpose() * w);
  return w;
}

}  // namespace

double remainder_norm(MatrixView x, const LowRank& z, int steps, std::mt19937_64& engine) {
  // Lanczos on RᵀR, R = (I − UUᵀ) X (I − VVᵀ), with full reorthogonalisation: a few steps only.
  Matrix basis(x.cols(), steps);
  Matrix tridiagonal = Matrix::Zero(steps, steps);
  Vector w = project_out(z.v, normal_matrix(x.cols(), 1, engine));
  double scale = w.norm();
  Index used = 0;
  while (used < steps && w.norm() > 1e-12 * scale) {
    basis.col(used) = w / w.norm();
    const Vector image = project_out(z.u, x * basis.col(used));
    w = project_out(z.v, x.transpose() * image);
    scale = std::max(used == 0 ? 0.0 : scale, w.norm());
    tridiagonal(used, used) = image.squaredNorm();
    ++used;
    for (int pass = 0; pass < 2; ++pass) w = project_out(basis.leftCols(used), std::move(w));
    if (used < steps) tridiagonal(used, used - 1) = w.norm();
  }
  if (used == 0) return 0.0;
  return std::sqrt(std::max(0.0, symmetric_eigen(tridiagonal.topLeftCorner(used, used)).values[used - 1]));
}

bool certify_threshold(MatrixView x, const LowRank& z, double threshold, const Execution& run) {
  const double scale = threshold + (z.rank() > 0 ? z.values[0] : 0.0);
  const double slack = kSlack * scale;
  if (z.rank() > 0) {
    const auto skew = [&](const Matrix& q) {
      const Matrix gram = gram_transposed(q, run);
      return (gram - Matrix::Identity(gram.rows(), gram.cols())).norm();
    };
    if (!(std::max(skew(z.u), skew(z.v)) <= kSlack)) return false;
    // X V = U (S + threshold), Xᵀ U = V (S + threshold).
    const Vector sigma = z.values.array() + threshold;
    const double left = (multiply(x, z.v, run) - z.u * sigma.asDiagonal()).norm();
    const double right = (multiply_transposed(x, z.u, run) - z.v * sigma.asDiagonal()).norm();
    if (!(std::max(left, right) <= slack)) return false;
  }
  constexpr int kSteps = 8;
  std::mt19937_64 engine(0);
  if (!(remainder_norm(x, z, kSteps, engine) <= threshold + slack)) return false;

  Matrix rest = x;
  const Matrix scaled = z.u * z.values.asDiagonal();
  gemm(Op::None, Op::Transpose, -1.0, scaled, z.v, 1.0, rest, run);
  Matrix gap = rest.rows() < rest.cols() ? gram(rest, run) : gram_transposed(rest, run);
  gap *= -1.0;
  gap.diagonal().array() += (threshold + slack) * (threshold + slack);
  return cholesky_factor(gap);
}

}  // namespace isthmus::linalg
