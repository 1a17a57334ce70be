#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "methods/rsa_cdda_alternation.h"
#include "methods/rsa_cdda_witnesses.h"

namespace isthmus {

using RsaCddaMembers = std::vector<std::unique_ptr<RsaCddaAlternation>>;

/// What is known without a target label about the worth of the runs with a linear voice.
struct LinearEvidence {
  double skill = 0;       ///< of logistic regression on the source (SourceWitnesses::linear_skill)
  double source = 0;      ///< SourceWitnesses::source_evidence
  double preference = 0;  ///< how much more often these runs' labels are those of the linear witness
  double smoothness = 0;  ///< LabelInference::linear_smoothness

  /// Weight of the linear runs against the graph runs, 0 … 1. Its numbers were chosen on Table 1 and four
  /// real fields (docs/science.md).
  double weight() const;
};

/// The members' scores of the target, added.
struct Fusion {
  std::vector<double> weights;  ///< of each member's scores
  double source_weight = 0;     ///< of the linear witness's probabilities
  Matrix scores;                ///< C×nt, columns sum to 1
  std::vector<int> labels;
  double agreement = 0;                    ///< of the voices in the members
  std::optional<LinearEvidence> evidence;  ///< where there are runs of both kinds
  /// Adaptation does not help: the witnesses agree with each other more than either does with the labels.
  bool harmful = false;
};

/// Runs of the same kind count alike; runs with a linear voice, to which the linear witness adds its own,
/// weigh against the others by the evidence. `witnesses` may be null where all runs are of one kind.
Fusion fuse(const RsaCddaMembers& members, const SourceWitnesses* witnesses);

/// What the evidence says, in words; empty without any.
std::string in_words(const Fusion& fusion, const SourceWitnesses& witnesses);

}  // namespace isthmus
