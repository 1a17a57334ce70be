#pragma once

#include <algorithm>
#include <cstdint>

#include "isthmus/execution.h"
#include "isthmus/matrix.h"
#include "isthmus/methods.h"
#include "linalg/svt.h"

namespace isthmus {

/// λ₁ and λ₂ of the reconstruction problem.
struct ReconstructionWeights {
  double error = 1.0;     ///< λ₁ > 0
  double sparsity = 0.1;  ///< λ₂ ≥ 0; 0 leaves the copy Zs out
};

/// The problem a Reconstructor works on, fixed over its steps.
struct ReconstructionProblem {
  ErrorNorm error_norm = ErrorNorm::L21;
  ReconstructionWeights weights;
  std::uint64_t seed = 0;  ///< of the singular value thresholding's start
  /// Error left in Zl by a step's thresholding, relative. A step of an inexact ALM leaves far larger ones;
  /// less accuracy is less work, and certify() makes the last Zl exact.
  double threshold_tolerance = 1e-11;
};

/// One measurement of a Reconstructor's state. Residuals are Frobenius norms relative to the size of what
/// they compare, so that one tolerance serves all data.
struct ReconstructionMeasure {
  double reconstruction_residual = 0;  ///< ‖Dt − Ds Z − E‖ / ‖Dt‖
  double sparse_residual = 0;          ///< ‖Z − Zs‖ / size of Z
  double low_rank_residual = 0;        ///< ‖Zl − Zs‖ / size of Z
  double dual_residual = 0;            ///< ‖Y₂ + Y₃ − Dsᵀ Y₁‖ / max(1, ‖Dsᵀ Y₁‖)
  double objective = 0;                ///< ‖Zl‖_* + λ₂‖Zs‖₁ + λ₁‖E‖
  double dual_objective = 0;           ///< ⟨Y₁, Dt⟩; a lower bound once the dual residual is zero
  Index rank = 0;                      ///< of Zl
  double zero_share = 0;               ///< of the entries of Zs

  /// The largest of the three primal residuals.
  double primal() const { return std::max({reconstruction_residual, sparse_residual, low_rank_residual}); }
};

/// Y₁ (k×nt), Y₂ and Y₃ (ns×nt), for checking optimality: Y₁ ∈ λ₁∂‖E‖, Y₂ ∈ ∂‖Zl‖_*, Y₃ ∈ λ₂∂‖Zs‖₁.
struct ReconstructionMultipliers {
  Matrix reconstruction;
  Matrix low_rank;
  Matrix sparse;
};

namespace ops {

/// The copies of Z, E and the multipliers between the sweeps of a reconstruction, kept where the backend that
/// made them works: they start at zero, and only what is asked for leaves. alm/reconstructor.h says what a
/// sweep computes, and checks the arguments of all of these.
class ReconstructionState {
 public:
  virtual ~ReconstructionState() = default;

  /// One sweep at μ = `penalty`. Z is written to `z` (resized) where given.
  virtual void step(MatrixView ds, MatrixView dt, double penalty, const Execution& run, Matrix* z) = 0;
  /// After the last sweep, made with the same ds and dt.
  virtual ReconstructionMeasure measure(MatrixView ds, MatrixView dt, const Execution& run) const = 0;
  /// True when the last Zl is proved to be the exact prox; otherwise Zl is computed again, with proof.
  virtual bool certify(const Execution& run) = 0;

  virtual const Matrix& error() const = 0;              ///< E, k×nt
  virtual const linalg::LowRank& low_rank() const = 0;  ///< Zl
  virtual Matrix sparse() const = 0;                    ///< Zs, ns×nt
  virtual const Matrix& scaled_multiplier() const = 0;  ///< Y₁/μ, k×nt
  virtual ReconstructionMultipliers multipliers() const = 0;
};

}  // namespace ops
}  // namespace isthmus
