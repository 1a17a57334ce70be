#include "methods/rsa_cdda_labels.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "classify/harmonic.h"
#include "classify/nearest.h"
#include "classify/neighbour_graph.h"
#include "classify/propagation.h"
#include "classify/structural_risk.h"
#include "linalg/blas.h"

namespace isthmus {
namespace {

Matrix one_hot(const std::vector<int>& labels, int class_count) {
  Matrix scores = Matrix::Zero(class_count, static_cast<Index>(labels.size()));
  for (std::size_t i = 0; i < labels.size(); ++i) scores(labels[i], static_cast<Index>(i)) = 1.0;
  return scores;
}

/// One-hot source labels beside the target's scores: what is known at the vertices of the joint graph.
Matrix vertex_scores(const LabelEvidence& e, const Matrix& target_scores) {
  Matrix scores(e.class_count, e.features.cols());
  const auto ns = static_cast<Index>(e.source_labels.size());
  scores.leftCols(ns) = one_hot(e.source_labels, e.class_count);
  scores.rightCols(target_scores.cols()) = target_scores;
  return scores;
}

Embedding feature_embedding(const Matrix& projection, Index components) {
  Embedding embedding;
  embedding.projection = projection.leftCols(components);
  embedding.unit_columns = true;
  return embedding;
}

GraphOptions graph_options(const RsaCddaOptions& o) {
  return {*o.neighbours, o.local_scale, o.rank_decay, o.search};
}

Classifier graph_classifier(Matrix references, Matrix scores, Vector local_scale, const RsaCddaOptions& o) {
  return GraphScores{std::move(references), std::move(scores), std::move(local_scale),
                     *o.neighbours,         o.local_scale,     o.rank_decay};
}

LabelInference nearest_inference(const LabelEvidence& e, Index components, int threads) {
  const Matrix embedded = unit_embedding(e.features, e.projection, components, threads);
  const auto ns = static_cast<Index>(e.source_labels.size());
  const auto target = embedded.rightCols(embedded.cols() - ns);
  NearestReference nearest = make_nearest(embedded.leftCols(ns), e.source_labels, target, threads);
  LabelInference result;
  NearestClasses found = nearest_classes(nearest, target, e.class_count, threads);
  result.labels = std::move(found.labels);
  result.scores = std::move(found.scores);
  result.branches.push_back({feature_embedding(e.projection, components), std::move(nearest), 1.0});
  return result;
}

LabelInference propagation_inference(const LabelEvidence& e, const RsaCddaOptions& o, Index components,
                                     int threads) {
  Matrix embedded = unit_embedding(e.features, e.projection, components, threads);
  const auto ns = static_cast<Index>(e.source_labels.size());
  const Index nt = embedded.cols() - ns;
  const SparseWeights weights = class_aware_graph(embedded.leftCols(ns), e.source_labels,
                                                  embedded.rightCols(nt), *o.neighbours, threads);
  // Source labels weigh as if every class were equally large.
  Matrix seeds = Matrix::Zero(e.class_count, ns + nt);
  seeds.leftCols(ns) = one_hot(e.source_labels, e.class_count);
  const Vector counts = seeds.rowwise().sum();
  const Vector balance = static_cast<double>(ns) / e.class_count * counts.cwiseMax(1.0).cwiseInverse();
  seeds = balance.asDiagonal() * seeds;
  if (e.seeds.size() > 0) seeds.rightCols(nt) = *o.z_weight * e.seeds;
  const GraphSolution solved = propagate_labels(weights, seeds, o.alpha, threads);
  LabelInference result;
  result.residual = solved.residual;
  result.scores = solved.solution.rightCols(nt);
  columns_to_simplex(result.scores);
  if (o.class_mass > 0.0) match_class_mass(result.scores, counts / static_cast<double>(ns), o.class_mass);
  for (Index j = 0; j < nt; ++j) {  // no label reaches it: nothing is known
    if (result.scores.col(j).isZero(0.0)) result.scores.col(j).setConstant(1.0 / e.class_count);
  }
  result.labels = largest_rows(result.scores);
  GraphOptions exact = graph_options(o);
  exact.search = linalg::NeighbourSearch::Exact;
  const Vector local_scale = self_tuning_graph(embedded, exact, threads).local_scale;
  result.branches.push_back(
      {feature_embedding(e.projection, components),
       graph_classifier(std::move(embedded), vertex_scores(e, result.scores), local_scale, o), 1.0});
  return result;
}

/// Share of equal labels over all pairs of one list from each side.
double cross_agreement(const std::vector<std::vector<int>>& a, const std::vector<std::vector<int>>& b) {
  double same = 0;
  double total = 0;
  for (const std::vector<int>& left : a) {
    for (const std::vector<int>& right : b) {
      for (std::size_t j = 0; j < left.size(); ++j) same += left[j] == right[j] ? 1.0 : 0.0;
      total += static_cast<double>(left.size());
    }
  }
  return same / total;
}

/// Adds the standardised scores of harmonic labels and of the structural-risk classifier (or of one of them)
/// over several dimensions of the embedding: the two fail on different samples.
LabelInference geometry_inference(const LabelEvidence& e, const RsaCddaOptions& o,
                                  const std::vector<Index>& dimensions, int threads) {
  const StructuralRiskOptions risk_options{o.mmd_weight, o.laplacian_weight, o.classifier_ridge,
                                           o.classifier_rounds};
  const Matrix seeds = *o.z_weight > 0.0 ? Matrix(*o.z_weight * e.seeds) : Matrix();
  const auto ns = static_cast<Index>(e.source_labels.size());
  LabelInference result;
  result.scores = Matrix::Zero(e.class_count, e.features.cols() - ns);
  std::vector<std::vector<int>> risk_labels;
  std::vector<std::vector<int>> flow_labels;
  /// Counts a classifier's scores; returns the weight they got.
  const auto add = [&](const Matrix& scores, std::vector<std::vector<int>>& labels) {
    const double weight = standardising_weight(scores);
    result.scores += weight * scores;
    labels.push_back(largest_rows(scores));
    return weight;
  };
  for (const Index k : dimensions) {
    Matrix embedded = unit_embedding(e.features, e.projection, k, threads);
    NeighbourGraph graph = self_tuning_graph(embedded, graph_options(o), threads);
    if (o.search == linalg::NeighbourSearch::Approximate) {
      result.recall = std::min(result.recall.value_or(1.0), graph.recall);
    }
    if (o.z_edges > 0.0) add_reconstruction_edges(graph.weights, e.z, *o.neighbours, o.z_edges);
    const Embedding embedding = feature_embedding(e.projection, k);
    if (o.classifier != RsaCddaClassifier::Harmonic) {
      const std::vector<int> start = e.previous.empty()
                                         ? nearest_labels({embedded.leftCols(ns), e.source_labels, 1.0},
                                                          embedded.rightCols(embedded.cols() - ns), threads)
                                         : e.previous;
      StructuralRisk risk = structural_risk(embedded, graph.weights, e.source_labels, start, e.class_count,
                                            risk_options, threads);
      const double weight = add(risk.scores, risk_labels);
      result.branches.push_back({embedding, LinearScores{std::move(risk.weights)}, weight});
    }
    if (o.classifier != RsaCddaClassifier::Risk) {
      const HarmonicLabels harmonic =
          harmonic_labels(graph.weights, e.source_labels, e.class_count, o.leak, seeds, {}, threads);
      const double weight = add(harmonic.scores, flow_labels);
      result.residual = std::max(result.residual, harmonic.residual);
      result.branches.push_back({embedding,
                                 graph_classifier(std::move(embedded), vertex_scores(e, harmonic.scores),
                                                  std::move(graph.local_scale), o),
                                 weight});
    }
  }
  result.labels = largest_rows(result.scores);
  result.agreement = risk_labels.empty()   ? cross_agreement(flow_labels, flow_labels)
                     : flow_labels.empty() ? cross_agreement(risk_labels, risk_labels)
                                           : cross_agreement(risk_labels, flow_labels);
  return result;
}

}  // namespace

LabelInference infer_labels(const LabelEvidence& evidence, const RsaCddaOptions& options, int threads) {
  // Largest first: a model's first branch is its `transform`. Dimensions beyond the data's count once.
  std::vector<Index> dimensions;
  for (const int k : options.components) dimensions.push_back(std::min<Index>(k, evidence.projection.cols()));
  std::sort(dimensions.rbegin(), dimensions.rend());
  dimensions.erase(std::unique(dimensions.begin(), dimensions.end()), dimensions.end());
  switch (*options.classifier) {
    case RsaCddaClassifier::Nearest:
      return nearest_inference(evidence, dimensions.front(), threads);
    case RsaCddaClassifier::Propagation:
      return propagation_inference(evidence, options, dimensions.front(), threads);
    default:
      return geometry_inference(evidence, options, dimensions, threads);
  }
}

Matrix unit_embedding(const Matrix& features, const Matrix& projection, Index components, int threads) {
  Matrix embedded = linalg::multiply_transposed(projection.leftCols(components), features, threads);
  linalg::normalize_columns(embedded);
  return embedded;
}

Index count_changes(const std::vector<int>& before, const std::vector<int>& after) {
  if (before.empty()) return static_cast<Index>(after.size());
  Index changes = 0;
  for (std::size_t j = 0; j < after.size(); ++j) changes += before[j] != after[j] ? 1 : 0;
  return changes;
}

double standardising_weight(const Matrix& scores) {
  const double deviation = std::sqrt((scores.array() - scores.mean()).square().mean());
  return deviation > 1e-12 ? 1.0 / deviation : 1.0;
}

}  // namespace isthmus
