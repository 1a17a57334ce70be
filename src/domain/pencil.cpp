#include "domain/pencil.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "isthmus/errors.h"
#include "linalg/blas.h"
#include "linalg/eigen.h"

namespace isthmus {
namespace {

/// Orthonormal Q and s > 0 with U Uᵀ = Q diag(s) Qᵀ.
struct LowRank {
  Matrix basis;
  Vector values;
};

LowRank decompose(const MatrixView& factors) {
  if (factors.cols() == 0) return {Matrix(factors.rows(), 0), Vector(0)};
  const linalg::Svd svd = linalg::thin_svd(factors);
  const double floor = std::numeric_limits<double>::epsilon() * svd.values[0];
  const Index rank = (svd.values.array() > floor).count();
  return {svd.u.leftCols(rank), svd.values.head(rank).cwiseAbs2()};
}

double largest_residual(const MatrixView& left, const Matrix& left_vectors, const Matrix& right_vectors,
                        const PencilSolution& solution) {
  const double scale = left.norm();
  double largest = 0;
  for (Index j = 0; j < solution.vectors.cols() && scale > 0; ++j) {
    const double norm = (left_vectors.col(j) - solution.values[j] * right_vectors.col(j)).norm();
    largest = std::max(largest, norm / (scale * solution.vectors.col(j).norm()));
  }
  return largest;
}

}  // namespace

PencilSolution largest_of_low_rank_pencil(MatrixView left, MatrixView factors, double ridge, Index k,
                                          const Execution& run) {
  if (!(ridge > 0)) throw InvalidArgument(fmt::format("the ridge λ is {}; expected more than 0", ridge));
  const LowRank low = decompose(factors);
  const Vector shrink = (ridge / (low.values.array() + ridge)).sqrt() - 1.0;  // the diagonal of D

  // (I + QDQᵀ) L (I + QDQᵀ) = L + Q Yᵀ + Y Qᵀ with Y = LQD + ½ Q D(QᵀLQ)D.
  Matrix reduced = left;
  if (low.basis.cols() > 0) {
    const Matrix image = linalg::multiply(left, low.basis, run) * shrink.asDiagonal();
    const Matrix inner = shrink.asDiagonal() * linalg::multiply_transposed(low.basis, image, run);
    const Matrix update = image + 0.5 * linalg::multiply(low.basis, inner, run);
    linalg::gemm(linalg::Op::None, linalg::Op::Transpose, 1.0, low.basis, update, 1.0, reduced, run);
    linalg::gemm(linalg::Op::None, linalg::Op::Transpose, 1.0, update, low.basis, 1.0, reduced, run);
  }
  linalg::EigenPairs top = linalg::largest_eigen(reduced, k, run);

  PencilSolution solution{top.values / ridge, std::move(top.vectors), 0.0};
  const Matrix shrunk = shrink.asDiagonal() * linalg::multiply_transposed(low.basis, solution.vectors, run);
  solution.vectors += linalg::multiply(low.basis, shrunk, run);
  solution.vectors /= std::sqrt(ridge);

  const Matrix left_vectors = linalg::multiply(left, solution.vectors, run);
  const Matrix right_vectors =
      ridge * solution.vectors +
      linalg::multiply(factors, linalg::multiply_transposed(factors, solution.vectors, run), run);
  solution.residual = largest_residual(left, left_vectors, right_vectors, solution);
  return solution;
}

PencilSolution largest_of_pencil(MatrixView left, MatrixView right, Index k) {
  linalg::EigenPairs top = linalg::generalized_largest_eigen(left, right, k);
  PencilSolution solution{std::move(top.values), std::move(top.vectors), 0.0};
  solution.residual = largest_residual(left, linalg::multiply(left, solution.vectors, 1),
                                       linalg::multiply(right, solution.vectors, 1), solution);
  return solution;
}

Matrix whitening_basis(MatrixView scatter, double tolerance) {
  const linalg::EigenPairs pairs = linalg::symmetric_eigen(scatter);
  const double floor = tolerance * std::max(pairs.values[pairs.values.size() - 1], 0.0);
  const Index rank = (pairs.values.array() > floor).count();
  return pairs.vectors.rightCols(rank) * pairs.values.tail(rank).cwiseSqrt().cwiseInverse().asDiagonal();
}

PencilSolution smallest_on_range(MatrixView a, MatrixView scatter, MatrixView whitening, Index k) {
  if (k > whitening.cols()) {
    throw InvalidArgument(
        fmt::format("{} directions wanted where the centred data has rank {}: ask for fewer components", k,
                    whitening.cols()));
  }
  const Matrix reduced = linalg::multiply_transposed(whitening, linalg::multiply(a, whitening, 1), 1);
  linalg::EigenPairs bottom = linalg::smallest_eigen(reduced, k);
  PencilSolution solution{std::move(bottom.values), linalg::multiply(whitening, bottom.vectors, 1), 0.0};
  // On range(S) only: the residual is taken in the whitened coordinates, where the right side is I.
  const Matrix right = linalg::multiply(scatter, solution.vectors, 1);
  const Matrix in_range = linalg::multiply_transposed(whitening, right, 1);
  const PencilSolution whitened{solution.values, in_range, 0.0};
  solution.residual = largest_residual(reduced, linalg::multiply(reduced, in_range, 1), in_range, whitened);
  return solution;
}

}  // namespace isthmus
