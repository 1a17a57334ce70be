#include "methods/ltsl.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "alm/prototypes.h"
#include "alm/reconstruct.h"
#include "core/last_finished.h"
#include "core/options_io.h"
#include "core/record.h"
#include "domain/scatter.h"
#include "domain/transfer_objective.h"
#include "linalg/blas.h"
#include "linalg/eigen.h"

namespace isthmus {
namespace {

using linalg::Op;

/// F(P) = −tr(Pᵀ gain P) under Pᵀ metric P = I; an empty metric is the identity.
struct Criterion {
  Matrix gain;
  Matrix metric;
  Index components;

  /// Minimises −tr(Pᵀ gain P) + tr(Pᵀ extra P) under the constraint.
  Matrix project(const Matrix& extra, const Execution& run) const {
    const Matrix form = gain - extra;
    return metric.size() == 0 ? linalg::largest_eigen(form, components, run).vectors
                              : linalg::generalized_largest_eigen(form, metric, components).vectors;
  }
  double value(const Matrix& p) const { return -(p.transpose() * gain * p).trace(); }
};

Criterion pca_criterion(const DomainPair& pair, const LtslOptions& o, const Context& context) {
  return {joint_moments(pair.source(), pair.target(), context).scatter(),
          {},
          choose_components(o.components, 100, pair)};
}

Criterion lda_criterion(const DomainPair& pair, const LtslOptions& o, const Context& context) {
  const Index d = pair.dimension();
  ClassScatter scatter = class_scatter(pair.source(), pair.source_labels(), pair.class_count(), context);
  scatter.total.diagonal().array() +=
      std::max(o.ridge * scatter.total.trace() / static_cast<double>(d), 1e-12);
  const Index most = std::min<Index>(pair.class_count() - 1, d);
  const Index components = o.components ? std::min<Index>(*o.components, most) : most;
  return {std::move(scatter.between), scatter.total / static_cast<double>(pair.source_count()), components};
}

/// Xt − Xs Z, d×nt.
Matrix unexplained(const MatrixView& target, const Matrix& dictionary, const Matrix& z,
                   const Execution& run) {
  Matrix v = target;
  linalg::gemm(Op::None, Op::None, -1.0, dictionary, z, 1.0, v, run);
  return v;
}

/// ½λ V diag(1/‖Pᵀv_j‖) Vᵀ: with it the quadratic form touches λ‖PᵀV‖₂,₁ at P and lies above it elsewhere, so
/// that minimising the form never increases the norm's share of the energy.
Matrix majorised_error(Matrix v, const Vector& lengths, double lambda, const Execution& run) {
  const double longest = lengths.maxCoeff();
  if (longest == 0) return Matrix::Zero(v.rows(), v.rows());
  const double floor = 1e-8 * longest;
  v *= (0.5 * lambda / lengths.array().max(floor)).sqrt().matrix().asDiagonal();
  return linalg::gram(v, run);
}

/// Alternates until a rule ends it. Leaves the last round's projection in `projection`, the E of its
/// reconstruction in `error`.
Status alternate(const MatrixView& target, const Matrix& dictionary, const Criterion& criterion,
                 const LtslOptions& o, const Context& context, Matrix& projection, Matrix& error,
                 Report& report) {
  ReconstructionOptions inner;
  inner.weights = {o.lambda, 0.0};
  inner.penalty = o.penalty;
  inner.growth = o.growth;
  inner.iterations = o.sweeps;
  double last = std::numeric_limits<double>::infinity();
  for (int round = 1; round <= o.rounds; ++round) {
    const Context inside = context.after(round - 1).quiet();
    const Execution run = inside;
    Matrix p = projection;
    Reconstruction rebuilt = reconstruct(linalg::multiply_transposed(p, dictionary, run),
                                         linalg::multiply_transposed(p, target, run), inner, inside);
    const Matrix v = unexplained(target, dictionary, rebuilt.z, run);
    const double nuclear = rebuilt.z_low_rank.values.sum();
    const auto energy = [&] {
      return criterion.value(p) + nuclear +
             o.lambda * linalg::multiply_transposed(p, v, run).colwise().norm().sum();
    };
    const double before = energy();
    const Vector lengths = linalg::multiply_transposed(p, v, run).colwise().norm().transpose();
    p = criterion.project(majorised_error(v, lengths, o.lambda, run), run);
    const double after = energy();
    projection = std::move(p);
    error = std::move(rebuilt.error);
    report.iterations = round;
    record(report.series, {{"energy_before_projection", before},
                           {"energy", after},
                           {"criterion", criterion.value(projection)},
                           {"nuclear_norm", nuclear},
                           {"rank", static_cast<double>(rebuilt.z_low_rank.rank())},
                           {"residual_reconstruction", rebuilt.measure.reconstruction_residual}});
    if (round == 1)
      report.notes.insert(report.notes.end(), rebuilt.report.notes.begin(), rebuilt.report.notes.end());
    const Decision decision =
        context.report({.phase = "round", .iteration = round, .limit = o.rounds, .objective = after});
    if (std::abs(last - after) <= o.tolerance * std::abs(after)) return Status::Converged;
    if (decision == Decision::Stop) return Status::Stopped;
    last = after;
  }
  return Status::IterationLimit;
}

}  // namespace

void describe(OptionVisitor& visit, LtslOptions& o) {
  constexpr double kTiny = 1e-12;
  visit.choice(
      "criterion", o.criterion, {{"pca", LtslCriterion::Pca}, {"lda", LtslCriterion::Lda}},
      "What the subspace keeps: the variance of both domains, or the separation of the source classes.");
  visit.integer("components", o.components, {.low = 1},
                "Dimension of the subspace; lda has at most classes − 1. auto: 100, as in the published "
                "comparison, or as many as there are.");
  visit.real("lambda", o.lambda, {.low = kTiny},
             "Weight of the error ‖E‖₂,₁ against ‖Z‖_* and the criterion; small: Z is zero and the criterion "
             "rules.");
  visit.real("ridge", o.ridge, {.low = 0},
             "Added to lda's total scatter, relative to its mean eigenvalue; needed where features outnumber "
             "source samples.");
  visit.integer("rounds", o.rounds, {.low = 1}, "Alternations of reconstruction and projection at most.");
  visit.integer("sweeps", o.sweeps, {.low = 1},
                "Sweeps of the reconstruction each round; 12 leave the constraint nearly exact.");
  visit.real("penalty", o.penalty, {.low = kTiny}, "μ of a reconstruction's first sweep.");
  visit.real("growth", o.growth, {.low = 1, .high = 10}, "Factor of μ from sweep to sweep.");
  visit.real("tolerance", o.tolerance, {.low = 0}, "Stops when the energy changes relatively less.");
  visit.flag("normalize_embedding", o.normalize_embedding,
             "Scale each embedded sample to length 1 before 1-NN.");
  visit.integer("prototypes", o.prototypes, {.low = 1},
                "Source samples that may rebuild the target, spread evenly over the classes; auto: all.");
  describe_classifier(visit, o.classifier);
}

ModelState fit_ltsl(const DomainPair& pair, LtslOptions o, const Context& context) {
  Report report;
  Embedding embedding;
  Matrix error;
  {
    const PhaseTimer timer(report, "subspace");
    const Criterion criterion =
        o.criterion == LtslCriterion::Pca ? pca_criterion(pair, o, context) : lda_criterion(pair, o, context);
    const Matrix dictionary =
        reconstruction_dictionary(pair.source(), pair.source_labels(), o.prototypes, context.seed, context);
    o.components = static_cast<int>(criterion.components);
    o.prototypes = static_cast<int>(dictionary.cols());
    embedding.projection = criterion.project(Matrix::Zero(pair.dimension(), pair.dimension()), context);
    report.status = to_last_finished(report.iterations, [&] {
      return alternate(pair.target().view(), dictionary, criterion, o, context, embedding.projection, error,
                       report);
    });
    embedding.unit_columns = o.normalize_embedding;
    report.facts["components"] = static_cast<double>(embedding.projection.cols());
  }
  ModelState state =
      source_state(pair, o, std::move(embedding), std::nullopt, std::move(report), context.unstoppable());
  state.target.outlier_scores = error.colwise().norm().transpose();
  return state;
}

}  // namespace isthmus
