#pragma once

#include "isthmus/domain.h"
#include "isthmus/matrix.h"

namespace isthmus {

/// X H Xᵀ of both domains together (d×d) and their joint mean: one pass, no n×n matrix, no copy of X.
struct Scatter {
  Matrix matrix;
  Vector mean;
};
Scatter total_scatter(SampleView source, SampleView target, int threads = 1);
Scatter total_scatter(const DomainPair& pair, int threads = 1);

/// The wanted subspace dimension, checked against features and samples (centred data has rank < n); 0 takes
/// the `usual` one, or as many as there are. Throws InvalidArgument naming the bound.
Index choose_components(int wanted, Index usual, const DomainPair& pair);
Index choose_components(int wanted, Index usual, Index features, Index samples);

}  // namespace isthmus
