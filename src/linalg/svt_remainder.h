#pragma once

#include <random>

#include "isthmus/execution.h"
#include "isthmus/matrix.h"

namespace isthmus::linalg {

/// Approximate singular triplets of X, leading first: XV = U diag(values) exactly, and
/// XᵀU = V diag(values) + residuals with residuals orthogonal to V.
struct RitzTriplets {
  Matrix u;
  Vector values;
  Matrix v;
  Matrix residuals;
};

/// Looks for what the triplets leave out: whether X has, besides the first `kept` of them, a singular value
/// above `bound` (> 0, and at least all other values). None where the answer is no; otherwise directions
/// (n×b) that may hold one. `engine` must not have made the triplets: a no is wrong with a probability of at
/// most 1e-9 over what it draws, whatever X is.
///
/// Proof. Take some of the other triplets, values θ and residuals r, to the kept ones, and X away from their
/// vectors, C = (I − UUᵀ)X(I − VVᵀ). By the Schur complement of bound²I − (X − kept)ᵀ(X − kept), X has no
/// such value if
///
///   ‖C‖₂ ≤ γ,   γ² = bound² − Σ ‖r‖² bound²/(bound² − θ²).
///
/// Let T be the Chebyshev polynomial of some degree, c < γ, p(σ) = (σ/γ)² T(σ/c), and G b columns of
/// independent normal numbers. Were ‖C‖₂ > γ with right singular vector v, then ‖p(C)G‖₂ ≥ p(γ)‖Gᵀv‖, and
/// ‖Gᵀv‖² has the χ² distribution with b degrees of freedom, independently of all else. So ‖C‖₂ ≤ γ once
/// ‖p(C)G‖₂ ≤ p(γ)q, q² its quantile. C is multiplied until this holds or is not about to.
Matrix unseen_directions(const MatrixView& x, const RitzTriplets& known, Index kept, double bound,
                         std::mt19937_64& engine, const Execution& run);

}  // namespace isthmus::linalg
