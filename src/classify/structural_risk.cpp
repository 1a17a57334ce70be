#include "classify/structural_risk.h"

#include <algorithm>

#include "classify/classifier.h"
#include "domain/class_means.h"
#include "domain/forms.h"
#include "isthmus/domain.h"
#include "linalg/blas.h"
#include "linalg/eigen.h"

namespace isthmus {
namespace {

/// F M Fᵀ/‖M‖_F for M = (1 − μ)·C·M₀ + μ·Σ M_c.
Matrix mean_discrepancy(const ClassMeans& classes, double mu) {
  const ClosenessWeights weights{(1.0 - mu) * classes.class_count(), mu, EmptyClass::KeepHalf};
  const FormFactors form = closeness(classes, weights);
  const Matrix differences = classes.means() * form.factors;
  return linalg::multiply_by_transpose(differences, differences, 1) /
         frobenius_norm(form.coefficients(), classes.counts());
}

/// F L Fᵀ with the normalised Laplacian L = I − D^-½ W D^-½.
Matrix laplacian_form(MatrixView embedded, const SparseWeights& weights, const Execution& run) {
  const Vector scale = degrees(weights).cwiseMax(1e-12).cwiseSqrt().cwiseInverse();
  const Matrix scaled = embedded * scale.asDiagonal();
  const Matrix smoothed = multiply_weights(scaled, weights, run);
  return linalg::gram(embedded, run) - linalg::multiply_by_transpose(smoothed, scaled, run);
}

/// Leave-one-out accuracy of the ridge fit wᵀf with this system: without its own label, a sample with
/// leverage h = fᵀS⁻¹f scores (wᵀf − h·y)/(1 − h).
double left_out_accuracy(const Matrix& system, const Matrix& weights, MatrixView source,
                         const std::vector<int>& labels, const Execution& run) {
  // Nearer to 1 rounding is all that is left.
  constexpr double kMostLeverage = 0.999;
  const Matrix solved = linalg::solve_spd(system, source);
  Matrix scores = linalg::multiply_transposed(weights, source, run);
  for (Index i = 0; i < source.cols(); ++i) {
    const double leverage = std::min(source.col(i).dot(solved.col(i)), kMostLeverage);
    scores(labels[static_cast<std::size_t>(i)], i) -= leverage;
  }
  return accuracy_percent(largest_rows(scores), labels) / 100.0;
}

}  // namespace

StructuralRisk structural_risk(MatrixView embedded, const SparseWeights& weights,
                               const std::vector<int>& source_labels, const std::vector<int>& target_start,
                               int class_count, const StructuralRiskOptions& options, const Execution& run) {
  const Index k = embedded.rows();
  const auto ns = static_cast<Index>(source_labels.size());
  const Index nt = embedded.cols() - ns;
  ClassMeans classes(embedded.leftCols(ns), source_labels, embedded.rightCols(nt), target_start, class_count,
                     run);
  // F J_s Y: the sums of the source classes.
  const Matrix rhs = classes.means().leftCols(class_count) * classes.counts().head(class_count).asDiagonal();
  Matrix base = linalg::gram(embedded.leftCols(ns), run) + options.ridge * Matrix::Identity(k, k);
  if (options.laplacian_weight > 0.0) {
    base += options.laplacian_weight * laplacian_form(embedded, weights, run);
  }
  StructuralRisk result;
  Matrix system;
  for (int round = 0; round < options.rounds; ++round) {
    if (round > 0) classes.relabel(embedded.rightCols(nt), largest_rows(result.scores), run);
    system = base + options.mmd_weight * mean_discrepancy(classes, options.conditional);
    result.weights = linalg::solve_spd(system, rhs);
    result.scores = linear_scores(result.weights, embedded.rightCols(nt), run);
  }
  result.source_accuracy =
      left_out_accuracy(system, result.weights, embedded.leftCols(ns), source_labels, run);
  return result;
}

Matrix linear_scores(MatrixView weights, MatrixView embedded, const Execution& run) {
  Matrix scores = linalg::multiply_transposed(weights, embedded, run);
  for (Index j = 0; j < scores.cols(); ++j) {
    scores.col(j).array() -= scores.col(j).minCoeff();
    const double sum = scores.col(j).sum();
    if (sum > 0.0) {
      scores.col(j) /= sum;
    } else {
      scores.col(j).setConstant(1.0 / static_cast<double>(scores.rows()));
    }
  }
  return scores;
}

}  // namespace isthmus
