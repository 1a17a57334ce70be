#include "methods/rsa_cdda/coordinates.h"

#include "core/parallel.h"
#include "isthmus/errors.h"
#include "linalg/blas.h"
#include "linalg/subspace.h"

namespace isthmus {
namespace {

// Singular values below this share of the largest are rounding of the Gram matrix they come from.
constexpr double kRankTolerance = 1e-5;

// Samples whose coordinates are found at once.
constexpr Index kEmbeddedAtOnce = 512;

/// basisᵀ·samples, which are read block by block.
void embed(const Matrix& basis, const SampleView& samples, Eigen::Ref<Matrix> coordinates,
           const Execution& run) {
  parallel_ranges(run, samples.cols(), kEmbeddedAtOnce, [&](Index begin, Index length) {
    linalg::gemm(linalg::Op::Transpose, linalg::Op::None, 1.0, basis, samples.columns(begin, length), 0.0,
                 coordinates.middleCols(begin, length), 1);
  });
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

FeatureMatrix at_unit_length(const FeatureMatrix& samples) {
  return samples.prepared([](Eigen::Ref<Matrix> block, Index) { linalg::normalize_columns(block); });
}

SpectralCoordinates spectral_coordinates(const DomainPair& pair, int rank, const Execution& run) {
  const FeatureMatrix source = at_unit_length(pair.source());
  const FeatureMatrix target = at_unit_length(pair.target());
  const auto floor = [](double largest) { return kRankTolerance * kRankTolerance * largest; };
  linalg::Spectrum spectrum = linalg::leading_spectrum({source, target}, rank, floor, run);
  if (spectrum.values.size() == 0) {
    throw InvalidArgument("rsa-cdda: every sample is zero; at least one needs to differ");
  }
  SpectralCoordinates result;
  result.basis = std::move(spectrum.directions);
  result.singular_values = spectrum.values.cwiseSqrt();
  result.coordinates.resize(result.basis.cols(), source.count() + target.count());
  embed(result.basis, source, result.coordinates.leftCols(source.count()), run);
  embed(result.basis, target, result.coordinates.rightCols(target.count()), run);
  return result;
}

}  // namespace isthmus
