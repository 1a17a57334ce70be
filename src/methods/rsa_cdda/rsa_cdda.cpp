#include "methods/rsa_cdda/rsa_cdda.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/options_io.h"
#include "isthmus/errors.h"
#include "methods/rsa_cdda/committee.h"
#include "methods/rsa_cdda/landmarks.h"
#include "methods/rsa_cdda/printed.h"
#include "methods/rsa_cdda/runs.h"
#include "methods/source_copies.h"

namespace isthmus {
namespace {

void describe_embedding(OptionVisitor& visit, RsaCddaOptions& o) {
  visit.integer_list(
      "components", o.components, {.low = 1},
      "Dimensions of the embedding that the geometry classifier looks at together; the others use "
      "the largest. Single ones lose one to two points on the benchmark.");
  visit.integer(
      "rank", o.rank, {.low = 1},
      "Leading singular directions of the data that are kept; auto: 200 (at least twice the components) in "
      "geometry and corrected mode, 400 in printed.");
  visit.real(
      "spectrum", o.spectrum, {.low = 0, .high = 4},
      "p of the features Σ^p Vᵀ: 2 is the linear kernel, 1 the samples themselves, below 1 nearly white.");
  visit.real(
      "lambda", o.lambda, {.low = kAboveZero},
      "Ridge λ on the projection; auto: 0.3 in geometry mode, 1 in corrected and printed. 0.1 to 1 differ by "
      "0.7 points on the benchmark.");
  visit.real("closeness", o.closeness, {.low = 0},
             "Weight of the distance between the domains and their classes; 0 switches it off.");
  visit.real("gamma", o.gamma, {.low = 0},
             "Weight of the repulsion between classes against the variance (both scaled to equal traces); 0 "
             "switches it off.");
  visit.choice(
      "shares", o.shares,
      {{"own", RsaCddaShares::Own}, {"target", RsaCddaShares::Target}, {"mixed", RsaCddaShares::Mixed}},
      "Shares of the source's classes where its mean is compared with the target's: its own, those of the "
      "target's labels so far, or mixed: the target's in runs with a linear voice or a flat spectrum. auto: "
      "mixed in geometry mode, own in the others.");
}

void describe_classifiers(OptionVisitor& visit, RsaCddaOptions& o) {
  visit.integer(
      "neighbours", o.neighbours, {.low = 1},
      "Neighbours of a sample in the graph; auto: 20 for the geometry classifier, 5 for propagation.");
  visit.integer("local_scale", o.local_scale, {.low = 1},
                "A sample's scale is the distance to this neighbour (self-tuning graph).");
  visit.real("rank_decay", o.rank_decay, {.low = 0.1},
             "A neighbour's weight falls by e every so many ranks: hubs lose their pull.");
  visit.real("leak", o.leak, {.low = 1e-9, .high = 1},
             "Share of the mean degree that leaks from each vertex of the harmonic system, so that it stays "
             "definite where no label reaches.");
  visit.real("mmd_weight", o.mmd_weight, {.low = 0},
             "Weight of the distance between the domains' class means in the structural-risk classifier.");
  visit.real("laplacian_weight", o.laplacian_weight, {.low = 0},
             "Weight of the graph's smoothness in the structural-risk classifier.");
  visit.real("classifier_ridge", o.classifier_ridge, {.low = 1e-9},
             "Ridge on the structural-risk classifier's weights.");
  visit.integer("classifier_rounds", o.classifier_rounds, {.low = 1, .high = 100},
                "Refreshes of the pseudo labels inside the structural-risk classifier.");
  visit.real("alpha", o.alpha, {.low = 0, .high = 0.999}, "How far labels travel in label propagation.");
  visit.real(
      "class_mass", o.class_mass, {.low = 0, .high = 1},
      "Strength of the step that moves propagated class shares to the source's. Assumes that both domains "
      "have similar shares; 0 switches it off.");
}

void describe_reconstruction(OptionVisitor& visit, RsaCddaOptions& o) {
  visit.real(
      "lambda1", o.lambda1, {.low = 0},
      "Weight of the reconstruction error E; auto: 1 in geometry and corrected mode, 1e-4 in printed.");
  visit.real(
      "lambda2", o.lambda2, {.low = 0},
      "Weight of Z's sparsity; 0 leaves only its low rank. auto: 0.1 in geometry and corrected mode, 1 "
      "in printed.");
  visit.choice(
      "error_norm", o.error_norm, {{"l1", ErrorNorm::L1}, {"l21", ErrorNorm::L21}},
      "Norm of E: l21 takes whole samples as outliers, l1 single entries; auto: l1 in printed mode only.");
  visit.real("geo", o.geo, {.low = 0},
             "Weight of the reconstruction residual in the embedding (outliers weighed down). auto: 0.1 in "
             "corrected mode, otherwise 0.");
  visit.real("z_weight", o.z_weight, {.low = 0},
             "Weight of Z's class scores as seeds of label propagation or of harmonic labels. auto: 0.3 in "
             "corrected mode, otherwise 0.");
  visit.real("z_edges", o.z_edges, {.low = 0},
             "In the graph of harmonic labels and structural risk, join each target sample to the source "
             "samples that rebuild it; these edges together weigh this share of its other edges. 0: no such "
             "edges.");
  visit.integer("reconstruction_iterations", o.reconstruction_iterations, {.low = 1},
                "Iterations of the solver for Z and E in each round.");
  visit.real("penalty", o.penalty, {.low = 1e-9}, "Penalty μ of its first iteration.");
  visit.real("growth", o.growth, {.low = 1, .high = 10},
             "Growth ρ of μ per iteration; auto: 1.5 in geometry and corrected mode, 1.01 in printed.");
  visit.flag(
      "explain", o.explain,
      "Find the source samples that rebuild each target sample, and outlier scores (Z and E in the final "
      "embedding). Takes 40 bytes times source times target samples.");
  visit.integer("explain_count", o.explain_count, {.low = 1, .high = 1000},
                "Source samples kept for each target sample.");
}

template <class Value>
void default_to(std::optional<Value>& value, Value own) {
  if (!value) value = own;
}

/// Up to so many samples in both domains a run looks at all of them.
constexpr Index kWholeLimit = 8000;
/// Beyond so many, several runs that do take too long.
constexpr Index kCommitteeLimit = 20000;

/// Samples of each domain that a run looks at where there are more: of many classes more, up to the size
/// that a run on all samples may have.
int landmarks_for(const DomainPair& pair) {
  constexpr int kUsual = 1000;
  constexpr int kOfClass = 40;
  return std::min<int>(std::max(kUsual, kOfClass * pair.class_count()), kWholeLimit / 2);
}

/// Fills in what is left to the mode.
void resolve(RsaCddaOptions& o, const DomainPair& pair) {
  const bool geometry = o.mode == RsaCddaMode::Geometry;
  const bool printed = o.mode == RsaCddaMode::Printed;
  const bool corrected = o.mode == RsaCddaMode::Corrected;
  default_to(o.classifier, geometry  ? RsaCddaClassifier::Geometry
                           : printed ? RsaCddaClassifier::Nearest
                                     : RsaCddaClassifier::Propagation);
  const bool geometric = geometry && o.classifier == RsaCddaClassifier::Geometry;
  default_to(o.voices, geometric ? RsaCddaVoices::Both : RsaCddaVoices::Graph);
  default_to(o.rounds, geometry ? 8 : printed ? 10 : 5);
  const Index count = pair.source_count() + pair.target_count();
  default_to(o.landmarks, !printed && count > kWholeLimit && !o.explain ? landmarks_for(pair) : 0);
  if (!printed && *o.landmarks >= std::max(pair.source_count(), pair.target_count())) o.landmarks = 0;
  const bool whole = *o.landmarks == 0;
  default_to(o.committee, whole ? (geometry && count <= kCommitteeLimit ? 5 : 1) : 8);
  const int largest = *std::max_element(o.components.begin(), o.components.end());
  default_to(o.rank, printed ? 400 : std::max(200, 2 * largest));
  default_to(o.lambda, geometry ? 0.3 : 1.0);
  default_to(o.neighbours, o.classifier == RsaCddaClassifier::Propagation ? 5 : 20);
  default_to(o.lambda1, printed ? 1e-4 : 1.0);
  default_to(o.lambda2, printed ? 1.0 : 0.1);
  default_to(o.growth, printed ? 1.01 : 1.5);
  default_to(o.error_norm, printed ? ErrorNorm::L1 : ErrorNorm::L21);
  default_to(o.shares, geometry ? RsaCddaShares::Mixed : RsaCddaShares::Own);
  default_to(o.geo, corrected ? 0.1 : 0.0);
  default_to(o.z_weight, corrected ? 0.3 : 0.0);
}

void require_supported(const RsaCddaOptions& o) {
  if (o.mode == RsaCddaMode::Printed && o.classifier != RsaCddaClassifier::Nearest) {
    throw InvalidArgument("rsa-cdda: mode printed labels by nn only; leave out classifier or set it to nn");
  }
  if (o.mode == RsaCddaMode::Printed && o.explain) {
    throw InvalidArgument(
        "rsa-cdda: mode printed explains nothing; leave out explain, or use mode corrected");
  }
  if (o.voices != RsaCddaVoices::Graph &&
      (o.mode != RsaCddaMode::Geometry || o.classifier != RsaCddaClassifier::Geometry)) {
    throw InvalidArgument(
        "rsa-cdda: only mode geometry with classifier geometry has linear runs; leave out voices or set it "
        "to graph");
  }
  if (o.landmarks > 0 && (o.mode == RsaCddaMode::Printed || o.explain)) {
    throw InvalidArgument(
        "rsa-cdda: neither mode printed nor explain works on landmarks; leave out landmarks or set it to 0");
  }
  if (o.mode == RsaCddaMode::Printed && o.shares != RsaCddaShares::Own) {
    throw InvalidArgument("rsa-cdda: mode printed knows the source's own shares only; leave out shares");
  }
  if (o.mode != RsaCddaMode::Geometry && o.shares == RsaCddaShares::Mixed) {
    throw InvalidArgument(
        "rsa-cdda: only mode geometry has runs of several kinds; set shares to own or target");
  }
  if (o.mode != RsaCddaMode::Geometry && *o.landmarks == 0 && o.committee != 1) {
    throw InvalidArgument(
        fmt::format("rsa-cdda: committee is {}; on all samples only mode geometry has committees, expected 1",
                    *o.committee));
  }
}

/// Copies of a source sample count once. They say nothing new, yet in the graph they would take the places of
/// a sample's neighbours, and vouch for each other wherever one is left out to see how well it is labelled.
ModelState fit_distinct(const DomainPair& pair, const RsaCddaOptions& o, const Context& context) {
  const std::vector<Index> distinct = distinct_source_samples(pair, context);
  const Index copies = pair.source_count() - static_cast<Index>(distinct.size());
  if (copies == 0) return fit_alternations(pair, o, context);
  ModelState state = fit_alternations(with_source_samples(pair, distinct), o, context);
  for (int& sample : state.target.explained_by.reshaped()) {
    if (sample >= 0) sample = static_cast<int>(distinct[static_cast<std::size_t>(sample)]);
  }
  state.report.notes.push_back(
      fmt::format("{} of the {} source samples are copies of others of their class; copies count once",
                  copies, pair.source_count()));
  return state;
}

}  // namespace

void describe(OptionVisitor& visit, RsaCddaOptions& o) {
  visit.choice(
      "mode", o.mode,
      {{"geometry", RsaCddaMode::Geometry},
       {"corrected", RsaCddaMode::Corrected},
       {"printed", RsaCddaMode::Printed}},
      "geometry: closeness and repulsion in the embedding, labels from its geometry. corrected: the paper's "
      "whole energy with reconstruction Z and error E. printed: its Algorithm 1 with the least repairs.");
  visit.choice("classifier", o.classifier,
               {{"nn", RsaCddaClassifier::Nearest},
                {"propagation", RsaCddaClassifier::Propagation},
                {"geometry", RsaCddaClassifier::Geometry},
                {"harmonic", RsaCddaClassifier::Harmonic},
                {"risk", RsaCddaClassifier::Risk}},
               "What infers labels in the embedding; geometry is harmonic labels and structural risk "
               "together. auto: geometry, propagation and nn in the three modes.");
  visit.choice(
      "voices", o.voices,
      {{"both", RsaCddaVoices::Both}, {"graph", RsaCddaVoices::Graph}, {"linear", RsaCddaVoices::Linear}},
      "Which runs label together: graph runs (harmonic labels and structural risk), linear ones (the same "
      "and logistic regression in the embedding), or both, weighed by what the source and the target's "
      "samples tell of them. auto: both in geometry mode with classifier geometry, graph otherwise.");
  visit.integer(
      "committee", o.committee, {.low = 1, .high = kLargestCommittee},
      "Independent graph runs that differ in lambda, spectrum and components, their scores added: label "
      "refresh can lock into a wrong basin, several runs seldom into the same. As many linear ones, at most "
      "3, run beside them. In corrected mode they differ in their landmarks only. auto: 8 with landmarks, 5 "
      "in geometry mode on all of at most 20,000 samples, otherwise 1.");
  visit.integer(
      "landmarks", o.landmarks, {.low = 0},
      "Samples of each domain that a run looks at, drawn anew for each run; it labels all others from these, "
      "in time linear in their number. 0: all samples, quadratic. auto: 0 up to 8,000 samples in both "
      "domains, with explain and in printed mode, otherwise 1000, or 40 a class where that is more, at most "
      "4000.");
  visit.integer("rounds", o.rounds, {.low = 1, .high = 1000},
                "Rounds of embedding and labels at most; ends when labels repeat, those of every member of a "
                "committee that counts. auto: 8, 5 and 10 in the three modes.");
  describe_embedding(visit, o);
  describe_classifiers(visit, o);
  describe_reconstruction(visit, o);
}

ModelState fit_rsa_cdda(const DomainPair& pair, RsaCddaOptions o, const Context& context) {
  resolve(o, pair);
  require_supported(o);
  ModelState state = o.mode == RsaCddaMode::Printed     ? fit_printed(pair, o, context)
                     : *o.landmarks > 0                 ? fit_landmarks(pair, o, context)
                     : o.mode == RsaCddaMode::Corrected ? fit_alternations(pair, o, context)
                                                        : fit_distinct(pair, o, context);
  state.options = values_of(o);
  return state;
}

}  // namespace isthmus
