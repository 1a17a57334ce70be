#pragma once

#include <variant>
#include <vector>

#include "isthmus/execution.h"
#include "isthmus/matrix.h"

namespace isthmus {

/// 1-NN against labelled references: source samples, a few prototypes of them, or one mean a class.
struct NearestReference {
  Matrix references;        ///< k×m in the embedding
  std::vector<int> labels;  ///< class ids
  /// Scale of squared distances for class scores: softmax of −(distance to the class)²/bandwidth.
  double bandwidth = 1.0;
};

/// Linear scores wᵀf of a structural-risk classifier.
struct LinearScores {
  Matrix weights;  ///< k×C
};

/// Probabilities of multinomial logistic regression: the softmax of Wᵀf + b.
struct LogisticScores {
  Matrix weights;  ///< W, k×C
  Vector offsets;  ///< b
};

/// Scores known at the vertices of a neighbour graph, smoothed onto new samples by the graph's own kernel:
///     g(x) = Σ_r w_r g_r / Σ_r w_r,  w_r = exp(−d_r²/(s_x s_r))·exp(−rank/decay) over its nearest vertices.
struct GraphScores {
  Matrix references;    ///< k×n, the vertices in the embedding
  Matrix scores;        ///< C×n, theirs: one-hot for the source, harmonic for the target
  Vector local_scale;   ///< s_r
  int neighbours = 20;  ///< as the graph was built
  int local_scale_rank = 7;
  double rank_decay = 3.0;
};

/// Everything that labels samples in an embedding.
using Classifier = std::variant<NearestReference, LinearScores, LogisticScores, GraphScores>;

/// Class scores, C×m, columns sum to 1. The label is the largest (ties to the lowest id), except for
/// 1-NN, whose labels come from nearest_classes().
Matrix class_scores(const Classifier& classifier, MatrixView embedded, int class_count, const Execution& run);

/// Labels of the nearest references, ties to the lowest index.
std::vector<int> nearest_labels(const NearestReference& classifier, MatrixView embedded,
                                const Execution& run);

/// The largest entry of each column, ties to the lowest row.
std::vector<int> largest_rows(MatrixView scores);

/// A 1-NN classifier with its bandwidth set to the median squared distance of `queries`, or of some thousands
/// of them evenly over all, to their nearest.
NearestReference make_nearest(Matrix references, std::vector<int> labels, MatrixView queries,
                              const Execution& run);

}  // namespace isthmus
