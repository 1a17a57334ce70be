#pragma once

#include "alm/reconstructor.h"
#include "isthmus/context.h"
#include "isthmus/matrix.h"
#include "isthmus/report.h"
#include "linalg/svt.h"

namespace isthmus {

/// The defaults are those of the `corrected` prototype: twelve sweeps that leave Dt = Ds Z + E nearly exact.
struct ReconstructionOptions {
  ErrorNorm error_norm = ErrorNorm::L21;
  ReconstructionWeights weights;  ///< absolute; relative_weights() gives them from the data
  double penalty = 0.18;          ///< μ of the first step
  double growth = 1.5;            ///< of μ from step to step; above 1 feasible soon, but not optimal
  double penalty_limit = 1e8;     ///< beyond it rounding rules
  int iterations = 12;            ///< at most
  double tolerance = 1e-7;        ///< on the three primal residuals and the dual one; 0 runs all iterations
};

/// Z with its copies, E, and what the solver did.
struct Reconstruction {
  Matrix z;                       ///< ns×nt
  Matrix z_sparse;                ///< Zs: exact zeros
  linalg::LowRank z_low_rank;     ///< Zl
  Matrix error;                   ///< E, k×nt; its column norms are outlier scores
  ReconstructionMeasure measure;  ///< after the last iteration
  /// Series per iteration: residual_reconstruction, residual_sparse, residual_low_rank, residual_dual,
  /// objective, dual_objective, rank, zero_share, penalty. A Z that is all zero is told in the notes.
  Report report;
};

/// Solves the problem of Reconstructor for fixed ds (k×ns) and dt (k×nt). Stopped by the context it returns
/// the last completed iteration; cancelled within one it throws Cancelled, for what it is about to replace is
/// gone.
Reconstruction reconstruct(MatrixView ds, MatrixView dt, const ReconstructionOptions& options,
                           const Context& context);

/// λ₁ = c₁/‖Dsᵀ S‖₂, with S = sign(Dt) for ℓ₁ and Dt's unit columns for ℓ₂,₁, and λ₂ = c₂/√max(ns, nt).
/// Z = 0 is optimal for every c₁ ≤ 1; without the sparse term it is not beyond.
ReconstructionWeights relative_weights(MatrixView ds, MatrixView dt, ErrorNorm norm, double c1, double c2,
                                       const Execution& run);

}  // namespace isthmus
