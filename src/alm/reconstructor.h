#pragma once

#include <memory>

#include "isthmus/execution.h"
#include "isthmus/matrix.h"
#include "ops/backend.h"

namespace isthmus {

/// Inexact ALM for the low-rank and sparse reconstruction of the target by the source,
///
///   min ‖Zl‖_* + λ₂‖Zs‖₁ + λ₁‖E‖   s.t.  Dt = Ds Z + E,  Zl = Z,  Zs = Z,
///
/// one sweep at a time: Ds (k×ns) and Dt (k×nt) may change from step to step, as they do where a projection
/// is learnt together with Z. What a sweep changes lies with the backend of `run` (ops/reconstruction.h).
///
///     Reconstructor solver(k, ns, nt, {.weights = {1.0, 0.1}}, 0.18);
///     for (int t = 0; t < 12; ++t) {
///       solver.step(ds, dt, threads);
///       solver.set_penalty(1.5 * solver.penalty());
///     }
class Reconstructor {
 public:
  /// `penalty` is μ of the first step. Throws InvalidArgument on a weight or size out of range.
  Reconstructor(Index dimension, Index source_count, Index target_count, const ReconstructionProblem& problem,
                double penalty, const Execution& run);

  /// One sweep: Z, then Zl, Zs and E, then the multipliers. Z is written to `z` (resized) where given.
  void step(MatrixView ds, MatrixView dt, const Execution& run, Matrix* z = nullptr);

  /// μ of the next step; stays as it is until set.
  double penalty() const { return next_penalty_; }
  void set_penalty(double penalty);

  /// Residuals, objective and rank after the last step, made with the same ds and dt.
  ReconstructionMeasure measure(MatrixView ds, MatrixView dt, const Execution& run) const;
  /// True when the last Zl is proved to be the exact prox; otherwise Zl is computed again, with proof.
  bool certify(const Execution& run) { return state_->certify(run); }

  const Matrix& error() const { return state_->error(); }                 ///< E, k×nt
  const linalg::LowRank& low_rank() const { return state_->low_rank(); }  ///< Zl
  Matrix sparse() const { return state_->sparse(); }                      ///< Zs, ns×nt
  Matrix scaled_multiplier() const;  ///< Y₁/μ at the next step's μ, k×nt
  ReconstructionMultipliers multipliers() const { return state_->multipliers(); }

 private:
  void check_shapes(const MatrixView& ds, const MatrixView& dt) const;

  ops::ReconstructionShape shape_;
  double penalty_;       // μ of the last step
  double next_penalty_;  // μ of the next one
  std::unique_ptr<ops::ReconstructionState> state_;
};

}  // namespace isthmus
