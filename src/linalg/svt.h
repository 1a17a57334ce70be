#pragma once

#include <cstdint>

#include "isthmus/matrix.h"

namespace isthmus::linalg {

/// U diag(values) Vᵀ with orthonormal columns in U and V, values positive and descending. Rank 0 is fine.
struct LowRank {
  Matrix u;
  Vector values;
  Matrix v;

  Index rank() const { return values.size(); }
  Matrix matrix(int threads = 1) const;
};

/// How the singular values above the threshold are found. All are exact; they differ in cost.
enum class SvtPath {
  Auto,      ///< by size and the last rank
  Svd,       ///< LAPACK singular value decomposition
  Gram,      ///< eigenpairs of the smaller of XᵀX and XXᵀ
  Subspace,  ///< block subspace iteration from the last call's singular vectors
};

/// Singular value thresholding: the prox of threshold·‖·‖_* at x,
///
///   argmin_Z threshold·‖Z‖_* + ½‖Z − X‖²_F  =  U diag(max(σ − threshold, 0)) Vᵀ,  X = U diag(σ) Vᵀ.
///
/// Meant to be called on a sequence of slowly changing matrices of one size: it remembers the last singular
/// vectors. The same seed and the same sequence of calls give the same bytes, on any number of threads.
class SingularValueThresholder {
 public:
  explicit SingularValueThresholder(std::uint64_t seed, SvtPath path = SvtPath::Auto);

  /// Throws InvalidArgument unless threshold > 0 and x is not empty, NumericalError when x is not finite.
  LowRank operator()(MatrixView x, double threshold, int threads = 1);

  /// The same, proved by certify() before it is returned; what fails the proof is computed again from a wider
  /// start and at last by LAPACK. For the end of an iteration; costs about as much as the Gram path.
  LowRank certified(MatrixView x, double threshold, int threads = 1);

  /// Proves that z is the prox at x: ‖X − Z‖₂ ≤ threshold, and X − Z = threshold·UVᵀ on z's own singular
  /// vectors, both within rounding.
  bool certify(MatrixView x, const LowRank& z, double threshold, int threads = 1) const;

 private:
  [[maybe_unused]] std::uint64_t seed_;
  [[maybe_unused]] SvtPath path_;
};

}  // namespace isthmus::linalg
