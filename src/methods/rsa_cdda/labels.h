#pragma once

#include <vector>

#include "isthmus/execution.h"
#include "methods/rsa_cdda/rsa_cdda.h"
#include "ops/neighbours.h"

namespace isthmus {

/// Which voices speak in a run of the geometry classifier beside equal ones of harmonic labels and structural
/// risk.
struct Voices {
  /// The two weigh by what they are worth on the source, as far as the domains overlap.
  bool earned = false;
  /// The run keeps the weak directions that a squared spectrum drowns. It counts where its two voices agree
  /// clearly more often than those of the other graph runs.
  bool flat = false;
  /// Weight of logistic regression in the embedding, against the two together; 0: it does not speak.
  double linear = 0.0;
};

/// Labels of the target, and the branches that carry them to new samples (`finished_branches`).
struct LabelInference {
  Matrix scores;  ///< C×nt
  std::vector<int> labels;
  std::vector<Branch> branches;
  std::vector<ops::NeighbourIndex> neighbours;  ///< in the graph of each dimension
  double residual = 0;                          ///< worst relative residual of the graph's linear systems
  double agreement = 1;  ///< share of samples on which harmonic labels and structural risk agree
  /// How smooth the linear voice's labels are on the target's graph against the source's labels on theirs,
  /// 0 … 1; 1 without that voice.
  double linear_smoothness = 1;
};

/// What the target's labels are inferred from.
struct LabelEvidence {
  const Matrix& features;  ///< r×n, source first
  const std::vector<int>& source_labels;
  int class_count;
  const Matrix& projection;    ///< A, r×k
  const LabelInference& last;  ///< of the round before; without labels in the first
  const Matrix& seeds;         ///< C×nt class scores from Z, columns sum to 1; empty without Z
  const Matrix& z;             ///< ns×nt reconstruction; empty without Z
};

/// `options` are resolved: no value is left to the mode.
LabelInference infer_labels(const LabelEvidence& evidence, const RsaCddaOptions& options,
                            const Voices& voices, const Execution& run);

/// The branches with projections that take samples: `map` takes those to features. For after the last round.
std::vector<Branch> finished_branches(LabelInference inference, const Matrix& map,
                                      const RsaCddaOptions& options, const Execution& run);

/// Unit columns of A_kᵀ·features, A_k the leading k columns.
Matrix unit_embedding(const Matrix& features, const Matrix& projection, Index components,
                      const Execution& run);

/// Samples whose label changed; all of them when there were none before.
Index count_changes(const std::vector<int>& before, const std::vector<int>& after);

/// Divides by the standard deviation over all entries, so that scores of different kinds weigh alike;
/// returns the factor (1 for constant scores).
double standardising_weight(const Matrix& scores);

}  // namespace isthmus
