#include "classify/structural_risk.h"

#include <cmath>

#include "classify/classifier.h"
#include "linalg/blas.h"
#include "linalg/eigen.h"

namespace isthmus {
namespace {

/// Sums and counts of the samples of each class.
struct ClassSums {
  Matrix sums;  ///< k×C
  Vector counts;
};

ClassSums class_sums(MatrixView samples, const std::vector<int>& labels, int class_count) {
  ClassSums result{Matrix::Zero(samples.rows(), class_count), Vector::Zero(class_count)};
  for (Index j = 0; j < samples.cols(); ++j) {
    const int c = labels[static_cast<std::size_t>(j)];
    result.sums.col(c) += samples.col(j);
    result.counts[c] += 1.0;
  }
  return result;
}

/// F M Fᵀ/‖M‖_F with M = E Eᵀ, E = [√(C/2)(e_s − e_t), √½(e_s^c − e_t^c) …], e the indicators divided by
/// their counts. FE are differences of class means; EᵀE has the entries below in closed form.
Matrix mean_discrepancy(const ClassSums& source, const ClassSums& target) {
  const Index classes = source.counts.size();
  const auto count = static_cast<double>(classes);
  const double ns = source.counts.sum();
  const double nt = target.counts.sum();
  Matrix factor(source.sums.rows(), classes + 1);
  factor.col(0) =
      std::sqrt(0.5 * count) * (source.sums.rowwise().sum() / ns - target.sums.rowwise().sum() / nt);
  const double corner = 0.5 * count * (1.0 / ns + 1.0 / nt);
  double squared_norm = corner * corner;
  for (Index c = 0; c < classes; ++c) {
    const bool empty = target.counts[c] == 0.0;
    factor.col(c + 1) = source.sums.col(c) / source.counts[c];
    if (!empty) factor.col(c + 1) -= target.sums.col(c) / target.counts[c];
    factor.col(c + 1) *= std::sqrt(0.5);
    const double own = 0.5 * (1.0 / source.counts[c] + (empty ? 0.0 : 1.0 / target.counts[c]));
    const double with_marginal = 0.5 * std::sqrt(count) * (1.0 / ns + (empty ? 0.0 : 1.0 / nt));
    squared_norm += own * own + 2.0 * with_marginal * with_marginal;
  }
  return linalg::multiply_by_transpose(factor, factor) / std::sqrt(squared_norm);
}

/// F L Fᵀ with the normalised Laplacian L = I − D^-½ W D^-½.
Matrix laplacian_form(MatrixView embedded, const SparseWeights& weights, int threads) {
  const Vector scale = degrees(weights).cwiseMax(1e-12).cwiseSqrt().cwiseInverse();
  const Matrix scaled = embedded * scale.asDiagonal();
  const Matrix smoothed = multiply_weights(scaled, weights, threads);
  return linalg::gram(embedded, threads) - linalg::multiply_by_transpose(smoothed, scaled, threads);
}

}  // namespace

StructuralRisk structural_risk(MatrixView embedded, const SparseWeights& weights,
                               const std::vector<int>& source_labels, const std::vector<int>& target_start,
                               int class_count, const StructuralRiskOptions& options, int threads) {
  const Index k = embedded.rows();
  const auto ns = static_cast<Index>(source_labels.size());
  const Index nt = embedded.cols() - ns;
  const ClassSums source = class_sums(embedded.leftCols(ns), source_labels, class_count);
  Matrix base = linalg::gram(embedded.leftCols(ns), threads) + options.ridge * Matrix::Identity(k, k);
  if (options.laplacian_weight > 0.0) {
    base += options.laplacian_weight * laplacian_form(embedded, weights, threads);
  }
  std::vector<int> labels = target_start;
  StructuralRisk result;
  for (int round = 0; round < options.rounds; ++round) {
    const ClassSums target = class_sums(embedded.rightCols(nt), labels, class_count);
    const Matrix system = base + options.mmd_weight * mean_discrepancy(source, target);
    result.weights = linalg::solve_spd(system, source.sums);  // F J_s Y are the class sums
    result.scores = linear_scores(result.weights, embedded.rightCols(nt), threads);
    labels = largest_rows(result.scores);
  }
  return result;
}

Matrix linear_scores(MatrixView weights, MatrixView embedded, int threads) {
  Matrix scores = linalg::multiply_transposed(weights, embedded, threads);
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
