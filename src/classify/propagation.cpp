#include "classify/propagation.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "isthmus/errors.h"

namespace isthmus {

GraphSolution propagate_labels(const SparseWeights& weights, MatrixView seeds, double alpha,
                               const Execution& run) {
  if (!(alpha >= 0.0 && alpha < 1.0)) {
    throw InvalidArgument(fmt::format("label propagation: alpha is {}; expected 0 ≤ alpha < 1", alpha));
  }
  if (alpha == 0.0) return {seeds, 0, 0.0};
  // With F = D^½ u the system reads (D/α − W) u = D^½ Y / α.
  const Vector degree = degrees(weights).cwiseMax(1e-12);
  const Vector root = degree.cwiseSqrt();
  const Matrix rhs = seeds * root.asDiagonal() / alpha;
  GraphSolution solved = solve_graph_system(weights, degree / alpha, rhs, run);
  solved.solution = solved.solution * root.asDiagonal();
  return solved;
}

void columns_to_simplex(Eigen::Ref<Matrix> scores) {
  scores = scores.cwiseMax(0.0);
  for (Index j = 0; j < scores.cols(); ++j) scores.col(j) /= std::max(scores.col(j).sum(), 1e-12);
}

void match_class_mass(Eigen::Ref<Matrix> scores, const Vector& prior, double strength) {
  columns_to_simplex(scores);
  scores.array() += 1e-9;  // a class that no sample has any mass in must not divide by zero
  const Vector mean = scores.rowwise().mean();
  const Vector factor = (prior.array() / mean.array()).pow(strength);
  for (Index j = 0; j < scores.cols(); ++j) {
    scores.col(j) = scores.col(j).cwiseProduct(factor);
    scores.col(j) /= scores.col(j).sum();
  }
}

}  // namespace isthmus
