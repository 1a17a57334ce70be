#include "methods/rsa_cdda/committee.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "core/last_finished.h"
#include "core/parallel.h"
#include "methods/rsa_cdda/alternation.h"
#include "methods/rsa_cdda/conclusion.h"
#include "methods/rsa_cdda/explain.h"
#include "methods/rsa_cdda/runs.h"

namespace isthmus {
namespace {

using RsaCddaMembers = std::vector<std::unique_ptr<RsaCddaAlternation>>;

RsaCddaMembers make_members(const DomainPair& pair, const SpectralCoordinates& coordinates,
                            const RsaCddaOptions& options, const Execution& run) {
  std::vector<RunSetting> wanted = run_settings(options);
  const auto count = static_cast<int>(wanted.size());
  RsaCddaMembers members(wanted.size());
  const Execution inner = run.on(std::max(1, run.threads / count));
  parallel_blocks(run, count, [&](Index i) {
    RunSetting& setting = wanted[static_cast<std::size_t>(i)];
    members[static_cast<std::size_t>(i)] =
        std::make_unique<RsaCddaAlternation>(coordinates, pair.source_labels(), pair.class_count(),
                                             std::move(setting.options), setting.voices, inner);
  });
  return members;
}

/// From this round on it is known whether a run counts.
constexpr int kWeighedFrom = 2;

/// One round of every member that has not settled, or, cancelled, of none. Members run side by side and
/// share the threads.
void step_all(RsaCddaMembers& members, const Context& context) {
  std::vector<RsaCddaAlternation*> running;
  for (const auto& member : members) {
    if (!member->settled()) running.push_back(member.get());
  }
  // Linear runs take longest, for they fit one classifier more: begun last, they would keep others waiting.
  std::reverse(running.begin(), running.end());
  const auto count = static_cast<int>(running.size());
  Context inner = context.quiet();
  inner.threads = std::max(1, context.threads / std::max(1, count));
  parallel_blocks(context, count,
                  [&](Index i) { running[static_cast<std::size_t>(i)]->compute_round(inner); });
  for (RsaCddaAlternation* member : running) member->finish_round();
}

std::vector<Vote> votes_of(const RsaCddaMembers& members) {
  std::vector<Vote> votes;
  for (const auto& member : members) votes.push_back({member->voices(), member->inference()});
  return votes;
}

/// Runs that count for nothing need not run on: linear ones, for only they themselves could change that, and
/// those with a flat spectrum when it is so for the second time, until the others make them count.
void rest_unheard(RsaCddaMembers& members, const Fusion& fusion, std::vector<bool>& unheard) {
  for (std::size_t i = 0; i < members.size(); ++i) {
    const Voices& voices = members[i]->voices();
    const bool silent = fusion.weights[i] == 0.0;
    members[i]->rest(silent && (voices.linear > 0.0 || (voices.flat && unheard[i])));
    unheard[i] = silent;
  }
}

/// Runs the rounds until no member's labels change, the limit, or a stop. The fused labels' changes go into
/// the report's series.
Status run_rounds(RsaCddaMembers& members, const SourceWitnesses* witnesses, const RsaCddaOptions& options,
                  const Context& context, Report& report) {
  std::vector<int> labels;
  std::vector<bool> unheard(members.size(), false);
  std::vector<double>& changes = report.series["label_changes"];
  for (int round = 1; round <= *options.rounds; ++round) {
    step_all(members, context.after(round - 1));
    Fusion fusion = fuse(votes_of(members), witnesses);
    if (round >= kWeighedFrom) rest_unheard(members, fusion, unheard);
    const Index changed = count_changes(labels, fusion.labels);
    labels = std::move(fusion.labels);
    changes.push_back(static_cast<double>(changed));
    report.iterations = round;
    const bool settled =
        std::all_of(members.begin(), members.end(), [](const auto& m) { return m->settled(); });
    const IterationInfo info{"round", round, *options.rounds, members[0]->rounds().back().objective,
                             static_cast<int>(changed)};
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
      "vote for, and the rounds go on until those of every member that counts repeat");
  for (std::size_t i = 0; i < members.size(); ++i) {
    report.facts[fmt::format("member_{}_rounds", i + 1)] = static_cast<double>(members[i]->rounds().size());
  }
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
  state.report.series.merge(series_of(members[0]->rounds()));
  state.report.seconds = preparation.seconds;
  state.report.facts["rank"] = static_cast<double>(coordinates.singular_values.size());
  describe_members(members, state.report);

  Fusion fusion = fuse(votes_of(members), witnessed);
  if (options.explain) explain_target(*members[0], options, context, state);
  std::vector<std::vector<Branch>> branches;
  for (const auto& member : members) {
    branches.push_back(member->take_branches(context.unstoppable()));
  }
  conclude(fusion, std::move(branches), witnessed, options, state);
  if (fusion.harmful) {
    state.target.probabilities = witnesses->linear_scores();
    state.target.labels = largest_rows(state.target.probabilities);
    return state;
  }
  state.target.labels = std::move(fusion.labels);
  state.target.probabilities = std::move(fusion.scores);
  if (state.temperature > 0.0) sharpen(state.target.probabilities, state.temperature);
  return state;
}

}  // namespace isthmus
