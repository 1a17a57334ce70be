#pragma once

#include <vector>

#include "classify/neighbour_graph.h"

namespace isthmus {

/// What a neighbour graph of both domains (source first) and their labels say of each other, without a label
/// of the target.

/// Share of the target's edge weight that leads to the source: 0 where the domains lie apart.
double crossing_share(const SparseWeights& weights, Index source_count);

/// Share of source samples whose neighbours in the source vote for their own class.
double vote_accuracy(const SparseWeights& weights, const std::vector<int>& source_labels, int class_count);

/// Share of the edge weight among the samples `first` … that joins equal labels, as far above chance as a
/// share can be: 0 for labels that ignore the graph, 1 where no edge joins two classes.
double label_smoothness(const SparseWeights& weights, Index first, const std::vector<int>& labels,
                        int class_count);

}  // namespace isthmus
