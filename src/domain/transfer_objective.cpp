#include "domain/transfer_objective.h"

#include "domain/kde_divergence.h"
#include "isthmus/errors.h"
#include "linalg/blas.h"
#include "ops/operations.h"

namespace isthmus {

ClassScatter class_scatter(MatrixView samples, const std::vector<int>& labels, int class_count,
                           const Execution& run) {
  Matrix sums = Matrix::Zero(samples.rows(), class_count);
  Vector counts = Vector::Zero(class_count);
  for (Index j = 0; j < samples.cols(); ++j) {
    const int label = labels[static_cast<std::size_t>(j)];
    sums.col(label) += samples.col(j);
    counts[label] += 1;
  }
  const ops::Moments all = ops::moments({samples}, run);
  const Matrix means = sums * counts.cwiseMax(1.0).cwiseInverse().asDiagonal();
  // S_w = S_t − Σ_c n_c (m_c − m)(m_c − m)ᵀ
  const Matrix between = (means.colwise() - all.mean) * counts.cwiseSqrt().asDiagonal();
  return {all.scatter - linalg::gram(between, run), all.scatter};
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
