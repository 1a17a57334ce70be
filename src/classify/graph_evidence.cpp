#include "classify/graph_evidence.h"

#include <algorithm>

namespace isthmus {
namespace {

using Edge = SparseWeights::InnerIterator;

}  // namespace

double crossing_share(const SparseWeights& weights, Index source_count) {
  double crossing = 0;
  double all = 0;
  for (Index i = source_count; i < weights.rows(); ++i) {
    for (Edge edge(weights, i); edge; ++edge) {
      all += edge.value();
      if (edge.col() < source_count) crossing += edge.value();
    }
  }
  return all > 0 ? crossing / all : 0.0;
}

double vote_accuracy(const SparseWeights& weights, const std::vector<int>& source_labels, int class_count) {
  const auto count = static_cast<Index>(source_labels.size());
  Index right = 0;
  Vector votes(class_count);
  for (Index i = 0; i < count; ++i) {
    votes.setZero();
    for (Edge edge(weights, i); edge; ++edge) {
      if (edge.col() < count && edge.col() != i)
        votes[source_labels[static_cast<std::size_t>(edge.col())]] += edge.value();
    }
    Index winner = 0;
    votes.maxCoeff(&winner);
    right += winner == source_labels[static_cast<std::size_t>(i)] ? 1 : 0;
  }
  return static_cast<double>(right) / static_cast<double>(count);
}

double label_smoothness(const SparseWeights& weights, Index first, const std::vector<int>& labels,
                        int class_count) {
  const Index end = first + static_cast<Index>(labels.size());
  const auto label = [&](Index i) { return labels[static_cast<std::size_t>(i - first)]; };
  double equal = 0;
  double all = 0;
  for (Index i = first; i < end; ++i) {
    for (Edge edge(weights, i); edge; ++edge) {
      if (edge.col() < first || edge.col() >= end || edge.col() == i) continue;
      all += edge.value();
      if (label(i) == label(edge.col())) equal += edge.value();
    }
  }
  const double chance = 1.0 / class_count;
  return all > 0 ? std::max(0.0, (equal / all - chance) / (1.0 - chance)) : 0.0;
}

}  // namespace isthmus
