#pragma once

#include <optional>
#include <string>
#include <vector>

#include "methods/rsa_cdda/labels.h"
#include "methods/rsa_cdda/witnesses.h"

namespace isthmus {

/// What a run says of the target samples that all runs are asked about.
struct Vote {
  const Voices& voices;
  const LabelInference& inference;
};

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

/// The runs' scores, added.
struct Fusion {
  std::vector<double> weights;  ///< of each run's scores
  double source_weight = 0;     ///< of the linear witness's probabilities
  double flat_share = 0;        ///< of the runs with a flat spectrum among the graph runs
  Matrix scores;                ///< C×m, columns sum to 1
  std::vector<int> labels;
  double agreement = 0;                    ///< of the voices in the runs
  std::optional<LinearEvidence> evidence;  ///< where there are runs of both kinds
  /// Adaptation does not help: the witnesses agree with each other more than either does with the labels.
  bool harmful = false;
};

/// Graph runs count by what their voices' agreement says of their spectrum; runs with a linear voice, to
/// which the linear witness adds its own, weigh against the others by the evidence. `witnesses`, of the same
/// samples, may be null where all runs are graph runs.
Fusion fuse(const std::vector<Vote>& votes, const SourceWitnesses* witnesses);

/// What the evidence says, in words; empty without any.
std::string in_words(const Fusion& fusion, const SourceWitnesses& witnesses);

}  // namespace isthmus
