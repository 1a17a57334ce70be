#include "alm/reconstruct.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/record.h"
#include "isthmus/errors.h"
#include "linalg/blas.h"
#include "linalg/eigen.h"

namespace isthmus {
namespace {

// Iterations without progress of the largest residual after which more will not help. Residuals fall in
// steps, as ranks and supports are found, with hundreds of iterations of hardly any progress between them.
constexpr int kPatience = 1000;
constexpr double kProgress = 1e-4;
void check(const ReconstructionOptions& o) {
  if (o.iterations < 1) {
    throw InvalidArgument(fmt::format("reconstruction iterations is {}; expected at least 1", o.iterations));
  }
  if (!(o.growth >= 1)) {
    throw InvalidArgument(fmt::format("reconstruction penalty growth is {}; expected at least 1", o.growth));
  }
  if (!(o.tolerance >= 0)) {
    throw InvalidArgument(fmt::format("reconstruction tolerance is {}; expected at least 0", o.tolerance));
  }
}

/// Tells whether the largest residual still falls.
class Progress {
 public:
  bool stalled(double residual) {
    if (residual < (1.0 - kProgress) * best_) {
      best_ = residual;
      since_ = 0;
    }
    return ++since_ > kPatience;
  }

 private:
  double best_ = std::numeric_limits<double>::infinity();
  int since_ = 0;
};

// A growing penalty stops short of the optimum by far more than this, which saves a quarter of the time.
constexpr double kRoughThreshold = 1e-6;

/// Runs the steps until a rule ends them, and says which.
Status iterate(Reconstructor& solver, const MatrixView& ds, const MatrixView& dt,
               const ReconstructionOptions& o, const Context& context, Reconstruction& result) {
  Progress progress;
  for (int t = 1; t <= o.iterations; ++t) {
    const double penalty = solver.penalty();
    solver.step(ds, dt, context, &result.z);
    const ReconstructionMeasure m = solver.measure(ds, dt, context);
    const double residual = std::max(m.primal(), m.dual_residual);
    if (!std::isfinite(residual)) {
      throw NumericalError(
          fmt::format("the reconstruction broke down in iteration {}: a residual is {}; look for "
                      "values of extreme size in the data, or lower the penalty μ = {}",
                      t, residual, penalty));
    }
    result.report.iterations = t;
    result.measure = m;
    record(result.report.series, {{"residual_reconstruction", m.reconstruction_residual},
                                  {"residual_sparse", m.sparse_residual},
                                  {"residual_low_rank", m.low_rank_residual},
                                  {"residual_dual", m.dual_residual},
                                  {"objective", m.objective},
                                  {"dual_objective", m.dual_objective},
                                  {"rank", static_cast<double>(m.rank)},
                                  {"zero_share", m.zero_share},
                                  {"penalty", penalty}});
    const Decision decision = context.report(
        {.phase = "reconstruction", .iteration = t, .limit = o.iterations, .objective = m.objective});
    if (decision == Decision::Stop) return Status::Stopped;
    if (residual <= o.tolerance && solver.certify(context)) return Status::Converged;
    if (progress.stalled(residual)) return Status::Stalled;
    solver.set_penalty(std::min(penalty * o.growth, std::max(penalty, o.penalty_limit)));
  }
  return Status::IterationLimit;
}

}  // namespace

Reconstruction reconstruct(MatrixView ds, MatrixView dt, const ReconstructionOptions& o,
                           const Context& context) {
  check(o);
  const ReconstructionProblem problem{o.error_norm, o.weights, context.seed, kRoughThreshold};
  Reconstructor solver(ds.rows(), ds.cols(), dt.cols(), problem, o.penalty, context);
  Reconstruction result;
  {
    const PhaseTimer timer(result.report, "reconstruction");
    result.report.status = iterate(solver, ds, dt, o, context, result);
  }
  result.z_sparse = solver.sparse();
  result.z_low_rank = solver.low_rank();
  result.error = solver.error();
  result.report.facts["lambda1"] = o.weights.error;
  result.report.facts["lambda2"] = o.weights.sparsity;
  if (result.z_low_rank.rank() == 0 || result.z_sparse.isZero(0.0)) {
    const double critical = relative_weights(ds, dt, o.error_norm, 1.0, 0.0, context.unstoppable()).error;
    result.report.notes.push_back(
        fmt::format("Z is zero: no source sample is used to rebuild the target; λ₁ = {:.3g}, and Z is zero "
                    "for every λ₁ ≤ {:.3g}: "
                    "raise λ₁, lower λ₂ = {:.3g}, or run more iterations",
                    o.weights.error, critical, o.weights.sparsity));
  }
  return result;
}

ReconstructionWeights relative_weights(MatrixView ds, MatrixView dt, ErrorNorm norm, double c1, double c2,
                                       const Execution& run) {
  Matrix direction = dt;
  if (norm == ErrorNorm::L1) {
    direction = dt.cwiseSign();
  } else {
    linalg::normalize_columns(direction);
  }
  // ‖DsᵀS‖₂² is the largest eigenvalue of (Ds Dsᵀ)^½ S Sᵀ (Ds Dsᵀ)^½: k×k, never ns×nt.
  const linalg::EigenPairs source = linalg::symmetric_eigen(linalg::gram(ds, run));
  const Matrix root =
      source.vectors * source.values.cwiseMax(0.0).cwiseSqrt().asDiagonal() * source.vectors.transpose();
  const Matrix product = linalg::gram(linalg::multiply(root, direction, run), run);
  const double squared = linalg::largest_eigen(product, 1, run).values[0];
  const double size = squared > 0 ? std::sqrt(squared) : 1.0;
  return {c1 / size, c2 / std::sqrt(static_cast<double>(std::max(ds.cols(), dt.cols())))};
}

}  // namespace isthmus
