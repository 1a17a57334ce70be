#pragma once

#include <optional>

#include "isthmus/domain.h"
#include "isthmus/execution.h"
#include "isthmus/matrix.h"
#include "linalg/moments.h"

namespace isthmus {

/// Number, mean and scatter X H Xᵀ of both domains together: one pass, no n×n matrix, no copy of X.
linalg::Moments joint_moments(SampleView source, SampleView target, const Execution& run);

/// The wanted subspace dimension, checked against features and samples (centred data has rank < n); where
/// none is wanted the `usual` one, or as many as there are. Throws InvalidArgument naming the bound.
int choose_components(std::optional<int> wanted, int usual, const DomainPair& pair);
int choose_components(std::optional<int> wanted, int usual, Index features, Index samples);

}  // namespace isthmus
