#include "methods/rsa_cdda/coordinates.h"

#include <algorithm>

#include "isthmus/errors.h"
#include "linalg/blas.h"
#include "linalg/eigen.h"

namespace isthmus {
namespace {

// Singular values below this share of the largest are rounding of the Gram matrix they come from.
constexpr double kRankTolerance = 1e-5;

Matrix joint_unit_samples(const DomainPair& pair) {
  Matrix samples(pair.dimension(), pair.source_count() + pair.target_count());
  samples.leftCols(pair.source_count()) = pair.source().view();
  samples.rightCols(pair.target_count()) = pair.target().view();
  linalg::normalize_columns(samples);
  return samples;
}

/// Leading eigenpairs of a Gram matrix whose eigenvalues are above rounding, at most `limit`.
linalg::EigenPairs leading(const Matrix& gram, Index limit, const Execution& run) {
  linalg::EigenPairs pairs = linalg::largest_eigen(gram, std::min(limit, gram.rows()), run);
  if (!(pairs.values[0] > 0.0)) {
    throw InvalidArgument("rsa-cdda: every sample is zero; at least one needs to differ");
  }
  const double floor = kRankTolerance * kRankTolerance * pairs.values[0];
  const Index rank = (pairs.values.array() > floor).count();
  return {pairs.values.head(rank), pairs.vectors.leftCols(rank)};
}

}  // namespace

Matrix SpectralCoordinates::features(double spectrum) const {
  const Vector scale = singular_values.array().pow(spectrum - 1.0);
  return scale.asDiagonal() * coordinates;
}

Matrix SpectralCoordinates::map(double spectrum) const {
  const Vector scale = singular_values.array().pow(spectrum - 1.0);
  return basis * scale.asDiagonal();
}

SpectralCoordinates spectral_coordinates(const DomainPair& pair, int rank, const Execution& run) {
  const Matrix samples = joint_unit_samples(pair);
  SpectralCoordinates result;
  if (samples.rows() <= samples.cols()) {
    linalg::EigenPairs pairs = leading(linalg::gram(samples, run), rank, run);
    result.basis = std::move(pairs.vectors);
    result.singular_values = pairs.values.cwiseSqrt();
  } else {  // more features than samples: XᵀX is the smaller Gram matrix, U = X V Σ⁻¹
    const linalg::EigenPairs pairs = leading(linalg::multiply_transposed(samples, samples, run), rank, run);
    result.singular_values = pairs.values.cwiseSqrt();
    result.basis =
        linalg::multiply(samples, pairs.vectors, run) * result.singular_values.cwiseInverse().asDiagonal();
  }
  result.coordinates = linalg::multiply_transposed(result.basis, samples, run);
  return result;
}

}  // namespace isthmus
