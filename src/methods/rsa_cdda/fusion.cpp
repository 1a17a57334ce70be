#include "methods/rsa_cdda/fusion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace isthmus {
namespace {

// Of the linear witness beside the runs with a linear voice.
constexpr double kSourceVoice = 0.5;
// Runs below this weight change nothing but the size of the model.
constexpr double kLeastWeight = 0.01;
// Where the domains overlap, adaptation went astray if the witnesses agree so much more often with each
// other.
constexpr double kOverlap = 0.5;
constexpr double kHarm = 0.3;

/// The standardised scores of the runs of one kind, added and standardised again.
struct Group {
  Matrix scores;
  double weight = 1;  ///< that standardised the sum
};

/// How much each graph run counts: alike, but those with a flat spectrum by how much more often their voices
/// agree than those of the others. The numbers were chosen on Table 1, four real fields and the built-in
/// digits (docs/science.md).
std::vector<double> graph_shares(const std::vector<Vote>& votes) {
  constexpr double kSlope = 80.0;
  constexpr double kStart = 0.04;
  constexpr double kLargest = 5.0;
  double agreement = 0;
  double others = 0;
  for (const Vote& vote : votes) {
    if (vote.voices.linear > 0.0 || vote.voices.flat) continue;
    agreement += vote.inference.agreement;
    ++others;
  }
  std::vector<double> shares;
  for (const Vote& vote : votes) {
    double share = vote.voices.linear > 0.0 ? 0.0 : 1.0;
    if (vote.voices.flat && others > 0.0) {
      const double lead = vote.inference.agreement - agreement / others;
      share = std::exp(std::min(kSlope * (lead - kStart), kLargest));
    }
    shares.push_back(share);
  }
  const double total = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& share : shares) share = share > kLeastWeight * total ? share / total : 0.0;
  return shares;
}

std::vector<double> linear_shares(const std::vector<Vote>& votes) {
  std::vector<double> shares;
  for (const Vote& vote : votes) shares.push_back(vote.voices.linear > 0.0 ? 1.0 : 0.0);
  return shares;
}

/// Adds up the runs that have a share and says what each one's scores weigh.
Group added(const std::vector<Vote>& votes, const std::vector<double>& shares, std::vector<double>& weights) {
  Group group;
  for (std::size_t i = 0; i < votes.size(); ++i) {
    if (shares[i] == 0.0) continue;
    const Matrix& scores = votes[i].inference.scores;
    weights[i] = shares[i] * standardising_weight(scores);
    if (group.scores.size() == 0) group.scores = Matrix::Zero(scores.rows(), scores.cols());
    group.scores += weights[i] * scores;
  }
  if (group.scores.size() == 0) return group;
  group.weight = standardising_weight(group.scores);
  group.scores *= group.weight;
  return group;
}

LinearEvidence weigh(const std::vector<Vote>& votes, const Group& linear, const SourceWitnesses& witnesses) {
  const std::vector<int> labels = largest_rows(linear.scores);
  const auto first =
      std::find_if(votes.begin(), votes.end(), [](const Vote& vote) { return vote.voices.linear > 0.0; });
  LinearEvidence evidence;
  evidence.skill = witnesses.linear_skill();
  evidence.source = witnesses.source_evidence();
  evidence.preference = witnesses.linear_agrees(labels) - witnesses.nearest_agrees(labels);
  evidence.smoothness = first->inference.linear_smoothness;
  return evidence;
}

bool is_harmful(const std::vector<int>& labels, const SourceWitnesses& witnesses) {
  const double nearer = std::max(witnesses.linear_agrees(labels), witnesses.nearest_agrees(labels));
  return witnesses.overlap() >= kOverlap && witnesses.agree_with_each_other() - nearer > kHarm;
}

}  // namespace

double LinearEvidence::weight() const {
  const double belief = 1.0 / (1.0 + std::exp(-40.0 * (preference + 0.5 * source - 0.08)));
  const double weight = std::pow(skill, 1.5) * belief * std::pow(smoothness, 3);
  return weight < kLeastWeight ? 0.0 : weight > 1.0 - kLeastWeight ? 1.0 : weight;
}

Fusion fuse(const std::vector<Vote>& votes, const SourceWitnesses* witnesses) {
  Fusion fusion;
  fusion.weights.assign(votes.size(), 0.0);
  const std::vector<double> shares = graph_shares(votes);
  for (std::size_t i = 0; i < votes.size(); ++i) fusion.flat_share += votes[i].voices.flat ? shares[i] : 0.0;
  const Group graph = added(votes, shares, fusion.weights);
  Group linear = added(votes, linear_shares(votes), fusion.weights);
  double share = graph.scores.size() == 0 ? 1.0 : 0.0;
  if (graph.scores.size() > 0 && linear.scores.size() > 0) {
    fusion.evidence = weigh(votes, linear, *witnesses);
    share = fusion.evidence->weight();
  }
  if (linear.scores.size() > 0) {
    const double own = kSourceVoice * standardising_weight(witnesses->linear_scores());
    linear.scores += own * witnesses->linear_scores();
    const double again = standardising_weight(linear.scores);
    linear.scores *= again;
    linear.weight *= again;
    fusion.source_weight = share * own * again;
  }
  double total = fusion.source_weight;
  double voted = 0;
  for (std::size_t i = 0; i < votes.size(); ++i) {
    const LabelInference& inference = votes[i].inference;
    const bool is_linear = votes[i].voices.linear > 0.0;
    fusion.weights[i] *= is_linear ? share * linear.weight : (1.0 - share) * graph.weight;
    double sum = 0;
    for (const Branch& branch : inference.branches) {
      for (const auto& [classifier, weight] : branch.classifiers) sum += fusion.weights[i] * weight;
    }
    total += sum;
    voted += sum;
    fusion.agreement += sum * inference.agreement;
  }
  fusion.agreement /= voted;
  fusion.scores = share == 0.0   ? graph.scores
                  : share == 1.0 ? linear.scores
                                 : Matrix((1.0 - share) * graph.scores + share * linear.scores);
  fusion.scores /= total;
  fusion.labels = votes.size() == 1 ? votes[0].inference.labels : largest_rows(fusion.scores);
  fusion.harmful = fusion.evidence && is_harmful(fusion.labels, *witnesses);
  return fusion;
}

std::string in_words(const Fusion& fusion, const SourceWitnesses& witnesses) {
  if (!fusion.evidence) return {};
  if (fusion.harmful) {
    return fmt::format(
        "adaptation does not help here: without it, 1-NN and logistic regression agree with each other on "
        "{:.0f} % of the target samples, with the adapted labels on at most {:.0f} %; the labels are those "
        "of logistic regression on the source",
        100.0 * witnesses.agree_with_each_other(),
        100.0 * std::max(witnesses.linear_agrees(fusion.labels), witnesses.nearest_agrees(fusion.labels)));
  }
  return fmt::format(
      "runs with a linear voice count {:.0f} %, graph runs {:.0f} % ({:.0f} % of these with a flat "
      "spectrum): on the source, logistic regression is right on {:.1f} % and 1-NN on {:.1f} % of the "
      "samples; {:.0f} % and {:.0f} % of the labels are also theirs",
      100.0 * fusion.evidence->weight(), 100.0 * (1.0 - fusion.evidence->weight()), 100.0 * fusion.flat_share,
      100.0 * witnesses.linear_accuracy(), 100.0 * witnesses.nearest_accuracy(),
      100.0 * witnesses.linear_agrees(fusion.labels), 100.0 * witnesses.nearest_agrees(fusion.labels));
}

}  // namespace isthmus
