#include "methods/matching.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/last_finished.h"
#include "domain/scatter.h"
#include "linalg/blas.h"

namespace isthmus {
namespace {

/// Mean of the entries that are numbers.
double mean_of_known(const Vector& values) {
  double sum = 0;
  int known = 0;
  for (const double value : values) {
    if (std::isnan(value)) continue;
    sum += value;
    ++known;
  }
  return known > 0 ? sum / known : 0.0;
}

double lambda_unit(LambdaUnit unit, const Matrix& scatter) {
  const double percent = 0.01 * scatter.trace();
  return unit == LambdaUnit::Percent && percent > 0 ? percent : 1.0;
}

/// Writes what each round did into the report.
class RoundRecorder {
 public:
  RoundRecorder(Report& report, const FeatureSpace& space, const ClassNames& names)
      : report_(report), space_(space), names_(names) {}

  /// `means` are the class means in the space's coordinates, under the labels the round found.
  void add(const MatchedSubspace& subspace, const Matrix& means, const ClassMeans& classes,
           Index label_changes) {
    add("objective", subspace.objective);
    add("variance", subspace.variance);
    add("closeness", subspace.closeness);
    add("ridge", subspace.ridge);
    add("repulsion", subspace.repulsion);
    add("eigen_residual", subspace.residual);
    add("label_changes", static_cast<double>(label_changes));
    const Matrix& a = subspace.directions;
    const double variance = a.cwiseProduct(linalg::multiply(space_.scatter, a, 1)).sum();
    add_distances("_before", mean_distances(means, classes), space_.scatter.trace());
    add_distances("", mean_distances(linalg::multiply_transposed(a, means, 1), classes), variance);
  }

 private:
  void add(const std::string& name, double value) { report_.series[name].push_back(value); }

  /// Squared distances of means in units of the mean squared distance of a sample from the joint mean.
  void add_distances(const std::string& when, const MeanDistances& distances, double total_variance) {
    const double unit = total_variance / static_cast<double>(space_.count());
    const double scale = unit > 0 ? 1.0 / unit : 0.0;
    add("mmd_marginal" + when, scale * distances.marginal);
    add("mmd_class" + when, scale * mean_of_known(distances.classes));
    for (int c = 0; c < names_.size(); ++c) {
      add(fmt::format("mmd_class{}:{}", when, names_[c]), scale * distances.classes[c]);
    }
  }

  Report& report_;
  const FeatureSpace& space_;
  const ClassNames& names_;
};

void note_empty_classes(Report& report, const std::vector<int>& labels, const ClassNames& names) {
  for (int c = 0; c < names.size(); ++c) {
    if (std::find(labels.begin(), labels.end(), c) != labels.end()) continue;
    report.notes.push_back(fmt::format("no target sample was labelled '{}'", names[c]));
  }
}

/// Fills in what was left to the method.
void fill_in_choices(MatchingOptions& o, const FeatureSpace& space) {
  o.components = choose_components(o.components, 100, space.dimension(), space.count());
  if (!space.kernel) return;
  o.kernel.width = space.kernel->width;
  o.kernel.size = space.size;
}

/// The embedding of new samples, from that of stored ones.
Embedding for_new_samples(Embedding embedding, const FeatureSpace& space) {
  if (!space.kernel) return embedding;
  embedding.projection = linalg::multiply(space.kernel_basis, embedding.projection, 1);
  embedding.kernel = space.kernel;
  return embedding;
}

/// What a round leaves behind.
struct Round {
  Embedding embedding;
  Classifier classifier;
  std::vector<int> labels;
};

/// The rounds of the family, written into the report.
class Rounds {
 public:
  Rounds(const DomainPair& pair, const MatchingOptions& o, const MatchingProblem& problem,
         const FeatureSpace& space, const Context& context, Report& report)
      : problem_(problem),
        space_(space),
        context_(context),
        report_(report),
        unit_columns_(o.normalize_embedding),
        references_(pair, o.references, context),
        matcher_(space.scatter, problem, context),
        classes_(space.source, pair.source_labels(), space.target, {}, pair.class_count(), context),
        recorder_(report, space, pair.classes()),
        means_(space.coordinates(classes_.means())) {}

  /// Until a rule ends them.
  Status alternate(int rounds) {
    for (int round = 1; round <= rounds; ++round) {
      const MatchedSubspace subspace = match();
      const Index changes = label(subspace, context_.after(round - 1).quiet());
      report_.iterations = round;
      const Decision decision =
          context_.report({"round", round, rounds, subspace.objective, static_cast<int>(changes)});
      // The same labels, or a problem that does not look at labels, give the same subspace ever after.
      if (changes == 0 || (problem_.closeness.conditional == 0.0 && !problem_.repulsion))
        return Status::Converged;
      if (decision == Decision::Stop) return Status::Stopped;
    }
    return Status::IterationLimit;
  }

  Round& last() { return last_; }
  const SourceReferences& references() const { return references_; }

 private:
  MatchedSubspace match() {
    const PhaseTimer timer(report_, "subspace");
    return matcher_.solve(means_, classes_);
  }

  /// Labels in the subspace, and the round is done; returns how many changed.
  Index label(const MatchedSubspace& subspace, const Context& inside) {
    const PhaseTimer timer(report_, "labels");
    Round now;
    now.embedding.unit_columns = unit_columns_;
    now.embedding.projection = space_.on_stored(subspace.directions);
    now.classifier = references_.embed(now.embedding, space_.source, inside);
    now.labels = references_.label(now.embedding, now.classifier, space_.target, inside);
    const Index changes = classes_.relabel(space_.target, now.labels, inside);
    means_ = space_.coordinates(classes_.means());
    recorder_.add(subspace, means_, classes_, changes);
    last_ = std::move(now);
    return changes;
  }

  const MatchingProblem& problem_;
  const FeatureSpace& space_;
  const Context& context_;
  Report& report_;
  bool unit_columns_;
  SourceReferences references_;
  SubspaceMatcher matcher_;
  ClassMeans classes_;
  RoundRecorder recorder_;
  Matrix means_;
  Round last_;
};

}  // namespace

void describe_matching(OptionVisitor& visit, MatchingOptions& o) {
  visit.integer("components", o.components, {.low = 1},
                "Dimension of the subspace; no more than features (after a kernel: its rank) or samples − 1. "
                "auto: 100, as in the published comparison, or as many as there are.");
  visit.real(
      "lambda", o.lambda, {.low = 1e-12},
      "Weight of ‖A‖² against the distance between the domains, in 'lambda_unit'; the larger, the closer to "
      "PCA.");
  visit.choice("lambda_unit", o.lambda_unit,
               {{"percent", LambdaUnit::Percent}, {"absolute", LambdaUnit::Absolute}},
               "percent: of the total scatter, so that a value means the same for any number of samples and "
               "scale of features. absolute: the plain number, as published: there 0.1 on primal features of "
               "unit length, 1 with the linear kernel, at 500 to 4000 samples.");
  describe_kernel(visit, o.kernel);
  visit.choice(
      "scaling", o.scaling,
      {{"unit", Scaling::Unit}, {"metric", Scaling::Metric}, {"whitened", Scaling::Whitened}},
      "Length of the projection's columns: 1 (unit, as published), 1 in the metric of closeness and ridge, "
      "or such that each embedded feature has variance 1 (whitened).");
  visit.flag("normalize_embedding", o.normalize_embedding,
             "Scale each embedded sample to length 1 before labelling.");
  describe_references(visit, o.references);
}

void describe_rounds(OptionVisitor& visit, RoundOptions& o) {
  visit.integer(
      "rounds", o.rounds, {.low = 1},
      "Rounds at most; the first matches the domains as a whole, each further one the classes by the "
      "labels found before. Stops when the labels repeat.");
  visit.choice("weighting", o.weighting, {{"plain", Weighting::Plain}, {"balanced", Weighting::Balanced}},
               "Domains and classes weigh alike (plain), or as 'balance' says.");
  visit.real(
      "balance", o.balance, {.low = 0.0, .high = 1.0},
      "With weighting = balanced, the share of the classes: 0 matches the domains only, 1 the classes only.");
  visit.choice(
      "empty_class", o.empty_class, {{"drop", EmptyClass::Drop}, {"keep-half", EmptyClass::KeepHalf}},
      "What becomes of the term of a class that no target sample is labelled with: dropped, or its source "
      "half kept, as in the published JDA.");
}

ClosenessWeights closeness_weights(const RoundOptions& o, int class_count) {
  if (o.weighting == Weighting::Plain) return {static_cast<double>(class_count), 1.0, o.empty_class};
  return {(1.0 - o.balance) * class_count, o.balance, o.empty_class};
}

ModelState fit_matching(const DomainPair& pair, MatchingOptions& o, MatchingProblem problem, int rounds,
                        const Context& context) {
  ModelState state;
  Report& report = state.report;
  FeatureSpace space;
  {
    const PhaseTimer timer(report, "features");
    space = make_feature_space(pair, o.kernel, context);
  }
  report.notes = space.notes;
  fill_in_choices(o, space);
  problem.components = *o.components;
  problem.ridge = o.lambda * lambda_unit(o.lambda_unit, space.scatter);
  problem.scaling = o.scaling;
  report.facts["components"] = static_cast<double>(problem.components);
  report.facts["feature_rank"] = static_cast<double>(space.dimension());

  choose_references(o.references, {pair.source_count(), pair.target_count(), problem.components, rounds},
                    report);

  Rounds fit(pair, o, problem, space, context, report);
  report.status = to_last_finished(report.iterations, [&] { return fit.alternate(rounds); });
  Round& last = fit.last();
  note_empty_classes(report, last.labels, pair.classes());
  if (fit.references().ridge()) {
    o.references.logistic.ridge = fit.references().ridge();
    report.facts["classifier_ridge"] = *fit.references().ridge();
  }

  const PhaseTimer timer(report, "labels");
  state.target.probabilities =
      fit.references().score(last.embedding, last.classifier, space.target, context.unstoppable());
  state.target.labels = std::move(last.labels);
  state.branches.push_back(
      {for_new_samples(std::move(last.embedding), space), std::move(last.classifier), 1.0});
  return state;
}

}  // namespace isthmus
