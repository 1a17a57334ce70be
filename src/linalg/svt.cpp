#include "linalg/svt.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "isthmus/errors.h"
#include "linalg/blas.h"
#include "linalg/eigen.h"

namespace isthmus::linalg {
namespace {

/// Room for rounding in the certificate, relative to the threshold.
constexpr double kSlack = 1e-9;

/// The triplets of an SVD above the threshold, shrunk by it.
LowRank shrink(const Svd& svd, double threshold) {
  const Index rank = (svd.values.array() > threshold).count();
  return {svd.u.leftCols(rank), svd.values.head(rank).array() - threshold, svd.v.leftCols(rank)};
}

}  // namespace

Matrix LowRank::matrix(int threads) const {
  const Matrix scaled = u * values.asDiagonal();
  return multiply_by_transpose(scaled, v, threads);
}

SingularValueThresholder::SingularValueThresholder(std::uint64_t seed, SvtPath path)
    : seed_(seed), path_(path) {}

LowRank SingularValueThresholder::operator()(MatrixView x, double threshold, int /*threads*/) {
  if (!(threshold > 0)) {
    throw InvalidArgument(fmt::format("singular value threshold is {}; expected > 0", threshold));
  }
  return shrink(thin_svd(x), threshold);
}

LowRank SingularValueThresholder::certified(MatrixView x, double threshold, int threads) {
  LowRank z = (*this)(x, threshold, threads);
  if (!certify(x, z, threshold, threads)) {
    throw NumericalError(fmt::format(
        "singular value thresholding of a {}×{} matrix at {} failed its proof: the singular values "
        "spread beyond double precision; scale the data or raise the threshold",
        x.rows(), x.cols(), threshold));
  }
  return z;
}

bool SingularValueThresholder::certify(MatrixView x, const LowRank& z, double threshold, int threads) const {
  const Matrix rest = x - z.matrix(threads);
  const double scale = threshold + (z.rank() > 0 ? z.values[0] : 0.0);
  const Matrix left = rest * z.v - threshold * z.u;
  const Matrix right = rest.transpose() * z.u - threshold * z.v;
  if (std::max(left.norm(), right.norm()) > kSlack * scale) return false;
  return thin_svd(rest).values[0] <= threshold + kSlack * scale;
}

}  // namespace isthmus::linalg
