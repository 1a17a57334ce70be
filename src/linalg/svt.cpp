#include "linalg/svt.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "isthmus/errors.h"
#include "linalg/basis.h"
#include "linalg/blas.h"
#include "linalg/eigen.h"
#include "linalg/svt_subspace.h"

namespace isthmus::linalg {
namespace {

// Below this LAPACK's SVD costs next to nothing.
constexpr Index kSmall = 32;
// A subspace of more than this share of the smaller side costs more than the Gram matrix.
constexpr Index kWidestShare = 6;
// Nor does growing one pay beyond this share.
constexpr double kMostShare = 0.4;
// Random columns in every start, so that a direction the last call did not know can be found.
constexpr Index kFresh = 3;
// Singular values below this share of the largest lose their digits in the Gram matrix (ε·10⁸ of the
// largest).
constexpr double kSmallestByGram = 1e-4;
constexpr double kFullPrecision = 1e-11;

/// The triplets above the threshold, shrunk by it.
LowRank shrink(const Svd& svd, double threshold) {
  const Index rank = (svd.values.array() > threshold).count();
  return {svd.u.leftCols(rank), svd.values.head(rank).array() - threshold, svd.v.leftCols(rank)};
}

}  // namespace

Matrix LowRank::matrix(const Execution& run) const {
  const Matrix scaled = u * values.asDiagonal();
  return multiply_by_transpose(scaled, v, run);
}

SingularValueThresholder::SingularValueThresholder(std::uint64_t seed, SvtPath path, double tolerance)
    : random_(seed), path_(path), tolerance_(tolerance) {}

Index SingularValueThresholder::width() const {
  return subspace_width(rank_) + extra_;
}

void SingularValueThresholder::widen() {
  extra_ += width();
}

SvtPath SingularValueThresholder::choose(const MatrixView& x) {
  if (path_ != SvtPath::Auto) return path_;
  const Index smaller = std::min(x.rows(), x.cols());
  if (smaller <= kSmall) return SvtPath::Svd;
  if (gram_calls_ > 0) {
    --gram_calls_;
    return SvtPath::Gram;
  }
  return width() > smaller / kWidestShare ? SvtPath::Gram : SvtPath::Subspace;
}

/// The last right singular vectors and random columns, `wanted` together.
Matrix SingularValueThresholder::start(Index columns, Index wanted) {
  const Index known = std::min(right_.cols(), std::max<Index>(wanted - kFresh, 0));
  Matrix both(columns, wanted);
  both.leftCols(known) = right_.leftCols(known);
  both.rightCols(wanted - known) = normal_matrix(columns, wanted - known, random_.starts);
  return both;
}

LowRank SingularValueThresholder::by_svd(MatrixView x, double threshold) {
  LowRank z = shrink(thin_svd(x), threshold);
  right_ = z.v;
  last_path_ = SvtPath::Svd;
  return z;
}

LowRank SingularValueThresholder::by_gram(MatrixView x, double threshold, const Execution& run) {
  const bool wide = x.rows() < x.cols();
  const Matrix square = wide ? gram(x, run) : gram_transposed(x, run);
  // A little below the threshold: the accurate values, and with them the decision, come from x itself.
  const double bound = threshold * threshold * (1.0 - 1e-6);
  const bool few = rank_ < square.rows() / 4;
  const EigenPairs pairs = eigen_above(square, bound, few);
  last_path_ = SvtPath::Gram;
  if (pairs.values.size() == 0) {
    right_.resize(x.cols(), 0);
    return {Matrix(x.rows(), 0), Vector(0), Matrix(x.cols(), 0)};
  }
  if (threshold < kSmallestByGram * std::sqrt(pairs.values[0])) return by_svd(x, threshold);
  const Svd svd = restricted_svd(wide ? Op::Transpose : Op::None, x, pairs.vectors, run);
  LowRank z = shrink(svd, threshold);
  if (wide) z.u.swap(z.v);
  right_ = z.v;
  return z;
}

LowRank SingularValueThresholder::by_subspace(MatrixView x, double threshold, double tolerance,
                                              const Execution& run) {
  constexpr int kGramCallsAfterSlow = 8;
  const bool forced = path_ == SvtPath::Subspace;
  const bool warm = right_.cols() > 0;
  const Index smaller = std::min(x.rows(), x.cols());
  const SubspaceLimits limits{
      forced ? smaller : std::max(static_cast<Index>(kMostShare * static_cast<double>(smaller)), width()),
      tolerance};
  SubspaceResult found =
      krylov_triplets(x, threshold, start(x.cols(), std::min(width(), smaller)), limits, random_, run);
  if (!found.converged) {
    if (warm) gram_calls_ = kGramCallsAfterSlow;
    return by_gram(x, threshold, run);
  }
  last_path_ = SvtPath::Subspace;
  LowRank z = shrink(found.triplets, threshold);
  right_ = std::move(found.triplets.v);
  return z;
}

LowRank SingularValueThresholder::compute(SvtPath path, MatrixView x, double threshold, double tolerance,
                                          const Execution& run) {
  if (right_.rows() != x.cols()) {
    right_.resize(x.cols(), 0);
    rank_ = 0;
  }
  LowRank z = path == SvtPath::Svd    ? by_svd(x, threshold)
              : path == SvtPath::Gram ? by_gram(x, threshold, run)
                                      : by_subspace(x, threshold, tolerance, run);
  rank_ = z.rank();
  return z;
}

LowRank SingularValueThresholder::operator()(MatrixView x, double threshold, const Execution& run) {
  if (!(threshold > 0) || !std::isfinite(threshold)) {
    throw InvalidArgument(fmt::format("singular value threshold is {}; expected > 0", threshold));
  }
  if (x.size() == 0) {
    throw InvalidArgument(
        fmt::format("singular value thresholding of an empty matrix ({}×{})", x.rows(), x.cols()));
  }
  return compute(choose(x), x, threshold, tolerance_, run);
}

LowRank SingularValueThresholder::certified(MatrixView x, double threshold, const Execution& run) {
  LowRank z = (*this)(x, threshold, run);
  if (certify(x, z, threshold, run)) return z;
  if (last_path_ == SvtPath::Subspace) {
    widen();
    z = compute(SvtPath::Subspace, x, threshold, kFullPrecision, run);
    if (certify(x, z, threshold, run)) return z;
  }
  for (const SvtPath path : {SvtPath::Gram, SvtPath::Svd}) {
    z = compute(path, x, threshold, kFullPrecision, run);
    if (certify(x, z, threshold, run)) return z;
  }
  throw NumericalError(
      fmt::format("singular value thresholding of a {}×{} matrix at {} failed its proof: the singular values "
                  "spread beyond double precision; scale the data or raise the threshold",
                  x.rows(), x.cols(), threshold));
}

bool SingularValueThresholder::certify(MatrixView x, const LowRank& z, double threshold,
                                       const Execution& run) const {
  return certify_threshold(x, z, threshold, run);
}

}  // namespace isthmus::linalg
