#include "linalg/lanczos.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "linalg/basis.h"
#include "linalg/blas.h"

namespace isthmus::linalg {
namespace {

constexpr double kLargestResidual = 1e-12;  // of the pairs as they are measured in the end

/// Columns to have before the next look: by what the error fell since the last, at least an eighth more, at
/// most half as many again.
Index next_size(Index size, double error, Index last_size, double last_error, double goal) {
  const double columns = static_cast<double>(size);
  double wanted = columns / 2;
  if (last_size > 0 && error < last_error) {
    const double rate = std::log(last_error / error) / static_cast<double>(size - last_size);
    wanted = std::log(error / goal) / rate;
  }
  return size + static_cast<Index>(std::clamp(wanted, columns / 8, columns / 2));
}

/// Whether `many` of the values or more are equal, with smaller ones after them.
bool many_equal(const Vector& descending, Index many, double apart) {
  const double last = descending[descending.size() - 1];
  for (Index i = 0; i + many < descending.size(); ++i) {
    if (descending[i] - descending[i + many - 1] <= apart && descending[i] - last > apart) return true;
  }
  return false;
}

/// Whether the pairs are those of `a` to rounding, whose largest eigenvalue in magnitude is `scale`.
bool are_eigen_pairs(const EigenPairs& pairs, const MatrixView& a, double scale, const Execution& run) {
  const Index k = pairs.values.size();
  const Matrix residuals = multiply(a, pairs.vectors, run) - pairs.vectors * pairs.values.asDiagonal();
  const Matrix skew = gram_transposed(pairs.vectors, run) - Matrix::Identity(k, k);
  return (residuals / scale).colwise().norm().maxCoeff() <= kLargestResidual &&
         skew.cwiseAbs().maxCoeff() <= kLargestResidual;
}

}  // namespace

std::optional<EigenPairs> lanczos_largest(MatrixView a, Index k, const Execution& run) {
  // Columns multiplied at once: enough for full speed, few enough that the sequence is long. 32 took 1.3
  // times as many columns in all where the values fall slowly.
  constexpr Index kBlock = 16;
  // Beyond this share of the order LAPACK is as fast.
  constexpr double kMostShare = 0.4;
  constexpr double kGoal = 1e-13;  // for the residuals as the space foretells them
  const Index n = a.rows();
  const Index most = static_cast<Index>(kMostShare * static_cast<double>(n));
  Index look = 2 * k + kBlock;
  if (k < 1 || look > most) return std::nullopt;
  std::mt19937_64 engine(1);
  Matrix block = normal_matrix(n, kBlock, engine);
  Matrix v(n, 0);     // orthonormal; columns beyond `size` are room to grow
  Matrix projection;  // VᵀAV
  Index size = 0;
  Index last_size = 0;
  double last_error = 0;
  while (size + kBlock <= most) {
    if (v.cols() < size + kBlock) {
      const Index capacity = std::min(most, 2 * (size + kBlock));
      v.conservativeResize(n, capacity);
      projection.conservativeResizeLike(Matrix::Zero(capacity, capacity));
    }
    v.middleCols(size, kBlock) = orthonormal_beside(v.leftCols(size), std::move(block), run);
    block = multiply(a, v.middleCols(size, kBlock), run);
    if (!block.allFinite()) return std::nullopt;
    // Of VᵀAV only the last two blocks of a column are more than rounding.
    const Index first = std::max<Index>(size - kBlock, 0);
    size += kBlock;
    const auto near = v.middleCols(first, size - first);
    const Matrix shares = multiply_transposed(near, block, run);
    projection.block(first, size - kBlock, size - first, kBlock) = shares;
    projection.block(size - kBlock, first, kBlock, size - first) = shares.transpose();
    gemm(Op::None, Op::None, -1.0, near, shares, 1.0, block, run);
    if (size < look && size + kBlock <= most) continue;

    // A V = V T + [0 … 0 block]: the residual of a Ritz vector is the block times its last entries.
    const EigenPairs ritz = symmetric_eigen(projection.topLeftCorner(size, size));
    const Vector values = ritz.values.tail(k).reverse();
    const double scale = ritz.values.cwiseAbs().maxCoeff();
    if (!(scale > 0)) return std::nullopt;
    const Matrix chosen = ritz.vectors.rightCols(k).rowwise().reverse();
    const double error = multiply(block / scale, chosen.bottomRows(kBlock), run).colwise().norm().maxCoeff();
    if (error > kGoal) {
      look = next_size(size, error, last_size, last_error, kGoal);
      last_size = size;
      last_error = error;
      continue;
    }
    if (many_equal(values, kBlock, kLargestResidual * scale)) return std::nullopt;
    EigenPairs pairs{values, multiply(v.leftCols(size), chosen, run)};
    return are_eigen_pairs(pairs, a, scale, run) ? std::optional(std::move(pairs)) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace isthmus::linalg
