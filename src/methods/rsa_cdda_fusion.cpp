#include "methods/rsa_cdda_fusion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

/// The standardised scores of the members of one kind, added and standardised again.
struct Group {
  Matrix scores;
  double weight = 1;  ///< that standardised the sum
};

Group added(const RsaCddaMembers& members, bool linear, std::vector<double>& weights) {
  Group group;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if ((members[i]->voices().linear > 0.0) != linear) continue;
    const Matrix& scores = members[i]->inference().scores;
    weights[i] = standardising_weight(scores);
    if (group.scores.size() == 0) group.scores = Matrix::Zero(scores.rows(), scores.cols());
    group.scores += weights[i] * scores;
  }
  if (group.scores.size() == 0) return group;
  group.weight = standardising_weight(group.scores);
  group.scores *= group.weight;
  return group;
}

LinearEvidence weigh(const RsaCddaMembers& members, const Group& linear, const SourceWitnesses& witnesses) {
  const std::vector<int> labels = largest_rows(linear.scores);
  const auto first = std::find_if(members.begin(), members.end(),
                                  [](const auto& member) { return member->voices().linear > 0.0; });
  LinearEvidence evidence;
  evidence.skill = witnesses.linear_skill();
  evidence.source = witnesses.source_evidence();
  evidence.preference = witnesses.linear_agrees(labels) - witnesses.nearest_agrees(labels);
  evidence.smoothness = (*first)->inference().linear_smoothness;
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

Fusion fuse(const RsaCddaMembers& members, const SourceWitnesses* witnesses) {
  Fusion fusion;
  fusion.weights.assign(members.size(), 0.0);
  const Group graph = added(members, false, fusion.weights);
  Group linear = added(members, true, fusion.weights);
  double share = graph.scores.size() == 0 ? 1.0 : 0.0;
  if (graph.scores.size() > 0 && linear.scores.size() > 0) {
    fusion.evidence = weigh(members, linear, *witnesses);
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
  for (std::size_t i = 0; i < members.size(); ++i) {
    const LabelInference& inference = members[i]->inference();
    const bool is_linear = members[i]->voices().linear > 0.0;
    fusion.weights[i] *= is_linear ? share * linear.weight : (1.0 - share) * graph.weight;
    double sum = 0;
    for (const Branch& branch : inference.branches) sum += fusion.weights[i] * branch.weight;
    total += sum;
    voted += sum;
    fusion.agreement += sum * inference.agreement;
  }
  fusion.agreement /= voted;
  fusion.scores = share == 0.0   ? graph.scores
                  : share == 1.0 ? linear.scores
                                 : Matrix((1.0 - share) * graph.scores + share * linear.scores);
  fusion.scores /= total;
  fusion.labels = members.size() == 1 ? members[0]->labels() : largest_rows(fusion.scores);
  fusion.harmful = fusion.evidence && is_harmful(fusion.labels, *witnesses);
  return fusion;
}

std::string in_words(const Fusion& fusion, const SourceWitnesses& witnesses) {
  if (!fusion.evidence) return {};
  if (fusion.harmful) {
    return fmt::format(
        "adaptation does not help here: without it, 1-NN and logistic regression agree with each other on "
        "{:.0f} "
        "% of the target samples, with the adapted labels on at most {:.0f} %; the labels are those of "
        "logistic regression on the source",
        100.0 * witnesses.agree_with_each_other(),
        100.0 * std::max(witnesses.linear_agrees(fusion.labels), witnesses.nearest_agrees(fusion.labels)));
  }
  return fmt::format(
      "runs with a linear voice count {:.0f} %, graph runs {:.0f} %: on the source, logistic regression is "
      "right "
      "on {:.1f} % and 1-NN on {:.1f} % of the samples; {:.0f} % and {:.0f} % of the labels are also theirs",
      100.0 * fusion.evidence->weight(), 100.0 * (1.0 - fusion.evidence->weight()),
      100.0 * witnesses.linear_accuracy(), 100.0 * witnesses.nearest_accuracy(),
      100.0 * witnesses.linear_agrees(fusion.labels), 100.0 * witnesses.nearest_agrees(fusion.labels));
}

}  // namespace isthmus
