#pragma once

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

  double primal() const;  ///< the largest of the three primal residuals
};

/// Inexact ALM for the low-rank and sparse reconstruction of the target by the source,
///
///   min ‖Zl‖_* + λ₂‖Zs‖₁ + λ₁‖E‖   s.t.  Dt = Ds Z + E,  Zl = Z,  Zs = Z,
///
/// one sweep at a time: Ds (k×ns) and Dt (k×nt) may change from step to step, as they do where a projection
/// is learnt together with Z. Besides k×n matrices it holds two ns×nt arrays, P₂ = Z + Y₂/μ and
/// P₃ = Z + Y₃/μ, from which both copies of Z and their multipliers follow (docs/reconstruction.md). All work
/// but the singular value thresholding goes by fixed blocks of columns: the same bytes on any thread count.
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
                double penalty);

  /// Starts from Zl = Zs = z and the multiplier Y₁ (k×nt) of an earlier solution instead of from zeros. Y₂
  /// and Y₃ are made from it: Y₂ + Y₃ = Dsᵀ Y₁ with Y₃ = λ₂ sign(z) where z is not zero.
  void start_from(MatrixView z, MatrixView multiplier, MatrixView ds, MatrixView dt, const Execution& run);

  /// One sweep: Z, then Zl, Zs and E, then the multipliers. Z is written to `z` (resized) where given.
  void step(MatrixView ds, MatrixView dt, const Execution& run, Matrix* z = nullptr);

  /// μ of the next step; stays as it is until set.
  double penalty() const { return next_penalty_; }
  void set_penalty(double penalty);

  /// Residuals, objective and rank after the last step, made with the same ds and dt.
  ReconstructionMeasure measure(MatrixView ds, MatrixView dt, const Execution& run) const;
  /// True when the last Zl is proved to be the exact prox; otherwise Zl is computed again, with proof.
  bool certify(const Execution& run);

  const Matrix& error() const { return error_; }                 ///< E, k×nt
  const linalg::LowRank& low_rank() const { return low_rank_; }  ///< Zl
  Matrix sparse() const;                                         ///< Zs, ns×nt
  Matrix scaled_multiplier() const;                              ///< Y₁/μ at the next step's μ, k×nt

  /// Y₁ (k×nt), Y₂ and Y₃ (ns×nt), for checking optimality: Y₁ ∈ λ₁∂‖E‖, Y₂ ∈ ∂‖Zl‖_*, Y₃ ∈ λ₂∂‖Zs‖₁.
  struct Multipliers {
    Matrix reconstruction;
    Matrix low_rank;
    Matrix sparse;
  };
  Multipliers multipliers() const;

 private:
  /// What the column blocks of one sweep share.
  struct Sweep;
  /// Sums over the entries of the last step.
  struct Sums {
    double reconstruction_gap = 0;  // ‖Dt − Ds Z − E‖²
    double sparse_gap = 0;          // ‖Z − Zs‖²
    double sparse_norm = 0;         // ‖Zs‖²
    double sparse_sum = 0;          // ‖Zs‖₁
    Index zeros = 0;                // of Zs

    Sums& operator+=(const Sums& other);
  };

  bool has_sparse_copy() const { return problem_.weights.sparsity > 0; }
  void check_shapes(const MatrixView& ds, const MatrixView& dt) const;
  void set_low_rank(linalg::LowRank low_rank);
  Matrix low_rank_block(Index begin, Index length) const;
  Matrix first_right_side(Index begin, Index length, const Sweep& sweep);
  Matrix right_side(Index begin, Index length, const Sweep& sweep);
  Matrix solve_z(Index begin, Index length, const Sweep& sweep);
  Sums update_block(Index begin, Index length, const Sweep& sweep);
  Sums split(Index begin, const Matrix& z);

  ReconstructionProblem problem_;
  double penalty_;       // μ of the last step
  double next_penalty_;  // μ of the next one
  bool started_ = false;
  Matrix p2_;          // Z + Y₂/μ
  Matrix p3_;          // Z + Y₃/μ; before the first step the start's Z
  Matrix error_;       // E
  Matrix multiplier_;  // Y₁/μ
  linalg::LowRank low_rank_;
  Matrix scaled_v_;  // V diag(values) of Zl
  linalg::SingularValueThresholder threshold_;
  Sums sums_;
};

}  // namespace isthmus
