#pragma once

#include <cstdint>
#include <random>

#include "isthmus/execution.h"
#include "isthmus/matrix.h"
#include "linalg/svt_subspace.h"

namespace isthmus::linalg {

/// U diag(values) Vᵀ with orthonormal columns in U and V, values positive and descending. Rank 0 is fine.
struct LowRank {
  Matrix u;
  Vector values;
  Matrix v;

  Index rank() const { return values.size(); }
  Matrix matrix(const Execution& run) const;
};

/// How the singular values above the threshold are found: by LAPACK to its precision, by iteration to the
/// tolerance asked for.
enum class SvtPath {
  Auto,      ///< by size and the last rank
  Svd,       ///< LAPACK singular value decomposition
  Gram,      ///< eigenpairs of the smaller of XᵀX and XXᵀ; Svd where squaring would cost too many digits
  Subspace,  ///< a Krylov space from the last call's singular vectors; with Auto, Gram where it grows too
             ///< wide
};

/// Proves that z is the prox of threshold·‖·‖_* at x, within 1e-9 of x's norm: z's factors are orthonormal,
/// X − Z = threshold·UVᵀ on them, and ‖X − Z‖₂ ≤ threshold. The last is refuted by a short Lanczos run or
/// proved by the Cholesky factor of threshold²(1 + δ)²I − (X − Z)ᵀ(X − Z).
bool certify_threshold(MatrixView x, const LowRank& z, double threshold, const Execution& run);

/// A lower bound of ‖(I − UUᵀ) X (I − VVᵀ)‖₂ by `steps` Lanczos steps from a random vector: above the
/// threshold, z misses a singular triplet of x. Costs 2·steps products of x with a vector.
double remainder_norm(MatrixView x, const LowRank& z, int steps, std::mt19937_64& engine);

/// Singular value thresholding: the prox of threshold·‖·‖_* at x,
///
///   argmin_Z threshold·‖Z‖_* + ½‖Z − X‖²_F  =  U diag(max(σ − threshold, 0)) Vᵀ,  X = U diag(σ) Vᵀ.
///
/// Meant to be called on a sequence of slowly changing matrices of one size: it remembers the last singular
/// vectors. The same seed and the same sequence of calls give the same bytes, on any number of threads.
class SingularValueThresholder {
 public:
  /// `tolerance`, relative to x's largest singular value, bounds on every call the Frobenius error of Z by
  /// the triplets it has (their residual, because the prox is nonexpansive), and by how much a singular value
  /// may exceed the threshold and yet be left out.
  explicit SingularValueThresholder(std::uint64_t seed, SvtPath path = SvtPath::Auto,
                                    double tolerance = 1e-11);

  /// Throws InvalidArgument unless threshold > 0 and x is not empty, NumericalError when x is not finite.
  /// The triplets of the last call are only a start: that no other singular value is above the threshold (and
  /// the tolerance) comes from LAPACK on the paths Svd and Gram, and on the subspace path from products with
  /// fresh random vectors (unseen_directions()), which on any matrix err with a probability of at most 1e-9 a
  /// call. certified() leaves nothing to chance.
  LowRank operator()(MatrixView x, double threshold, const Execution& run);

  /// The same, proved by certify() before it is returned; what fails the proof is computed again to full
  /// precision from a wider start, then by Gram, at last by LAPACK's SVD. For the end of an iteration: costs
  /// about as much as the Gram path.
  LowRank certified(MatrixView x, double threshold, const Execution& run);

  /// certify_threshold().
  bool certify(MatrixView x, const LowRank& z, double threshold, const Execution& run) const;

  /// The path the last call took in the end; Auto before the first.
  SvtPath last_path() const { return last_path_; }

 private:
  LowRank by_subspace(MatrixView x, double threshold, double tolerance, const Execution& run);
  LowRank by_gram(MatrixView x, double threshold, const Execution& run);
  LowRank by_svd(MatrixView x, double threshold);
  LowRank compute(SvtPath path, MatrixView x, double threshold, double tolerance, const Execution& run);
  SvtPath choose(const MatrixView& x);
  Index width() const;
  Matrix start(Index columns, Index wanted);
  void widen();

  SubspaceRandomness random_;
  SvtPath path_;
  double tolerance_;
  SvtPath last_path_ = SvtPath::Auto;
  Matrix right_;        // right singular vectors of the last call, leading first
  Index rank_ = 0;      // rank of the last result
  Index extra_ = 0;     // columns added after a failed certificate
  int gram_calls_ = 0;  // still to go by Gram after the subspace iteration was too slow
};

}  // namespace isthmus::linalg
