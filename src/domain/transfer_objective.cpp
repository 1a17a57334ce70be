#include "domain/transfer_objective.h"

#include "domain/kde_divergence.h"
#include "isthmus/errors.h"
#include "linalg/blas.h"
#include "linalg/moments.h"
#include "samples/summaries.h"

namespace isthmus {

ClassScatter class_scatter(SampleView samples, const std::vector<int>& labels, int class_count,
                           const Execution& run) {
  using Sums = Together<linalg::Moments, ClassSums>;
  const Sums all = fold(
      samples, run, Sums{linalg::Moments(samples.rows()), ClassSums(samples.rows(), class_count, labels)});
  const auto& moments = all.get<linalg::Moments>();
  const auto& classes = all.get<ClassSums>();
  const Matrix apart = (classes.means().colwise() - moments.mean) * classes.counts.cwiseSqrt().asDiagonal();
  ClassScatter scatter{{}, linalg::gram(apart, run), moments.scatter()};
  scatter.within = scatter.total - scatter.between;
  return scatter;
}

TransferObjective::TransferObjective(ClassScatter scatter, Matrix source, Matrix target,
                                     const Settings& settings)
    : scatter_(std::move(scatter)),
      source_(std::move(source)),
      target_(std::move(target)),
      settings_(settings),
      trace_(scatter_.total.trace()) {
  if (!(trace_ > 0)) {
    throw InvalidArgument(
        "the source's samples are all equal beside the largest values: no subspace can keep or separate "
        "anything of them; scale the features, or remove samples of extreme size");
  }
}

double TransferObjective::criterion(const Matrix& w, Matrix* gradient, const Execution& run) const {
  const Matrix total_w = linalg::multiply(scatter_.total, w, run);
  const double kept = w.cwiseProduct(total_w).sum();
  if (settings_.criterion == TransferCriterion::Pca) {
    if (gradient != nullptr) *gradient = total_w * (-2.0 / trace_);
    return 1.0 - kept / trace_;
  }
  const Matrix within_w = linalg::multiply(scatter_.within, w, run);
  const double delta = settings_.ridge * trace_;
  const double value = (w.cwiseProduct(within_w).sum() + delta) / (kept + delta);
  if (gradient != nullptr) *gradient = (2.0 / (kept + delta)) * (within_w - value * total_w);
  return value;
}

double TransferObjective::divergence(const Matrix& w, Matrix* gradient, const Execution& run) const {
  const Matrix source = linalg::multiply_transposed(w, source_, run);
  const Matrix target = linalg::multiply_transposed(w, target_, run);
  if (gradient == nullptr) return kde_divergence(source, target, settings_.width, run);
  const KdeGradient slope = kde_divergence_gradient(source, target, settings_.width, run);
  // Y = WᵀX: ∂D/∂W = X (∂D/∂Y)ᵀ
  *gradient = linalg::multiply_by_transpose(source_, slope.source, run) +
              linalg::multiply_by_transpose(target_, slope.target, run);
  return slope.value;
}

double TransferObjective::evaluate(const Matrix& w, Matrix* gradient, const Execution& run) {
  Matrix slope;
  terms_.criterion = criterion(w, gradient, run);
  terms_.divergence = divergence(w, gradient == nullptr ? nullptr : &slope, run);
  if (gradient != nullptr) *gradient += settings_.lambda * slope;
  return terms_.criterion + settings_.lambda * terms_.divergence;
}

}  // namespace isthmus
