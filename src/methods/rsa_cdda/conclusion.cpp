#include "methods/rsa_cdda/conclusion.h"

#include <cmath>
#include <utility>

namespace isthmus {
namespace {

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

void describe_evidence(const Fusion& fusion, const SourceWitnesses& witnesses, Report& report) {
  report.notes.push_back(in_words(fusion, witnesses));
  report.facts["linear_weight"] = fusion.evidence->weight();
  report.facts["linear_preference"] = fusion.evidence->preference;
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

}  // namespace

void conclude(const Fusion& fusion, std::vector<std::vector<Branch>> branches,
              const SourceWitnesses* witnesses, const RsaCddaOptions& options, ModelState& state) {
  if (fusion.evidence) describe_evidence(fusion, *witnesses, state.report);
  state.report.facts["agreement"] = fusion.agreement;
  state.report.facts["flat_share"] = fusion.flat_share;
  if (fusion.harmful) {
    state.branches = {source_branch(*witnesses, 1.0)};
    return;
  }
  if (options.classifier != RsaCddaClassifier::Nearest &&
      options.classifier != RsaCddaClassifier::Propagation) {
    state.temperature = calibrated_temperature(fusion.scores, fusion.agreement);
  }
  for (std::size_t i = 0; i < branches.size(); ++i) {
    if (fusion.weights[i] == 0.0) continue;
    for (Branch& branch : branches[i]) {
      for (auto& [classifier, weight] : branch.classifiers) weight *= fusion.weights[i];
      state.branches.push_back(std::move(branch));
    }
  }
  if (fusion.source_weight > 0.0) state.branches.push_back(source_branch(*witnesses, fusion.source_weight));
}

}  // namespace isthmus
