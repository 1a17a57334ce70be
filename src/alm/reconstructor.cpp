#include "alm/reconstructor.h"

#include <fmt/format.h>

#include <cmath>

#include "isthmus/errors.h"
#include "ops/operations.h"

namespace isthmus {

Reconstructor::Reconstructor(Index dimension, Index source_count, Index target_count,
                             const ReconstructionProblem& problem, double penalty, const Execution& run)
    : shape_{dimension, source_count, target_count}, penalty_(penalty), next_penalty_(penalty) {
  if (dimension < 1 || source_count < 1 || target_count < 1) {
    throw InvalidArgument(fmt::format(
        "reconstruction of {} target samples by {} source samples of dimension {}; expected at least 1 each",
        target_count, source_count, dimension));
  }
  if (!(problem.weights.error > 0) || !(problem.weights.sparsity >= 0) ||
      !std::isfinite(problem.weights.error) || !std::isfinite(problem.weights.sparsity)) {
    throw InvalidArgument(fmt::format(
        "reconstruction weights are error {} and sparsity {}; expected error > 0 and sparsity ≥ 0",
        problem.weights.error, problem.weights.sparsity));
  }
  set_penalty(penalty);
  state_ = ops::reconstruction(shape_, problem, run);
}

void Reconstructor::set_penalty(double penalty) {
  if (!(penalty > 0) || !std::isfinite(penalty)) {
    throw InvalidArgument(
        fmt::format("reconstruction penalty μ is {}; expected a finite number > 0", penalty));
  }
  next_penalty_ = penalty;
}

void Reconstructor::check_shapes(const MatrixView& ds, const MatrixView& dt) const {
  const auto& [k, ns, nt] = shape_;
  if (ds.rows() != k || dt.rows() != k || ds.cols() != ns || dt.cols() != nt) {
    throw InvalidArgument(
        fmt::format("reconstruction: source is {}×{} and target {}×{}; expected {}×{} and {}×{}", ds.rows(),
                    ds.cols(), dt.rows(), dt.cols(), k, ns, k, nt));
  }
}

void Reconstructor::step(MatrixView ds, MatrixView dt, const Execution& run, Matrix* z) {
  check_shapes(ds, dt);
  state_->step(ds, dt, next_penalty_, run, z);
  penalty_ = next_penalty_;
}

ReconstructionMeasure Reconstructor::measure(MatrixView ds, MatrixView dt, const Execution& run) const {
  check_shapes(ds, dt);
  return state_->measure(ds, dt, run);
}

Matrix Reconstructor::scaled_multiplier() const {
  return (penalty_ / next_penalty_) * state_->scaled_multiplier();
}

}  // namespace isthmus
