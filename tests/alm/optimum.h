#pragma once

#include <algorithm>

#include "alm/reconstructor.h"

namespace isthmus::testing {

/// The optimum of the reconstruction problem by the library's own sweeps: with μ doubled or halved while
/// primal and dual residuals differ tenfold, ever more rarely, for it is with a fixed μ that they are known
/// to converge. (The methods let μ grow instead: soon feasible, not optimal.)
struct Optimum {
  Optimum(const Matrix& source, const Matrix& target, ErrorNorm norm, const ReconstructionWeights& weights,
          double tolerance = 1e-7)
      : solver(source.rows(), source.cols(), target.cols(), {norm, weights, 0}, 1.0, 1) {
    int balance_at = 10;
    for (int t = 1; t <= 20000 && !converged; ++t) {
      solver.step(source, target, 1, &z);
      measure = solver.measure(source, target, 1);
      converged = std::max(measure.primal(), measure.dual_residual) <= tolerance && solver.certify(1);
      if (t < balance_at) continue;
      balance_at = t + std::max(10, t / 5);
      if (measure.primal() > 10.0 * measure.dual_residual) solver.set_penalty(2.0 * solver.penalty());
      if (measure.dual_residual > 10.0 * measure.primal()) solver.set_penalty(0.5 * solver.penalty());
    }
  }

  Reconstructor solver;
  ReconstructionMeasure measure;
  Matrix z;
  bool converged = false;
};

}  // namespace isthmus::testing
