#include "linalg/svt_remainder.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "linalg/basis.h"
#include "linalg/blas.h"
#include "linalg/eigen.h"

namespace isthmus::linalg {
namespace {

constexpr Index kProbes = 16;
// The 1e-9 quantile of χ² with 16 degrees of freedom is above: P(χ² < 2y) < y⁸/8!, y = 0.282.
const double kLeastShare = std::sqrt(2.0 * 0.282);

double largest_singular_value(const Matrix& tall, const Execution& run) {
  const Vector squares = symmetric_eigen(gram_transposed(tall, run)).values;
  return std::sqrt(std::max(0.0, squares[squares.size() - 1]));
}

/// How many of the triplets to take away, what that leaves of the bound (γ), and where T begins to grow (c).
struct Deflation {
  Index count;
  double bound;
  double cut;
};

/// The more are taken away the smaller C is, and the less their residuals leave of the bound: the choice that
/// seems to leave most between the two. The next value tells about how large C is; any c would do.
Deflation choose_deflation(const RitzTriplets& known, Index kept, double bound) {
  constexpr double kSmallest = 1e-3;
  constexpr double kLargest = 0.97;
  const Index count = known.values.size();
  Deflation best{kept, bound, kLargest * bound};
  double lost = 0;  // share of bound²
  for (Index i = kept; i <= count && lost < 1; ++i) {
    const double left = bound * std::sqrt(1.0 - lost);
    const double rest = count == 0 ? left : known.values[std::min(i, count - 1)];
    const double cut = std::clamp(rest, kSmallest * left, kLargest * left);
    if (left / cut > best.bound / best.cut) best = {i, left, cut};
    if (i == count) break;
    const double share = known.values[i] / bound;
    const double residual = known.residuals.col(i).norm() / bound;
    lost += share < 1 ? residual * residual / (1.0 - share * share) : 1.0;
  }
  return best;
}

/// C = (I − UUᵀ)X(I − VVᵀ), multiplied from either side.
class Remainder {
 public:
  Remainder(const MatrixView& x, const RitzTriplets& known, Index count, const Execution& run)
      : x_(x), u_(known.u.leftCols(count)), v_(known.v.leftCols(count)), run_(run) {}

  /// (I − VVᵀ) y.
  Matrix beside_right(Matrix y) const { return beside(v_, std::move(y)); }
  /// C y for y orthogonal to V.
  Matrix times(const Matrix& y) const { return beside(u_, multiply(x_, y, run_)); }
  /// Cᵀ y for y orthogonal to U.
  Matrix transposed_times(const Matrix& y) const { return beside(v_, multiply_transposed(x_, y, run_)); }

 private:
  Matrix beside(const MatrixView& basis, Matrix y) const {
    if (basis.cols() == 0) return y;
    const Matrix shares = multiply_transposed(basis, y, run_);
    gemm(Op::None, Op::None, -1.0, basis, shares, 1.0, y, run_);
    return y;
  }

  const MatrixView& x_;
  MatrixView u_;
  MatrixView v_;
  Execution run_;
};

}  // namespace

Matrix unseen_directions(const MatrixView& x, const RitzTriplets& known, Index kept, double bound,
                         std::mt19937_64& engine, const Execution& run) {
  constexpr int kMostDegree = 30;
  // What falls by less in two products does not get there.
  constexpr double kSlow = 0.85;
  const auto none = [&] { return Matrix(x.cols(), 0); };
  const Deflation chosen = choose_deflation(known, kept, bound);
  const Remainder remainder(x, known, chosen.count, run);
  // The square first: most singular values are far below the largest, and T alone would not make them
  // smaller.
  Matrix now =
      remainder.times(remainder.beside_right(normal_matrix(x.cols(), kProbes, engine))) / chosen.bound;
  if (largest_singular_value(now, run) <= kLeastShare) return none();
  now = remainder.transposed_times(now) / chosen.bound;
  double share = largest_singular_value(now, run);
  Matrix last;
  double share_before = share;  // two products ago
  for (int degree = 1; share > kLeastShare; ++degree) {
    const bool odd = degree % 2 == 1;
    Matrix next = odd ? remainder.times(now) : remainder.transposed_times(now);
    next *= (degree == 1 ? 1.0 : 2.0) / chosen.cut;
    if (degree > 1) next -= last;
    last = std::exchange(now, std::move(next));
    const double grown = std::cosh(degree * std::acosh(chosen.bound / chosen.cut));
    const double before = std::exchange(share_before, share);
    share = largest_singular_value(now, run) / grown;
    if (!std::isfinite(share) || degree == kMostDegree || (degree > 2 && share > kSlow * before))
      return odd ? remainder.transposed_times(now) : now;
  }
  return none();
}

}  // namespace isthmus::linalg
