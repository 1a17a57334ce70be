#include "methods/rsa_cdda/landmarks.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <random>

#include "core/parallel.h"
#include "isthmus/errors.h"
#include "linalg/spread_samples.h"
#include "methods/drawn_by_class.h"
#include "methods/rsa_cdda/alternation.h"
#include "methods/rsa_cdda/conclusion.h"
#include "methods/rsa_cdda/runs.h"
#include "methods/source_copies.h"

namespace isthmus {
namespace {

// Samples of each domain that the witnesses look at, and that the runs are weighed on.
constexpr Index kWitnessed = 4000;

/// `wanted` samples of each domain, or all where there are no more; copies in the source count once.
DomainPair drawn_pair(const DomainPair& pair, Index wanted, std::mt19937_64& engine) {
  const std::vector<Index> source = drawn_by_class(pair.source_labels(), pair.class_count(), wanted, engine);
  std::vector<int> ids;
  for (const Index i : source) ids.push_back(pair.source_labels()[static_cast<std::size_t>(i)]);
  const std::vector<Index> target = linalg::random_subset(pair.target_count(), wanted, engine);
  const DomainPair drawn(
      {.features = SampleView(pair.source()).pick(source), .labels = Labels{pair.classes(), std::move(ids)}},
      {.features = SampleView(pair.target()).pick(target)});
  return with_source_samples(drawn, distinct_source_samples(drawn, 1));
}

/// A run that has ended, and what it says of the samples that all runs are asked about.
struct LandmarkRun {
  Voices voices;
  LabelInference inference;  ///< branches take samples, their classifiers' weights sum to 1
  std::vector<RsaCddaRound> rounds;
  bool converged = false;
  Index rank = 0;
};

LandmarkRun asked_about(RsaCddaAlternation& alternation, const FeatureMatrix& asked, int class_count,
                        const Context& context) {
  LandmarkRun run;
  run.voices = alternation.voices();
  run.converged = alternation.converged();
  run.rounds = alternation.rounds();
  run.inference.agreement = alternation.inference().agreement;
  run.inference.linear_smoothness = alternation.inference().linear_smoothness;
  ModelState own;
  own.branches = alternation.take_branches(context.unstoppable());
  // The scores of a model are the mean of its classifiers': with these weights they are their sum, as in
  // `fuse`.
  double total = 0;
  for (const Branch& branch : own.branches) {
    for (const auto& [classifier, weight] : branch.classifiers) total += weight;
  }
  for (Branch& branch : own.branches) {
    for (auto& [classifier, weight] : branch.classifiers) weight /= total;
  }
  run.inference.scores = predict_prepared(own, asked, class_count, context.unstoppable()).probabilities;
  run.inference.labels = largest_rows(run.inference.scores);
  run.inference.branches = std::move(own.branches);
  return run;
}

struct LandmarkRuns {
  std::vector<LandmarkRun> done;
  bool stopped = false;
};

/// The committee, each run on landmarks of its own.
class LandmarkCommittee {
 public:
  /// `asked` are the samples that all runs are asked about.
  LandmarkCommittee(const DomainPair& pair, const RsaCddaOptions& options, const FeatureMatrix& asked,
                    const Context& context)
      : pair_(pair), options_(options), settings_(run_settings(options)), asked_(asked), context_(context) {}

  /// As many runs at a time as there are threads, so that progress is told in between. A stop keeps what is
  /// done: whole runs, and of others the rounds that they have finished.
  LandmarkRuns run() {
    const auto count = static_cast<Index>(settings_.size());
    std::vector<std::optional<LandmarkRun>> runs(settings_.size());
    for (Index begin = 0; begin < count && !stopped_;) {
      const Index side_by_side = std::min<Index>(std::max(context_.threads, 1), count - begin);
      Context inner = context_.quiet();
      inner.threads = std::max(1, context_.threads / static_cast<int>(side_by_side));
      try {
        parallel_blocks(context_, side_by_side, [&](Index i) {
          runs[static_cast<std::size_t>(begin + i)] = run_one(static_cast<std::size_t>(begin + i), inner);
        });
      } catch (const Cancelled&) {
        stopped_ = true;
      }
      begin += side_by_side;
      const Decision decision = context_.report(
          {.phase = "run", .iteration = static_cast<int>(begin), .limit = static_cast<int>(count)});
      if (decision == Decision::Stop && begin < count) stopped_ = true;
    }
    LandmarkRuns result;
    for (std::optional<LandmarkRun>& run : runs) {
      if (run) result.done.push_back(std::move(*run));
    }
    if (result.done.empty()) throw Cancelled();
    result.stopped = stopped_;
    return result;
  }

 private:
  std::optional<LandmarkRun> run_one(std::size_t number, const Context& context) {
    std::mt19937_64 engine(context.seed * 0x9E3779B97F4A7C15ULL + number + 1);
    const DomainPair landmarks = drawn_pair(pair_, *options_.landmarks, engine);
    const RunSetting& setting = settings_[number];
    const SpectralCoordinates coordinates = spectral_coordinates(landmarks, *setting.options.rank, context);
    RsaCddaAlternation alternation(coordinates, landmarks.source_labels(), landmarks.class_count(),
                                   setting.options, setting.voices, context);
    try {
      for (int round = 0; round < *setting.options.rounds && !alternation.converged(); ++round) {
        if (round > 0 && context.cancelled()) throw Cancelled();
        alternation.compute_round(context.after(round));
        alternation.finish_round();
      }
    } catch (const Cancelled&) {
      stopped_ = true;
      if (alternation.rounds().empty()) return std::nullopt;
    }
    LandmarkRun run = asked_about(alternation, asked_, landmarks.class_count(), context);
    run.rank = coordinates.singular_values.size();
    return run;
  }

  const DomainPair& pair_;
  const RsaCddaOptions& options_;
  std::vector<RunSetting> settings_;
  const FeatureMatrix& asked_;
  const Context& context_;
  std::atomic<bool> stopped_ = false;
};

void describe_runs(const LandmarkRuns& all, const RsaCddaOptions& options, Report& report) {
  const std::vector<LandmarkRun>& runs = all.done;
  const bool converged =
      std::all_of(runs.begin(), runs.end(), [](const LandmarkRun& run) { return run.converged; });
  report.status = all.stopped ? Status::Stopped : converged ? Status::Converged : Status::IterationLimit;
  report.series = series_of(runs[0].rounds);
  report.facts["rank"] = static_cast<double>(runs[0].rank);
  report.facts["committee"] = static_cast<double>(runs.size());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto rounds = static_cast<int>(runs[i].rounds.size());
    report.facts[fmt::format("member_{}_rounds", i + 1)] = rounds;
    report.iterations = std::max(report.iterations, rounds);
  }
  report.notes.push_back(
      fmt::format("runs: {}, each on at most {} samples of either domain, drawn by the seed, from which the "
                  "others got their labels; the curves are those of the first",
                  runs.size(), *options.landmarks));
}

}  // namespace

ModelState fit_landmarks(const DomainPair& pair, const RsaCddaOptions& options, const Context& context) {
  ModelState state;
  std::mt19937_64 engine(context.seed);
  const DomainPair asked = drawn_pair(pair, kWitnessed, engine);
  std::optional<SourceWitnesses> witnesses;
  LandmarkRuns runs;
  {
    const PhaseTimer timer(state.report, "witnesses");
    if (options.voices != RsaCddaVoices::Graph) witnesses.emplace(asked, context);
  }
  {
    const PhaseTimer timer(state.report, "runs");
    runs = LandmarkCommittee(pair, options, asked.target(), context).run();
  }
  describe_runs(runs, options, state.report);
  const SourceWitnesses* witnessed = witnesses ? &*witnesses : nullptr;
  std::vector<Vote> votes;
  for (const LandmarkRun& run : runs.done) votes.push_back({run.voices, run.inference});
  const Fusion fusion = fuse(votes, witnessed);
  std::vector<std::vector<Branch>> branches;
  for (LandmarkRun& run : runs.done) branches.push_back(std::move(run.inference.branches));
  conclude(fusion, std::move(branches), witnessed, options, state);
  {
    const PhaseTimer timer(state.report, "labels");
    state.target = predict_prepared(state, pair.target(), pair.class_count(), context.unstoppable());
  }
  return state;
}

}  // namespace isthmus
