#pragma once

#include <vector>

#include "classify/neighbour_graph.h"
#include "isthmus/execution.h"

namespace isthmus {

struct StructuralRiskOptions {
  double mmd_weight = 10.0;       ///< pulls the means of both domains together in the scores
  double laplacian_weight = 1.0;  ///< neighbours get similar scores
  double ridge = 0.1;             ///< keeps the weights small
  int rounds = 3;                 ///< refreshes of the pseudo labels in the MMD term
  double conditional = 0.5;       ///< μ in [0, 1]: 0 pulls the domains' means only, 1 the classes' only
};

struct StructuralRisk {
  Matrix weights;  ///< k×C
  Matrix scores;   ///< C×nt as `linear_scores` gives them
  /// Share of source samples that the classifier would label right had it not seen their label.
  double source_accuracy = 0;
};

/// Linear classifier in the embedding F (k×n, source first) under structural risk, joint MMD and manifold
/// regularisation (after Long et al., Adaptation regularization, 2014; μ as in Wang et al., Manifold embedded
/// distribution alignment, 2018):
///     (F (J_s + mmd·M/‖M‖_F + laplacian·L) Fᵀ + ridge·I) w = F J_s Y,
/// J_s keeps the source samples, L is the normalised graph Laplacian, M = (1 − μ)·C·M₀ + μ·Σ M_c with the
/// current pseudo labels; a class without target samples keeps its source half. Only k×k systems are solved.
StructuralRisk structural_risk(MatrixView embedded, const SparseWeights& weights,
                               const std::vector<int>& source_labels, const std::vector<int>& target_start,
                               int class_count, const StructuralRiskOptions& options, const Execution& run);

/// Scores of a linear classifier: wᵀf, the smallest class subtracted, each column divided by its sum
/// (equal scores give 1/C each).
Matrix linear_scores(MatrixView weights, MatrixView embedded, const Execution& run);

}  // namespace isthmus
