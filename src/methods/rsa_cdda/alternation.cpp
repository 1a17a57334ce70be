#include "methods/rsa_cdda/alternation.h"

#include <algorithm>
#include <cmath>

#include "classify/propagation.h"
#include "isthmus/errors.h"
#include "linalg/blas.h"
#include "ops/operations.h"

namespace isthmus {
namespace {

/// λ as given holds up to this many samples, where it was measured. Beyond, it grows as nᵖ, like the terms it
/// stands against: a fixed one means ever less (demo, 20,000 samples: 66 % against 78 %).
constexpr double kLambdaSamples = 4000.0;

/// The geometry mode weighs all directions alike; the corrected one keeps A orthonormal in its own metric.
MatchingProblem matching_problem(const RsaCddaOptions& o, int class_count, Index dimension, Index count) {
  const bool geometry = o.mode == RsaCddaMode::Geometry;
  const Index wanted = *std::max_element(o.components.begin(), o.components.end());
  MatchingProblem problem;
  problem.components = std::min(wanted, std::max<Index>(dimension - 1, 1));
  problem.ridge =
      *o.lambda * std::pow(std::max(1.0, static_cast<double>(count) / kLambdaSamples), o.spectrum);
  problem.closeness = {static_cast<double>(class_count), 1.0,
                       geometry ? EmptyClass::Drop : EmptyClass::KeepHalf,
                       o.shares == RsaCddaShares::Target ? SourceShares::Target : SourceShares::Own};
  problem.closeness_weight = o.closeness;
  if (o.gamma > 0.0) problem.repulsion = RepulsionWeights{o.gamma, o.gamma, o.gamma};
  problem.scaling = geometry ? Scaling::Unit : Scaling::Metric;
  return problem;
}

/// Class scores of Z: the positive weight of each source class in a target sample's reconstruction, classes
/// counted as if equally large.
Matrix reconstruction_scores(const Matrix& z_sparse, const std::vector<int>& source_labels, int class_count) {
  Vector counts = Vector::Zero(class_count);
  for (const int label : source_labels) counts[label] += 1.0;
  Matrix scores = Matrix::Zero(class_count, z_sparse.cols());
  for (Index j = 0; j < z_sparse.cols(); ++j) {
    for (Index i = 0; i < z_sparse.rows(); ++i) {
      const int label = source_labels[static_cast<std::size_t>(i)];
      scores(label, j) += std::max(z_sparse(i, j), 0.0) / counts[label];
    }
  }
  columns_to_simplex(scores);
  return scores;
}

}  // namespace

Series series_of(const std::vector<RsaCddaRound>& rounds) {
  Series series;
  for (const RsaCddaRound& round : rounds) {
    record(series, {{"objective", round.objective},
                    {"closeness", round.closeness},
                    {"repulsion", round.repulsion},
                    {"variance", round.variance},
                    {"ridge", round.ridge},
                    {"eigen_residual", round.eigen_residual},
                    {"graph_residual", round.graph_residual},
                    {"label_changes", static_cast<double>(round.label_changes)}});
    if (!round.reconstruction) continue;
    record(series, {{"reconstruction_objective", round.reconstruction->objective},
                    {"reconstruction_rank", static_cast<double>(round.reconstruction->rank)},
                    {"reconstruction_zero_share", round.reconstruction->zero_share}});
  }
  return series;
}

RsaCddaAlternation::RsaCddaAlternation(const SpectralCoordinates& coordinates,
                                       const std::vector<int>& source_labels, int class_count,
                                       RsaCddaOptions options, const Voices& voices, const Execution& run)
    : coordinates_(coordinates),
      source_labels_(source_labels),
      class_count_(class_count),
      options_(std::move(options)),
      voices_(voices),
      features_(coordinates.features(options_.spectrum)),
      classes_(source(), source_labels, target(), {}, class_count, run),
      matcher_(ops::moments({features_}, run).scatter(),
               matching_problem(options_, class_count, features_.rows(), features_.cols()), run) {}

void RsaCddaAlternation::compute_round(const Context& context) {
  const std::vector<int>& before = labels();
  if (!before.empty()) classes_.relabel(target(), before, context);
  MatchedSubspace subspace = matcher_.solve(classes_.means(), classes_, last_.robust);
  Round now;
  now.projection = std::move(subspace.directions);
  Evidence evidence;
  if (*options_.geo > 0.0 || *options_.z_weight > 0.0 || options_.z_edges > 0.0)
    evidence = use_reconstruction(now, context);
  now.inference = infer_labels({features_, source_labels_, class_count_, now.projection, last_.inference,
                                evidence.seeds, evidence.rebuilt.z_sparse},
                               options_, voices_, context);
  // One that the deadline cut short explains nothing.
  if (options_.explain && evidence.seeds.size() > 0 && evidence.rebuilt.report.status != Status::Stopped) {
    evidence.rebuilt.z.resize(0, 0);
    now.rebuilt = std::move(evidence.rebuilt);
  }
  const Index changes = count_changes(before, now.inference.labels);
  now.converged = changes == 0 && !before.empty();
  now.numbers = {subspace.objective, subspace.closeness, subspace.repulsion,     subspace.variance,
                 subspace.ridge,     subspace.residual,  now.inference.residual, changes,
                 evidence.measure};
  next_ = std::move(now);
}

void RsaCddaAlternation::finish_round() {
  last_ = std::move(next_);
  rounds_.push_back(last_.numbers);
}

ReconstructionOptions RsaCddaAlternation::reconstruction_options() const {
  ReconstructionOptions o;
  o.error_norm = *options_.error_norm;
  o.weights = {*options_.lambda1, *options_.lambda2};
  o.penalty = options_.penalty;
  o.growth = *options_.growth;
  o.iterations = options_.reconstruction_iterations;
  return o;
}

Reconstruction RsaCddaAlternation::take_reconstruction(const Context& context) {
  return last_.rebuilt ? std::move(*last_.rebuilt) : reconstruct_in(last_.projection, context);
}

Reconstruction RsaCddaAlternation::reconstruct_in(const Matrix& projection, const Context& context) const {
  const auto ns = static_cast<Index>(source_labels_.size());
  const Matrix embedded = unit_embedding(features_, projection, projection.cols(), context);
  // The rounds are what is reported.
  Reconstruction found = reconstruct(embedded.leftCols(ns), embedded.rightCols(embedded.cols() - ns),
                                     reconstruction_options(), context.quiet());
  // Cancelled at the end of a sweep: the round, or the explanation, ends with it.
  if (found.report.status == Status::Stopped && !context.out_of_time()) throw Cancelled();
  return found;
}

RsaCddaAlternation::Evidence RsaCddaAlternation::use_reconstruction(Round& now,
                                                                    const Context& context) const {
  Reconstruction found = reconstruct_in(now.projection, context);
  Evidence evidence{reconstruction_scores(found.z_sparse, source_labels_, class_count_), {}, found.measure};
  evidence.rebuilt = std::move(found);
  if (!(*options_.geo > 0.0)) return evidence;
  // R = (geo/nt) Σ_j w_j g_j g_jᵀ, g_j = x_j − Xs z_j, w_j ∝ 1/max(‖e_j‖, 1e-3) with mean 1: outliers, whose
  // e_j is large, stop steering A.
  Matrix gap = target();
  linalg::gemm(linalg::Op::None, linalg::Op::None, -1.0, source(), evidence.rebuilt.z, 1.0, gap, context);
  Vector weights = evidence.rebuilt.error.colwise().norm().cwiseMax(1e-3).cwiseInverse();
  weights *= *options_.geo / (weights.mean() * static_cast<double>(gap.cols()));
  gap = gap * weights.cwiseSqrt().asDiagonal();
  now.robust = linalg::gram(gap, context);
  return evidence;
}

std::vector<Branch> RsaCddaAlternation::take_branches(const Execution& run) {
  return finished_branches(std::move(last_.inference), coordinates_.map(options_.spectrum), options_, run);
}

}  // namespace isthmus
