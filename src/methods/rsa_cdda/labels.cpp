#include "methods/rsa_cdda/labels.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "classify/graph_evidence.h"
#include "classify/harmonic.h"
#include "classify/logistic.h"
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
  return {*o.neighbours, o.local_scale, o.rank_decay};
}

Classifier graph_classifier(Matrix references, Matrix scores, Vector local_scale, const RsaCddaOptions& o) {
  return GraphScores{std::move(references), std::move(scores), std::move(local_scale),
                     *o.neighbours,         o.local_scale,     o.rank_decay};
}

LabelInference nearest_inference(const LabelEvidence& e, Index components, const Execution& run) {
  const Matrix embedded = unit_embedding(e.features, e.projection, components, run);
  const auto ns = static_cast<Index>(e.source_labels.size());
  const auto target = embedded.rightCols(embedded.cols() - ns);
  NearestReference nearest = make_nearest(embedded.leftCols(ns), e.source_labels, target, run);
  LabelInference result;
  NearestClasses found = nearest_classes(nearest, target, e.class_count, run);
  result.labels = std::move(found.labels);
  result.scores = std::move(found.scores);
  result.branches.push_back({feature_embedding(e.projection, components), std::move(nearest), 1.0});
  return result;
}

LabelInference propagation_inference(const LabelEvidence& e, const RsaCddaOptions& o, Index components,
                                     const Execution& run) {
  Matrix embedded = unit_embedding(e.features, e.projection, components, run);
  const auto ns = static_cast<Index>(e.source_labels.size());
  const Index nt = embedded.cols() - ns;
  const SparseWeights weights =
      class_aware_graph(embedded.leftCols(ns), e.source_labels, embedded.rightCols(nt), *o.neighbours, run);
  // Source labels weigh as if every class were equally large.
  Matrix seeds = Matrix::Zero(e.class_count, ns + nt);
  seeds.leftCols(ns) = one_hot(e.source_labels, e.class_count);
  const Vector counts = seeds.rowwise().sum();
  const Vector balance = static_cast<double>(ns) / e.class_count * counts.cwiseMax(1.0).cwiseInverse();
  seeds = balance.asDiagonal() * seeds;
  if (e.seeds.size() > 0) seeds.rightCols(nt) = *o.z_weight * e.seeds;
  const GraphSolution solved = propagate_labels(weights, seeds, o.alpha, run);
  LabelInference result;
  result.residual = solved.residual;
  result.scores = solved.solution.rightCols(nt);
  columns_to_simplex(result.scores);
  if (o.class_mass > 0.0) match_class_mass(result.scores, counts / static_cast<double>(ns), o.class_mass);
  for (Index j = 0; j < nt; ++j) {  // no label reaches it: nothing is known
    if (result.scores.col(j).isZero(0.0)) result.scores.col(j).setConstant(1.0 / e.class_count);
  }
  result.labels = largest_rows(result.scores);
  // The scales, which only new samples need, are found when the rounds are over.
  result.branches.push_back({feature_embedding(e.projection, components),
                             graph_classifier(std::move(embedded), vertex_scores(e, result.scores), {}, o),
                             1.0});
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

/// A voice's weight by its accuracy on the source: the log-odds against guessing.
double earned_weight(double accuracy, int class_count) {
  constexpr double kSurest = 0.99;  // beyond, a few samples of the source would decide
  const double guessing = 1.0 / class_count;
  const double a = std::clamp(accuracy, guessing + 1e-3, kSurest);
  return std::log(a * (class_count - 1) / (1.0 - a));
}

/// Harmonic labels and structural risk over several dimensions of the embedding, and on request a linear
/// voice: their standardised scores added, for they fail on different samples.
class GeometryVoices {
 public:
  GeometryVoices(const LabelEvidence& evidence, const RsaCddaOptions& options, const Voices& voices,
                 const Execution& run)
      : e_(evidence),
        o_(options),
        voices_(voices),
        run_(run),
        ns_(static_cast<Index>(evidence.source_labels.size())) {
    result_.scores = Matrix::Zero(e_.class_count, e_.features.cols() - ns_);
  }

  LabelInference infer(const std::vector<Index>& dimensions) {
    for (const Index k : dimensions) {
      Matrix embedded = unit_embedding(e_.features, e_.projection, k, run_);
      result_.branches.emplace_back(feature_embedding(e_.projection, k));
      NeighbourGraph graph = self_tuning_graph(embedded, graph_options(o_), run_, near());
      if (o_.z_edges > 0.0) add_reconstruction_edges(graph.weights, e_.z, *o_.neighbours, o_.z_edges);
      if (k == dimensions.front() && voices_.linear > 0.0) {
        add_linear(embedded, graph.weights, voices_.linear * static_cast<double>(dimensions.size()));
      }
      result_.neighbours.push_back(std::move(graph.neighbours));
      add_pair(std::move(embedded), std::move(graph));
    }
    result_.labels = largest_rows(result_.scores);
    result_.agreement = risk_labels_.empty()   ? cross_agreement(flow_labels_, flow_labels_)
                        : flow_labels_.empty() ? cross_agreement(risk_labels_, risk_labels_)
                                               : cross_agreement(risk_labels_, flow_labels_);
    return std::move(result_);
  }

 private:
  /// Where the next dimension's neighbours are likely to be: where they were the round before, or in the
  /// dimension before.
  const ops::NeighbourIndex* near() const {
    if (!e_.last.neighbours.empty()) return &e_.last.neighbours[result_.neighbours.size()];
    return result_.neighbours.empty() ? nullptr : &result_.neighbours.back();
  }

  /// Structural risk and harmonic labels in one embedding, or the one of them that was asked for.
  void add_pair(Matrix embedded, NeighbourGraph graph) {
    double risk_share = 1.0;
    double flow_share = 1.0;
    StructuralRisk risk;
    if (o_.classifier != RsaCddaClassifier::Harmonic) risk = find_risk(embedded, graph.weights);
    if (voices_.earned && o_.classifier == RsaCddaClassifier::Geometry) {
      // Where the domains lie apart, being right on the source says nothing about the target.
      const double gate = std::min(1.0, 2.0 * crossing_share(graph.weights, ns_));
      const double flow_accuracy = vote_accuracy(graph.weights, e_.source_labels, e_.class_count);
      risk_share = std::pow(earned_weight(risk.source_accuracy, e_.class_count), gate);
      flow_share = std::pow(earned_weight(flow_accuracy, e_.class_count), gate);
      const double half = (risk_share + flow_share) / 2.0;
      risk_share /= half;
      flow_share /= half;
    }
    if (o_.classifier != RsaCddaClassifier::Harmonic) {
      add(LinearScores{std::move(risk.weights)}, risk.scores, risk_share);
      risk_labels_.push_back(largest_rows(risk.scores));
    }
    if (o_.classifier == RsaCddaClassifier::Risk) return;
    const Matrix seeds = *o_.z_weight > 0.0 ? Matrix(*o_.z_weight * e_.seeds) : Matrix();
    const HarmonicLabels harmonic =
        harmonic_labels(graph.weights, e_.source_labels, e_.class_count, run_, o_.leak, seeds);
    result_.residual = std::max(result_.residual, harmonic.residual);
    flow_labels_.push_back(largest_rows(harmonic.scores));
    add(graph_classifier(std::move(embedded), vertex_scores(e_, harmonic.scores),
                         std::move(graph.local_scale), o_),
        harmonic.scores, flow_share);
  }

  StructuralRisk find_risk(const Matrix& embedded, const SparseWeights& weights) const {
    const std::vector<int> start = e_.last.labels.empty()
                                       ? nearest_labels({embedded.leftCols(ns_), e_.source_labels, 1.0},
                                                        embedded.rightCols(embedded.cols() - ns_), run_)
                                       : e_.last.labels;
    return structural_risk(embedded, weights, e_.source_labels, start, e_.class_count,
                           {o_.mmd_weight, o_.laplacian_weight, o_.classifier_ridge, o_.classifier_rounds},
                           run_);
  }

  /// Logistic regression on the source in the embedding. It counts less the rougher its labels are on the
  /// target's graph than the source's labels on the source's.
  void add_linear(const Matrix& embedded, const SparseWeights& weights, double share) {
    // Weak, so that the voice is sure of what it says (docs/science.md).
    constexpr double kRidge = 0.01;
    constexpr double kTolerance = 1e-9;
    const LogisticRegression regression(embedded.leftCols(ns_), e_.source_labels, e_.class_count, run_);
    const Context context = Context::inside(run_);
    // A linear run's first classifier.
    const LogisticScores* start =
        e_.last.branches.empty()
            ? nullptr
            : std::get_if<LogisticScores>(&e_.last.branches[0].classifiers[0].classifier);
    LogisticProblem problem{.ridge = kRidge, .weights = {}, .start = start, .tolerance = kTolerance};
    LogisticFit fit = regression.fit(problem, context);
    if (start != nullptr && fit.status != Status::Converged) {  // the embedding has turned
      problem.start = nullptr;
      fit = regression.fit(problem, context);
    }
    LogisticScores classifier = std::move(fit.classifier);
    const Matrix scores = logistic_scores(classifier, embedded.rightCols(embedded.cols() - ns_), run_);
    const double own = label_smoothness(weights, 0, e_.source_labels, e_.class_count);
    const double linear = label_smoothness(weights, ns_, largest_rows(scores), e_.class_count);
    result_.linear_smoothness = own > 0.0 ? std::min(1.0, linear / own) : 1.0;
    add(std::move(classifier), scores, share * std::pow(result_.linear_smoothness, 3));
  }

  /// Counts the scores of a voice in the last branch's embedding, divided by their deviation.
  void add(Classifier classifier, const Matrix& scores, double share) {
    const double weight = share * standardising_weight(scores);
    result_.scores += weight * scores;
    result_.branches.back().classifiers.push_back({std::move(classifier), weight});
  }

  const LabelEvidence& e_;
  const RsaCddaOptions& o_;
  const Voices& voices_;
  Execution run_;
  Index ns_;
  LabelInference result_;
  std::vector<std::vector<int>> risk_labels_;
  std::vector<std::vector<int>> flow_labels_;
};

}  // namespace

LabelInference infer_labels(const LabelEvidence& evidence, const RsaCddaOptions& options,
                            const Voices& voices, const Execution& run) {
  // Largest first: a model's first branch is its `transform`. Dimensions beyond the data's count once.
  std::vector<Index> dimensions;
  for (const int k : options.components) dimensions.push_back(std::min<Index>(k, evidence.projection.cols()));
  std::sort(dimensions.rbegin(), dimensions.rend());
  dimensions.erase(std::unique(dimensions.begin(), dimensions.end()), dimensions.end());
  switch (*options.classifier) {
    case RsaCddaClassifier::Nearest:
      return nearest_inference(evidence, dimensions.front(), run);
    case RsaCddaClassifier::Propagation:
      return propagation_inference(evidence, options, dimensions.front(), run);
    default:
      return GeometryVoices(evidence, options, voices, run).infer(dimensions);
  }
}

std::vector<Branch> finished_branches(LabelInference inference, const Matrix& map,
                                      const RsaCddaOptions& options, const Execution& run) {
  for (Branch& branch : inference.branches) {
    branch.embedding.projection = linalg::multiply(map, branch.embedding.projection, run);
    for (auto& [classifier, weight] : branch.classifiers) {
      auto* const graph = std::get_if<GraphScores>(&classifier);
      if (graph == nullptr || graph->local_scale.size() > 0) continue;
      graph->local_scale = self_tuning_graph(graph->references, graph_options(options), run).local_scale;
    }
  }
  return std::move(inference.branches);
}

Matrix unit_embedding(const Matrix& features, const Matrix& projection, Index components,
                      const Execution& run) {
  Matrix embedded = linalg::multiply_transposed(projection.leftCols(components), features, run);
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
