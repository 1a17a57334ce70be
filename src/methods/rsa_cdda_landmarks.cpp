#include "methods/rsa_cdda_landmarks.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "core/parallel.h"
#include "isthmus/errors.h"
#include "linalg/spread_samples.h"
#include "methods/rsa_cdda_alternation.h"
#include "methods/rsa_cdda_conclusion.h"
#include "methods/rsa_cdda_runs.h"

namespace isthmus {
namespace {

// Samples of each domain that the witnesses look at, and that the runs are weighed on.
constexpr Index kWitnessed = 4000;

/// Source samples with their class shares, and of every class at least two where it has them.
std::vector<Index> drawn_by_class(const std::vector<int>& labels, int class_count, Index wanted,
                                  std::mt19937_64& engine) {
  std::vector<std::vector<Index>> of_class(static_cast<std::size_t>(class_count));
  for (std::size_t i = 0; i < labels.size(); ++i)
    of_class[static_cast<std::size_t>(labels[i])].push_back(static_cast<Index>(i));
  const double share = static_cast<double>(wanted) / static_cast<double>(labels.size());
  std::vector<Index> drawn;
  for (const std::vector<Index>& samples : of_class) {
    const auto count = static_cast<Index>(samples.size());
    const auto fair = static_cast<Index>(std::lround(share * static_cast<double>(count)));
    for (const Index i : linalg::random_subset(count, std::max<Index>(fair, 2), engine))
      drawn.push_back(samples[static_cast<std::size_t>(i)]);
  }
  std::sort(drawn.begin(), drawn.end());
  return drawn;
}

/// `wanted` samples of each domain, or all where there are no more.
DomainPair drawn_pair(const DomainPair& pair, Index wanted, std::mt19937_64& engine) {
  const std::vector<Index> source = drawn_by_class(pair.source_labels(), pair.class_count(), wanted, engine);
  std::vector<int> ids;
  for (const Index i : source) ids.push_back(pair.source_labels()[static_cast<std::size_t>(i)]);
  const std::vector<Index> target = linalg::random_subset(pair.target_count(), wanted, engine);
  return {
      {.features = SampleView(pair.source()).pick(source), .labels = Labels{pair.classes(), std::move(ids)}},
      {.features = SampleView(pair.target()).pick(target)}};
}

/// A run that has ended, and what it says of the samples that all runs are asked about.
struct LandmarkRun {
  Voices voices;
  LabelInference inference;  ///< branches take samples
  Report report;
  bool converged = false;
};

/// Runs to the end, or, stopped, to the last finished round. Without any, there are no branches.
LandmarkRun run_on(const DomainPair& landmarks, RunSetting setting, const FeatureMatrix& asked,
                   const Context& context) {
  LandmarkRun result;
  result.voices = setting.voices;
  const int rounds = *setting.options.rounds;
  const SpectralCoordinates coordinates = spectral_coordinates(landmarks, *setting.options.rank, context);
  RsaCddaAlternation alternation(coordinates, landmarks.source_labels(), landmarks.class_count(),
                                 std::move(setting.options), setting.voices, context);
  try {
    for (int round = 0; round < rounds && !alternation.converged(); ++round) {
      alternation.compute_round(context);
      alternation.finish_round();
    }
  } catch (const Cancelled&) {
    if (alternation.report().iterations == 0) return result;
  }
  result.converged = alternation.converged();
  result.report = alternation.report();
  result.inference.agreement = alternation.inference().agreement;
  result.inference.linear_smoothness = alternation.inference().linear_smoothness;
  ModelState own;
  own.branches = alternation.take_branches();
  result.inference.scores =
      predict_prepared(own, asked, landmarks.class_count(), context.quiet().unstoppable()).probabilities;
  result.inference.labels = largest_rows(result.inference.scores);
  result.inference.branches = std::move(own.branches);
  return result;
}

struct LandmarkRuns {
  std::vector<LandmarkRun> done;
  bool stopped = false;
};

/// As many runs at a time as there are threads, so that progress is told in between; those that a stop left
/// without a result are not among them.
LandmarkRuns run_all(const DomainPair& pair, const RsaCddaOptions& options, const FeatureMatrix& asked,
                     const Context& context) {
  const std::vector<RunSetting> settings = run_settings(options);
  const auto count = static_cast<Index>(settings.size());
  LandmarkRuns runs;
  for (Index begin = 0; begin < count && !runs.stopped;) {
    const Index side_by_side = std::min<Index>(std::max(context.threads, 1), count - begin);
    std::vector<LandmarkRun> wave(static_cast<std::size_t>(side_by_side));
    Context inner = context.quiet();
    inner.threads = std::max(1, context.threads / static_cast<int>(side_by_side));
    try {
      parallel_blocks(context, side_by_side, [&](Index i) {
        const Index number = begin + i;
        std::mt19937_64 engine(context.seed * 0x9E3779B97F4A7C15ULL + static_cast<std::uint64_t>(number) + 1);
        const DomainPair landmarks = drawn_pair(pair, *options.landmarks, engine);
        wave[static_cast<std::size_t>(i)] =
            run_on(landmarks, settings[static_cast<std::size_t>(number)], asked, inner);
      });
    } catch (const Cancelled&) {  // those that were done are kept
    }
    for (LandmarkRun& run : wave) {
      if (!run.inference.branches.empty()) runs.done.push_back(std::move(run));
    }
    begin += side_by_side;
    const IterationInfo info{
        .phase = "run", .iteration = static_cast<int>(begin), .limit = static_cast<int>(count)};
    runs.stopped = context.report(info) == Decision::Stop;
  }
  if (runs.done.empty()) throw Cancelled();
  return runs;
}

void describe_runs(const LandmarkRuns& all, const RsaCddaOptions& options, Report& report) {
  const std::vector<LandmarkRun>& runs = all.done;
  report.status =
      all.stopped ? Status::Stopped
      : std::all_of(runs.begin(), runs.end(), [](const LandmarkRun& run) { return run.converged; })
          ? Status::Converged
          : Status::IterationLimit;
  report.series = runs[0].report.series;
  report.facts["committee"] = static_cast<double>(runs.size());
  report.facts["landmarks"] = *options.landmarks;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    report.facts[fmt::format("member_{}_rounds", i + 1)] = runs[i].report.iterations;
    report.iterations = std::max(report.iterations, runs[i].report.iterations);
  }
  report.notes.push_back(
      fmt::format("each of the {} runs looked at {} samples of each domain, drawn by the seed, and labelled "
                  "all others from these; the curves are those of the first",
                  runs.size(), *options.landmarks));
}

}  // namespace

ModelState fit_landmarks(const DomainPair& pair, const RsaCddaOptions& options, const Context& context) {
  ModelState state;
  Report times;
  std::mt19937_64 engine(context.seed);
  const DomainPair asked = drawn_pair(pair, kWitnessed, engine);
  std::optional<SourceWitnesses> witnesses;
  LandmarkRuns runs;
  {
    const PhaseTimer timer(times, "witnesses");
    if (options.voices != RsaCddaVoices::Graph) witnesses.emplace(asked, context);
  }
  {
    const PhaseTimer timer(times, "runs");
    runs = run_all(pair, options, asked.target(), context);
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
    const PhaseTimer timer(times, "labels");
    state.target = predict_prepared(state, pair.target(), pair.class_count(), context.unstoppable());
  }
  state.report.seconds = times.seconds;
  return state;
}

}  // namespace isthmus
