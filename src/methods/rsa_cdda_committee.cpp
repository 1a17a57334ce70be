#include "methods/rsa_cdda_committee.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "core/parallel.h"
#include "methods/rsa_cdda_alternation.h"
#include "methods/rsa_cdda_explain.h"
#include "methods/search_option.h"

namespace isthmus {
namespace {

/// How a member of the committee differs from the options given: λ, spectrum and components times these.
struct Variation {
  double lambda;
  double spectrum;
  double components;
};
constexpr std::array<Variation, kLargestCommittee> kVariations{{{1.0, 1.0, 1.0},
                                                                {1.0 / 3.0, 0.75, 0.8},
                                                                {10.0 / 3.0, 1.0, 0.6},
                                                                {1.0 / 3.0, 0.5, 0.8},
                                                                {1.0 / 3.0, 1.0, 1.0},
                                                                {1.0, 0.75, 0.6},
                                                                {10.0 / 3.0, 0.75, 1.0},
                                                                {1.0, 0.5, 1.0}}};

RsaCddaOptions varied(RsaCddaOptions o, const Variation& variation) {
  *o.lambda *= variation.lambda;
  o.spectrum *= variation.spectrum;
  for (int& k : o.components) k = std::max(1, static_cast<int>(std::lround(k * variation.components)));
  return o;
}

using Members = std::vector<std::unique_ptr<RsaCddaAlternation>>;

Members make_members(const DomainPair& pair, const SpectralCoordinates& coordinates,
                     const RsaCddaOptions& options, int threads) {
  Members members(static_cast<std::size_t>(*options.committee));
  const int inner = std::max(1, threads / *options.committee);
  parallel_blocks(threads, *options.committee, [&](Index i) {
    const auto at = static_cast<std::size_t>(i);
    members[at] = std::make_unique<RsaCddaAlternation>(coordinates, pair.source_labels(), pair.class_count(),
                                                       varied(options, kVariations[at]), inner);
  });
  return members;
}

/// One round of every member whose labels still change. Members run side by side and share the threads.
void step_all(Members& members, const Context& context) {
  std::vector<RsaCddaAlternation*> running;
  for (const auto& member : members) {
    if (!member->converged()) running.push_back(member.get());
  }
  const auto count = static_cast<int>(running.size());
  Context inner = context.quiet();
  inner.threads = std::max(1, context.threads / std::max(1, count));
  parallel_blocks(context.threads, count,
                  [&](Index i) { running[static_cast<std::size_t>(i)]->step(inner); });
}

/// The members' scores, standardised and added; columns sum to 1.
struct Fused {
  Matrix scores;
  std::vector<double> weights;
  std::vector<int> labels;
  double agreement = 0;
};

Fused fuse(const Members& members) {
  Fused fused;
  double total = 0;
  for (const auto& member : members) {
    const LabelInference& inference = member->inference();
    const double weight = standardising_weight(inference.scores);
    fused.weights.push_back(weight);
    if (fused.scores.size() == 0)
      fused.scores = Matrix::Zero(inference.scores.rows(), inference.scores.cols());
    fused.scores += weight * inference.scores;
    for (const Branch& branch : inference.branches) total += weight * branch.weight;
    fused.agreement += inference.agreement / static_cast<double>(members.size());
  }
  fused.scores /= total;
  fused.labels = members.size() == 1 ? members[0]->labels() : largest_rows(fused.scores);
  return fused;
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

/// Runs the rounds until no member's labels change, the limit, or a stop. The report's series are the first
/// member's; label_changes those of the fused labels.
Report run_rounds(Members& members, const RsaCddaOptions& options, const Context& context) {
  Report report;
  report.status = Status::IterationLimit;
  std::vector<int> labels;
  std::vector<double> changes;
  for (int round = 1; round <= *options.rounds; ++round) {
    step_all(members, context);
    std::vector<int> fused = fuse(members).labels;
    const Index changed = count_changes(labels, fused);
    labels = std::move(fused);
    changes.push_back(static_cast<double>(changed));
    report.iterations = round;
    const bool settled =
        std::all_of(members.begin(), members.end(), [](const auto& m) { return m->converged(); });
    const IterationInfo info{"round", round, *options.rounds,
                             members[0]->report().series.at("objective").back(), static_cast<int>(changed)};
    const Decision decision = context.report(info);
    if (settled) {
      report.status = Status::Converged;
      break;
    }
    if (decision == Decision::Stop) {
      report.status = Status::Stopped;
      break;
    }
  }
  report.series = members[0]->report().series;
  report.series["label_changes"] = changes;
  return report;
}

void describe_members(const Members& members, Report& report) {
  report.facts["committee"] = static_cast<double>(members.size());
  if (members.size() == 1) return;
  report.notes.push_back(
      "the curves are those of the committee's first member; label_changes counts the labels all members "
      "vote "
      "for, and the rounds go on until those of every member repeat");
  for (std::size_t i = 0; i < members.size(); ++i) {
    report.facts[fmt::format("member_{}_rounds", i + 1)] = members[i]->report().iterations;
  }
}

}  // namespace

ModelState fit_alternations(const DomainPair& pair, const RsaCddaOptions& options, const Context& context) {
  ModelState state;
  Report preparation;
  Members members;
  SpectralCoordinates coordinates;
  {
    const PhaseTimer timer(preparation, "coordinates");
    coordinates = spectral_coordinates(pair, *options.rank, context.threads);
    members = make_members(pair, coordinates, options, context.threads);
  }
  {
    const PhaseTimer timer(preparation, "rounds");
    state.report = run_rounds(members, options, context);
  }
  state.report.seconds = preparation.seconds;
  state.report.facts["rank"] = static_cast<double>(coordinates.singular_values.size());
  describe_members(members, state.report);
  if (members[0]->inference().recall) {
    double recall = 1.0;
    for (const auto& member : members) recall = std::min(recall, *member->inference().recall);
    note_recall(state.report, recall);
  }

  Fused fused = fuse(members);
  state.report.facts["agreement"] = fused.agreement;
  state.target.labels = std::move(fused.labels);
  state.target.probabilities = std::move(fused.scores);
  if (options.classifier != RsaCddaClassifier::Nearest &&
      options.classifier != RsaCddaClassifier::Propagation) {
    state.temperature = calibrated_temperature(state.target.probabilities, fused.agreement);
    sharpen(state.target.probabilities, state.temperature);
  }
  if (options.explain) explain_target(*members[0], options, context, state);
  for (std::size_t i = 0; i < members.size(); ++i) {
    for (Branch& branch : members[i]->take_branches()) {
      branch.weight *= fused.weights[i];
      state.branches.push_back(std::move(branch));
    }
  }
  return state;
}

}  // namespace isthmus
