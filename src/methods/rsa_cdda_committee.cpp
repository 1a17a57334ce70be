#include "methods/rsa_cdda_committee.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>

#include "core/last_finished.h"
#include "core/parallel.h"
#include "methods/rsa_cdda_alternation.h"
#include "methods/rsa_cdda_explain.h"
#include "methods/rsa_cdda_fusion.h"
#include "methods/search_option.h"

namespace isthmus {
namespace {

/// How a member of the committee differs from the options given: λ, spectrum and components times these, and
/// the voices that speak in it.
struct Variation {
  double lambda;
  double spectrum;
  double components;
  Voices voices;
};
constexpr std::array<Variation, kLargestCommittee> kGraphRuns{{{1.0, 1.0, 1.0, {}},
                                                               {1.0 / 3.0, 0.75, 0.8, {.earned = true}},
                                                               {10.0 / 3.0, 1.0, 0.6, {.earned = true}},
                                                               {1.0 / 3.0, 0.625, 0.8, {.earned = true}},
                                                               {1.0 / 3.0, 1.0, 1.0, {.earned = true}},
                                                               {1.0, 0.75, 0.6, {.earned = true}},
                                                               {10.0 / 3.0, 0.75, 1.0, {.earned = true}},
                                                               {1.0, 0.5, 1.0, {.earned = true}}}};
// A linear classifier needs the weak directions that a squared spectrum drowns.
constexpr std::array<Variation, 3> kLinearRuns{{{1.0, 0.5, 1.0, {.earned = true, .linear = 1.0}},
                                                {1.0 / 3.0, 0.5, 0.8, {.earned = true, .linear = 1.0}},
                                                {1.0, 0.5, 1.0, {.earned = true, .linear = 2.0}}}};

RsaCddaOptions varied(RsaCddaOptions o, const Variation& variation) {
  *o.lambda *= variation.lambda;
  o.spectrum *= variation.spectrum;
  for (int& k : o.components) k = std::max(1, static_cast<int>(std::lround(k * variation.components)));
  return o;
}

std::vector<Variation> variations(const RsaCddaOptions& options) {
  std::vector<Variation> runs;
  if (options.voices != RsaCddaVoices::Linear)
    runs.assign(kGraphRuns.begin(), kGraphRuns.begin() + *options.committee);
  if (options.voices != RsaCddaVoices::Graph) {
    const auto count =
        std::min<std::size_t>(kLinearRuns.size(), static_cast<std::size_t>(*options.committee));
    runs.insert(runs.end(), kLinearRuns.begin(), kLinearRuns.begin() + static_cast<std::ptrdiff_t>(count));
  }
  return runs;
}

RsaCddaMembers make_members(const DomainPair& pair, const SpectralCoordinates& coordinates,
                            const RsaCddaOptions& options, const Execution& run) {
  const std::vector<Variation> wanted = variations(options);
  const auto count = static_cast<int>(wanted.size());
  RsaCddaMembers members(wanted.size());
  const Execution inner = run.on(std::max(1, run.threads / count));
  parallel_blocks(run, count, [&](Index i) {
    const Variation& variation = wanted[static_cast<std::size_t>(i)];
    members[static_cast<std::size_t>(i)] =
        std::make_unique<RsaCddaAlternation>(coordinates, pair.source_labels(), pair.class_count(),
                                             varied(options, variation), variation.voices, inner);
  });
  return members;
}

/// One round of every member whose labels still change, or, cancelled, of none. Members run side by side and
/// share the threads.
void step_all(RsaCddaMembers& members, const Context& context) {
  std::vector<RsaCddaAlternation*> running;
  for (const auto& member : members) {
    if (!member->converged()) running.push_back(member.get());
  }
  const auto count = static_cast<int>(running.size());
  Context inner = context.quiet();
  inner.threads = std::max(1, context.threads / std::max(1, count));
  parallel_blocks(context, count,
                  [&](Index i) { running[static_cast<std::size_t>(i)]->compute_round(inner); });
  for (RsaCddaAlternation* member : running) member->finish_round();
}

/// The temperature at which the mean confidence is `wanted`: the share of samples on which the classifiers
/// agree, which is what can be known of the accuracy without a label.
double calibrated_temperature(const Matrix& scores, double wanted) {
  const auto mean_confidence = [&](double temperature) {
    Matrix probabilities = scores;
    sharpen(probabilities, temperature);
    return probabilities.colwise().maxCoeff().mean();
  };
  double low = 1e-4;
  double high = 10.0;
  for (int i = 0; i < 40; ++i) {
    const double middle = std::sqrt(low * high);
    (mean_confidence(middle) > wanted ? low : high) = middle;
  }
  return std::sqrt(low * high);
}

/// Runs the rounds until no member's labels change, the limit, or a stop. The fused labels' changes go into
/// the report's series.
Status run_rounds(RsaCddaMembers& members, const SourceWitnesses* witnesses, const RsaCddaOptions& options,
                  const Context& context, Report& report) {
  std::vector<int> labels;
  std::vector<double>& changes = report.series["label_changes"];
  for (int round = 1; round <= *options.rounds; ++round) {
    step_all(members, context);
    std::vector<int> fused = fuse(members, witnesses).labels;
    const Index changed = count_changes(labels, fused);
    labels = std::move(fused);
    changes.push_back(static_cast<double>(changed));
    report.iterations = round;
    const bool settled =
        std::all_of(members.begin(), members.end(), [](const auto& m) { return m->converged(); });
    const IterationInfo info{"round", round, *options.rounds,
                             members[0]->report().series.at("objective").back(), static_cast<int>(changed)};
    const Decision decision = context.report(info);
    if (settled) return Status::Converged;
    if (decision == Decision::Stop) return Status::Stopped;
  }
  return Status::IterationLimit;
}

void describe_members(const RsaCddaMembers& members, Report& report) {
  report.facts["committee"] = static_cast<double>(members.size());
  if (members.size() == 1) return;
  report.notes.push_back(
      "the curves are those of the committee's first member; label_changes counts the labels all members "
      "vote for, and the rounds go on until those of every member repeat");
  for (std::size_t i = 0; i < members.size(); ++i) {
    report.facts[fmt::format("member_{}_rounds", i + 1)] = members[i]->report().iterations;
  }
}

void describe_evidence(const Fusion& fusion, const SourceWitnesses& witnesses, Report& report) {
  report.notes.push_back(in_words(fusion, witnesses));
  report.facts["linear_weight"] = fusion.evidence->weight();
  report.facts["linear_smoothness"] = fusion.evidence->smoothness;
  report.facts["linear_source_accuracy"] = witnesses.linear_accuracy();
  report.facts["nearest_source_accuracy"] = witnesses.nearest_accuracy();
  report.facts["linear_agreement"] = witnesses.linear_agrees(fusion.labels);
  report.facts["nearest_agreement"] = witnesses.nearest_agrees(fusion.labels);
  report.facts["overlap"] = witnesses.overlap();
  report.facts["witness_agreement"] = witnesses.agree_with_each_other();
}

/// Logistic regression on the source's samples at unit length.
Branch source_branch(const SourceWitnesses& witnesses, double weight) {
  Embedding embedding;
  embedding.unit_columns = true;
  return {embedding, witnesses.linear(), weight};
}

/// The answer without adaptation.
void label_by_source(const SourceWitnesses& witnesses, ModelState& state) {
  state.target.probabilities = witnesses.linear_scores();
  state.target.labels = largest_rows(state.target.probabilities);
  state.branches = {source_branch(witnesses, 1.0)};
}

}  // namespace

ModelState fit_alternations(const DomainPair& pair, const RsaCddaOptions& options, const Context& context) {
  ModelState state;
  Report preparation;
  RsaCddaMembers members;
  std::optional<SourceWitnesses> witnesses;
  SpectralCoordinates coordinates;
  {
    const PhaseTimer timer(preparation, "coordinates");
    coordinates = spectral_coordinates(pair, *options.rank, context);
    members = make_members(pair, coordinates, options, context);
    if (options.voices != RsaCddaVoices::Graph) witnesses.emplace(pair, context);
  }
  const SourceWitnesses* witnessed = witnesses ? &*witnesses : nullptr;
  {
    const PhaseTimer timer(preparation, "rounds");
    state.report.status = to_last_finished(state.report.iterations, [&] {
      return run_rounds(members, witnessed, options, context, state.report);
    });
  }
  // The other curves are the first member's.
  for (const auto& [name, values] : members[0]->report().series)
    state.report.series.try_emplace(name, values);
  state.report.seconds = preparation.seconds;
  state.report.facts["rank"] = static_cast<double>(coordinates.singular_values.size());
  describe_members(members, state.report);
  if (members[0]->inference().recall) {
    double recall = 1.0;
    for (const auto& member : members) recall = std::min(recall, *member->inference().recall);
    note_recall(state.report, recall);
  }

  Fusion fusion = fuse(members, witnessed);
  if (fusion.evidence) describe_evidence(fusion, *witnessed, state.report);
  state.report.facts["agreement"] = fusion.agreement;
  if (fusion.harmful) {
    label_by_source(*witnessed, state);
    if (options.explain) explain_target(*members[0], options, context, state);
    return state;
  }
  state.target.labels = std::move(fusion.labels);
  state.target.probabilities = std::move(fusion.scores);
  if (options.classifier != RsaCddaClassifier::Nearest &&
      options.classifier != RsaCddaClassifier::Propagation) {
    state.temperature = calibrated_temperature(state.target.probabilities, fusion.agreement);
    sharpen(state.target.probabilities, state.temperature);
  }
  if (options.explain) explain_target(*members[0], options, context, state);
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (fusion.weights[i] == 0.0) continue;
    for (Branch& branch : members[i]->take_branches()) {
      branch.weight *= fusion.weights[i];
      state.branches.push_back(std::move(branch));
    }
  }
  if (fusion.source_weight > 0.0) state.branches.push_back(source_branch(*witnessed, fusion.source_weight));
  return state;
}

}  // namespace isthmus
