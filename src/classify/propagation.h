#pragma once

#include "classify/neighbour_graph.h"
#include "isthmus/execution.h"

namespace isthmus {

/// Label propagation (Zhou et al. 2004): F = (I − αS)⁻¹ Y with S = D^-½ W D^-½. `seeds` is C×n (Yᵀ); the
/// result likewise. 0 ≤ α < 1: how far labels travel.
GraphSolution propagate_labels(const SparseWeights& weights, MatrixView seeds, double alpha,
                               const Execution& run);

/// Negative entries to zero, each column divided by its sum; a column of zeros stays.
void columns_to_simplex(Eigen::Ref<Matrix> scores);

/// One class-mass step: moves the mean of the columns towards `prior` by scaling each class with
/// (prior/mean)^strength and dividing each column by its sum again. Assumes that both domains have similar
/// class shares; strength 0 leaves the columns as they are.
void match_class_mass(Eigen::Ref<Matrix> scores, const Vector& prior, double strength);

}  // namespace isthmus
