#include "classify/harmonic.h"

#include <algorithm>

namespace isthmus {

HarmonicLabels harmonic_labels(const SparseWeights& weights, const std::vector<int>& source_labels,
                               int class_count, const Execution& run, double leak, const Matrix& seeds,
                               const GraphSolverOptions& solver) {
  const auto ns = static_cast<Index>(source_labels.size());
  const Index nt = weights.rows() - ns;
  const Vector degree = degrees(weights);
  // 1e-12: a graph without any edge still has a definite system.
  Vector diagonal = degree.tail(nt).array() + std::max(leak * degree.mean(), 1e-12);
  Matrix arriving = Matrix::Zero(class_count, nt);  // (W_ts Y_s)ᵀ
  for (Index j = 0; j < nt; ++j) {
    for (SparseWeights::InnerIterator entry(weights, ns + j); entry && entry.col() < ns; ++entry) {
      arriving(source_labels[static_cast<std::size_t>(entry.col())], j) += entry.value();
    }
  }
  if (seeds.size() > 0) {
    diagonal += degree.tail(nt).cwiseProduct(seeds.colwise().sum().transpose());
    arriving += seeds * degree.tail(nt).asDiagonal();
  }
  const SparseWeights among_target = weights.block(ns, ns, nt, nt);
  GraphSolution solved = solve_graph_system(among_target, diagonal, arriving, run, solver);
  HarmonicLabels labels{std::move(solved.solution), solved.iterations, solved.residual};
  for (Index j = 0; j < nt; ++j) labels.scores.col(j) /= std::max(labels.scores.col(j).sum(), 1e-12);
  return labels;
}

}  // namespace isthmus
