#include "linalg/svt_subspace.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "isthmus/errors.h"
#include "linalg/basis.h"
#include "linalg/svt_remainder.h"

namespace isthmus::linalg {
namespace {

/// SVD of y m×l, l ≤ m, through its orthonormal basis: no squares of singular values anywhere.
Svd tall_svd(const Matrix& y, const Execution& run) {
  const Matrix basis = orthonormal_columns(y, run);
  Svd small = thin_svd(multiply_transposed(basis, y, run));
  small.u = multiply(basis, small.u, run);
  return small;
}

/// Orthonormal U and V with X V = U B, grown block by block, and W = XᵀU. The singular triplets of B are the
/// best that V holds of X.
class KrylovSpace {
 public:
  KrylovSpace(const MatrixView& x, const Execution& run) : x_(x), run_(run) {}

  Index size() const { return size_; }
  /// Columns still to be had.
  Index room() const { return std::min(x_.rows(), x_.cols()) - size_; }
  bool in_single() const { return single_.size() > 0; }

  /// Products in single precision from now on: half the time, and about 1e-7 of the largest singular value as
  /// error. Divided by that value first, so that single precision can hold any matrix.
  void go_single(double largest) {
    scale_ = largest;
    single_ = (x_ / largest).cast<float>();
  }

  /// Starts again, in double precision.
  void clear() {
    size_ = 0;
    b_.setZero();
    single_.resize(0, 0);
  }

  /// Adds to V what it lacks of the block's columns.
  void append(Matrix block) {
    const Index count = block.cols();
    reserve(size_ + count);
    newest_ = size_;
    v_.middleCols(newest_, count) = orthonormal_beside(v_.leftCols(newest_), std::move(block), run_);
    const Matrix image = times(Op::None, v_.middleCols(newest_, count));
    if (!image.allFinite())
      throw NumericalError("singular value thresholding: the matrix holds NaN or infinite values");
    u_.middleCols(newest_, count) = orthonormal_beside(u_.leftCols(newest_), image, run_);
    size_ += count;
    b_.block(0, newest_, size_, count) = multiply_transposed(u_.leftCols(size_), image, run_);
    w_.middleCols(newest_, count) = times(Op::Transpose, u_.middleCols(newest_, count));
  }

  /// Adds `blocks` blocks, each what V lacks of XᵀX times the one before.
  void extend(Matrix block, int blocks) {
    for (int i = 0; i < blocks && room() > 0; ++i) {
      if (i > 0) block = newest_missing();
      append(block.leftCols(std::min(block.cols(), room())));
    }
  }

  /// Singular triplets of B. (Through the eigenproblem of BᵀB it would take half as long beyond 200 columns,
  /// but small values would lose their left vectors.)
  Svd small() const { return thin_svd(b_.topLeftCorner(size_, size_)); }

  /// W times the first left vectors of B: VΣ after one more half step.
  Matrix half_step(const Svd& small, Index count) const {
    return multiply(w_.leftCols(size_), small.u.leftCols(count), run_);
  }

  /// XᵀU − VΣ for the first triplets; XV − UΣ is zero.
  Matrix residuals(const Svd& small, Index count) const {
    Matrix r = half_step(small, count);
    const Matrix scaled = small.v.leftCols(count) * small.values.head(count).asDiagonal();
    gemm(Op::None, Op::None, -1.0, v_.leftCols(size_), scaled, 1.0, r, run_);
    return r;
  }

  /// The first triplets as they are, with their residuals.
  RitzTriplets ritz(const Svd& small, Matrix residuals) const {
    const Index count = residuals.cols();
    return {multiply(u_.leftCols(size_), small.u.leftCols(count), run_), small.values.head(count),
            multiply(v_.leftCols(size_), small.v.leftCols(count), run_), std::move(residuals)};
  }

  /// The first triplets after the half step: XᵀU' = V'Σ'.
  Svd triplets(const Svd& small, Index count) const {
    Svd better = tall_svd(half_step(small, count), run_);
    const Matrix turn = multiply(small.u.leftCols(count), better.v, run_);
    return {multiply(u_.leftCols(size_), turn, run_), std::move(better.values), std::move(better.u)};
  }

 private:
  /// W − VBᵀ for the newest block; B has zeros beside it.
  Matrix newest_missing() const {
    const Index count = size_ - newest_;
    Matrix rest = w_.middleCols(newest_, count);
    gemm(Op::None, Op::Transpose, -1.0, v_.middleCols(newest_, count),
         b_.block(newest_, newest_, count, count), 1.0, rest, run_);
    return rest;
  }

  /// op(X) right.
  Matrix times(Op op, const MatrixView& right) const {
    Matrix product(op == Op::None ? x_.rows() : x_.cols(), right.cols());
    if (in_single()) {
      Eigen::MatrixXf narrow(product.rows(), product.cols());
      gemm(op, Op::None, 1.0F, single_, right.cast<float>().eval(), 0.0F, narrow, run_);
      product = scale_ * narrow.cast<double>();
    } else {
      gemm(op, Op::None, 1.0, x_, right, 0.0, product, run_);
    }
    return product;
  }

  void reserve(Index columns) {
    if (columns <= v_.cols()) return;
    const Index capacity = std::max(columns, 2 * v_.cols());
    v_.conservativeResize(x_.cols(), capacity);
    w_.conservativeResize(x_.cols(), capacity);
    u_.conservativeResize(x_.rows(), capacity);
    b_.conservativeResizeLike(Matrix::Zero(capacity, capacity));
  }

  const MatrixView& x_;
  Execution run_;
  Eigen::MatrixXf single_;  // X / scale, where products are in single precision
  double scale_ = 1;
  Index size_ = 0;
  Index newest_ = 0;  // where the last block begins
  Matrix v_, u_, w_;  // columns beyond size_ are room to grow
  Matrix b_;          // zero below its blocks
};

/// The directions in which the columns of r are longest, without those shorter than `shortest`; at least one.
Matrix main_directions(const MatrixView& r, double shortest, const Execution& run) {
  const EigenPairs pairs = symmetric_eigen(gram_transposed(r, run));
  const Index count = (pairs.values.array() > shortest * shortest).count();
  return multiply(r, pairs.vectors.rightCols(std::max<Index>(count, 1)), run);
}

/// Foresees how many blocks bring the error down to the goal.
class Forecast {
 public:
  /// Blocks to add before the next look. At first by the Chebyshev polynomials that stay within ±1 up to the
  /// singular value `cut`, at the smallest value wanted; then by what the last blocks gained. That tends to
  /// rise, and a block too many costs more than a look.
  int blocks(double error, double goal, double value, double cut) {
    constexpr double kCaution = 0.7;
    constexpr double kMostBlocks = 3;
    constexpr double kSlowest = 0.1;
    const double share = cut > 0 ? value / cut : std::numeric_limits<double>::infinity();
    const double t = 2.0 * share * share - 1.0;
    const double gain =
        last_error_ > 0 ? std::log(last_error_ / error) / blocks_ : std::acosh(std::max(t, 1.0));
    last_error_ = error;
    const double wanted = kCaution * std::log(error / goal) / std::max(gain, kSlowest);
    blocks_ = static_cast<int>(std::clamp(wanted, 1.0, kMostBlocks));
    return blocks_;
  }

  /// Whether the last blocks gained next to nothing.
  bool stuck(double error) const { return last_error_ > 0 && error > 0.5 * last_error_; }
  void reset() { last_error_ = 0; }

 private:
  double last_error_ = 0;
  int blocks_ = 1;
};

/// How well a space holds the triplets above the threshold.
struct Look {
  Svd small;         // triplets of B
  Index rank;        // of them above the threshold
  Matrix residuals;  // XᵀU − VΣ of these and some more
  double goal;       // what the error may be
  bool settled;      // the first triplet not kept is not about to pass the threshold
  double error;      // of Z, bounded by the residuals of the kept triplets

  Look(const KrylovSpace& space, double threshold, double tolerance)
      : small(space.small()),
        rank((small.values.array() > threshold).count()),
        residuals(space.residuals(small, std::min(subspace_width(rank), space.size()))),
        goal(tolerance * std::max(small.values[0], threshold)) {
    const double next = rank < space.size() ? residuals.col(rank).norm() : 0.0;
    settled = rank == space.size() || small.values[rank] + next <= threshold || next <= goal;
    error = std::max(residuals.leftCols(rank).norm(), settled ? 0.0 : next);
  }

  /// What the space lacks for the triplets that are wanted, or may be.
  Matrix missing(const Execution& run) const {
    const Index wanting = settled ? rank : residuals.cols();
    const double negligible = 0.1 * goal / std::sqrt(static_cast<double>(wanting));
    return main_directions(residuals.leftCols(wanting), negligible, run);
  }

  /// Whether there may be triplets that the space cannot see: of a singular value that several share it finds
  /// no more than it started with columns; and where nearly all it has is kept, no guard is left.
  bool may_be_blind() const {
    constexpr Index kMany = 8;
    if (small.values.size() - rank < 4 + rank / 16) return true;
    for (Index i = 0; i + kMany <= rank; ++i) {
      if (small.values[i] - small.values[i + kMany - 1] <= goal) return true;
    }
    return false;
  }
};

}  // namespace

Index subspace_width(Index rank) {
  return rank + std::max<Index>(16, rank / 4);
}

Svd restricted_svd(Op op, MatrixView x, const Matrix& v, const Execution& run) {
  const Matrix y = op == Op::None ? multiply(x, v, run) : multiply_transposed(x, v, run);
  if (!y.allFinite())
    throw NumericalError("singular value thresholding: the matrix holds NaN or infinite values");
  Svd svd = tall_svd(y, run);
  svd.v = multiply(v, svd.v, run);
  return svd;
}

SubspaceResult krylov_triplets(MatrixView x, double threshold, Matrix start, const SubspaceLimits& limits,
                               SubspaceRandomness& random, const Execution& run) {
  // Single precision holds what is asked for down to here, and pays where the goal is blocks away.
  constexpr double kFinestSingle = 1e-7;
  constexpr double kFar = 1e4;
  // How near to the goal it goes, times the goal: the step in double that follows gains more than that.
  constexpr double kSingleGoal = 10;
  KrylovSpace space(x, run);
  Forecast forecast;
  Index searched = -1;   // the rank at which random columns were added last
  bool refined = false;  // the space began with what single precision had found
  space.append(std::move(start));
  for (;;) {
    const Look now(space, threshold, (space.in_single() ? kSingleGoal : 1.0) * limits.tolerance);
    const Index size = space.size();
    const bool converged = now.error <= now.goal || space.room() == 0;
    const bool done = converged || (space.in_single() && now.settled && forecast.stuck(now.error));
    Matrix block;
    int blocks = 2;
    if (done && space.room() > 0 && !refined && now.rank != searched && now.may_be_blind()) {
      searched = now.rank;
      block = normal_matrix(x.cols(), std::max(subspace_width(now.rank) - size, size / 2), random.starts);
      forecast.reset();
    } else if (done && space.in_single()) {
      Matrix found = space.half_step(now.small, std::min(now.rank + 4, size));
      space.clear();
      space.append(std::move(found));
      forecast.reset();
      refined = true;
      continue;
    } else if (converged) {
      // With no room left U or V spans everything, and all triplets are exact.
      if (space.room() == 0) return {true, space.triplets(now.small, size)};
      block = unseen_directions(x, space.ritz(now.small, now.residuals), now.rank, threshold + now.goal,
                                random.tests, run);
      if (block.cols() == 0) return {true, space.triplets(now.small, now.residuals.cols())};
      blocks = 1;
      forecast.reset();
    } else {
      if (!refined && !space.in_single() && limits.tolerance >= kFinestSingle &&
          now.error > kFar * now.goal && now.small.values[0] > 0)
        space.go_single(now.small.values[0]);
      const Vector& values = now.small.values;
      blocks =
          forecast.blocks(now.error, now.goal, values[std::max<Index>(now.rank, 1) - 1], values[size - 1]);
      block = now.missing(run);
    }
    if (size + std::min(blocks * block.cols(), space.room()) > limits.width) return {};
    space.extend(std::move(block), blocks);
  }
}

}  // namespace isthmus::linalg
