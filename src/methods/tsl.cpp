#include "methods/tsl.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/options_io.h"
#include "domain/kde_divergence.h"
#include "domain/scatter.h"
#include "isthmus/errors.h"
#include "linalg/blas.h"
#include "linalg/stiefel.h"
#include "linalg/subspace.h"
#include "samples/summaries.h"

namespace isthmus {
namespace {

/// Both domains in the coordinates of their joint principal components, of which W is a combination: the
/// gradient never leaves their span.
struct ReducedDomains {
  linalg::PrincipalSubspace joint;
  Matrix source;  // r×ns
  Matrix target;  // r×nt
};

ReducedDomains reduce(const DomainPair& pair, const Execution& run) {
  ReducedDomains reduced;
  reduced.joint = linalg::principal_subspace({pair.source(), pair.target()}, pair.dimension(), run);
  const Vector offset = reduced.joint.basis.transpose() * reduced.joint.mean;
  reduced.source =
      linalg::multiply_transposed(reduced.joint.basis, pair.source().view(), run).colwise() - offset;
  reduced.target =
      linalg::multiply_transposed(reduced.joint.basis, pair.target().view(), run).colwise() - offset;
  return reduced;
}

/// Median distance in the leading components; where most samples coincide, the root mean square distance.
double start_width(const ReducedDomains& reduced, Index components, const Execution& run) {
  const double median =
      median_distance(reduced.source.topRows(components), reduced.target.topRows(components), run);
  if (median > 0) return median;
  const auto count = static_cast<double>(reduced.source.cols() + reduced.target.cols());
  return std::sqrt(2.0 * reduced.joint.scatter.head(components).sum() / count);
}

/// The wanted dimension, or 50; no more than the samples span.
int choose_dimension(std::optional<int> wanted, Index rank) {
  if (!wanted) return static_cast<int>(std::min<Index>(50, rank));
  if (*wanted > rank) {
    throw InvalidArgument(
        fmt::format("option 'components' is {}; expected at most {}, the dimension that the samples "
                    "of both domains span: ask for fewer components",
                    *wanted, rank));
  }
  return *wanted;
}

/// `o` is resolved.
TransferObjective make_objective(const ReducedDomains& reduced, const DomainPair& pair, const TslOptions& o,
                                 Report& report, const Context& context) {
  const TransferObjective::Settings settings{
      .criterion = o.criterion, .ridge = o.regularization, .lambda = o.lambda, .width = *o.bandwidth};
  report.facts["bandwidth"] = settings.width;
  ClassScatter scatter = class_scatter(reduced.source, pair.source_labels(), pair.class_count(), context);
  Matrix source =
      SampleView(reduced.source).pick(draw_numbers(pair.source_count(), o.max_samples, context.seed));
  Matrix target =
      SampleView(reduced.target).pick(draw_numbers(pair.target_count(), o.max_samples, context.seed));
  report.facts["divergence_source_samples"] = static_cast<double>(source.cols());
  report.facts["divergence_target_samples"] = static_cast<double>(target.cols());
  if (source.cols() < pair.source_count() || target.cols() < pair.target_count()) {
    report.notes.push_back(
        fmt::format("the divergence is measured on {} of {} source and {} of {} target samples, drawn with "
                    "seed {} (max_samples)",
                    source.cols(), pair.source_count(), target.cols(), pair.target_count(), context.seed));
  }
  return {std::move(scatter), std::move(source), std::move(target), settings};
}

/// Descends from the joint principal components and writes down every step; returns W.
Matrix descend(TransferObjective& objective, const Matrix& start, const TslOptions& o, Report& report,
               const Context& context) {
  report.facts["objective_start"] = objective.evaluate(start, nullptr, context);
  report.facts["criterion_start"] = objective.terms().criterion;
  report.facts["divergence_start"] = objective.terms().divergence;
  linalg::StiefelResult result = linalg::minimize_on_stiefel(
      start,
      [&](const Matrix& w, Matrix* gradient) {
        return objective.evaluate(w, gradient, context.after(report.iterations));
      },
      {.iterations = o.iterations, .tolerance = o.tolerance},
      [&](const linalg::StiefelStep& step) {
        report.iterations = step.iteration;
        report.series["objective"].push_back(step.objective);
        report.series["criterion"].push_back(objective.terms().criterion);
        report.series["divergence"].push_back(objective.terms().divergence);
        report.series["gradient_norm"].push_back(step.gradient_norm);
        return context.report({"descent", step.iteration, o.iterations, step.objective});
      });
  report.status = result.status;
  return std::move(result.point);
}

}  // namespace

void describe(OptionVisitor& visit, TslOptions& o) {
  visit.choice(
      "criterion", o.criterion, {{"fisher", TransferCriterion::Fisher}, {"pca", TransferCriterion::Pca}},
      "What the subspace must be good for on the source: separating its classes, or keeping its variance.");
  visit.integer(
      "components", o.components, {.low = 1},
      "Dimension of the subspace; no more than the samples span. auto: 50, or as many as there are. Its "
      "cost grows with it; accuracy hardly does.");
  visit.real(
      "lambda", o.lambda, {.low = 0},
      "Weight of the divergence between the domains. The divergence is small beside the criterion, hence a "
      "default above 1.");
  visit.real(
      "regularization", o.regularization, {.low = 0},
      "Added to both sides of Fisher's ratio, as a share of the source's variance, so that directions of "
      "next to no variance cannot separate the classes by chance. Unused by the pca criterion.");
  visit.real(
      "bandwidth", o.bandwidth, {.low = kAboveZero},
      "Width of the Gaussians in the divergence; auto: the median distance between a source and a target "
      "sample in the first subspace.");
  visit.integer("iterations", o.iterations, {.low = 0},
                "Descent steps at most; 0 keeps the principal components.");
  visit.real("tolerance", o.tolerance, {.low = 0},
             "Stops when a step lowers the objective by less than this, on the average of five steps.");
  visit.integer(
      "max_samples", o.max_samples, {.low = 1},
      "Samples of each domain in the divergence, whose cost is quadratic; more are drawn at random by the "
      "seed.");
  visit.flag("normalize", o.normalize, "Scales each embedded sample to unit length before 1-NN.");
  describe_references(visit, o.classifier);
}

ModelState fit_tsl(const DomainPair& pair, TslOptions o, const Context& context) {
  Report report;
  Embedding embedding;
  {
    const PhaseTimer timer(report, "subspace");
    const ReducedDomains reduced = reduce(pair, context);
    const Index rank = reduced.joint.basis.cols();
    o.components = choose_dimension(o.components, rank);
    if (!o.bandwidth) o.bandwidth = start_width(reduced, *o.components, context);
    TransferObjective objective = make_objective(reduced, pair, o, report, context);
    const Matrix w = descend(objective, Matrix::Identity(rank, *o.components), o, report, context);
    embedding.projection = linalg::multiply(reduced.joint.basis, w, context.unstoppable());
    embedding.offset = -embedding.projection.transpose() * reduced.joint.mean;
    embedding.unit_columns = o.normalize;
    report.facts["components"] = *o.components;
  }
  return source_state(pair, o, std::move(embedding), std::nullopt, std::move(report), context.unstoppable());
}

}  // namespace isthmus
