#pragma once

#include "isthmus/domain.h"
#include "isthmus/execution.h"
#include "isthmus/matrix.h"

namespace isthmus {

/// X = U Σ Vᵀ of both domains' samples, each of unit length, cut to the leading `rank` directions.
/// Methods on the features Σ^p Vᵀ are the primal ones for p = 1 and exactly the linear-kernel ones for p = 2,
/// without any n×n kernel.
struct SpectralCoordinates {
  Matrix basis;            ///< U, d×r
  Vector singular_values;  ///< r, descending
  Matrix coordinates;      ///< UᵀX = ΣVᵀ, r×n, source first

  /// Σ^p Vᵀ.
  Matrix features(double spectrum) const;
  /// B with features(p) = BᵀX.
  Matrix map(double spectrum) const;
};

/// The samples divided by their lengths, as they are read.
FeatureMatrix at_unit_length(const FeatureMatrix& samples);

/// Keeps at most `rank` directions above rounding; the features are read block by block. Throws
/// InvalidArgument when every sample is zero.
SpectralCoordinates spectral_coordinates(const DomainPair& pair, int rank, const Execution& run);

}  // namespace isthmus
