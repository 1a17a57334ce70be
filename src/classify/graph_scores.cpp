#include "classify/graph_scores.h"

#include <algorithm>
#include <cmath>

#include "classify/neighbour_graph.h"
#include "ops/neighbours.h"

namespace isthmus {

Matrix graph_scores(const GraphScores& classifier, MatrixView embedded, const Execution& run) {
  const Index k = std::min<Index>(classifier.neighbours, classifier.references.cols());
  const ops::Neighbours found = ops::nearest_k(classifier.references, embedded, k, false, run);
  const Index scale_row = std::min<Index>(classifier.local_scale_rank, k) - 1;
  Matrix scores = Matrix::Zero(classifier.scores.rows(), embedded.cols());
  for (Index j = 0; j < embedded.cols(); ++j) {
    const double own_scale = std::sqrt(found.squared_distance(scale_row, j));
    for (Index rank = 0; rank < k; ++rank) {
      const Index r = found.index(rank, j);
      const double weight = self_tuning_weight(found.squared_distance(rank, j), own_scale,
                                               classifier.local_scale[r], rank, classifier.rank_decay);
      scores.col(j) += weight * classifier.scores.col(r);
    }
    const double sum = scores.col(j).sum();
    if (sum > 0.0) {
      scores.col(j) /= sum;
    } else {  // every neighbour infinitely far in its own scale: nothing is known
      scores.col(j).setConstant(1.0 / static_cast<double>(scores.rows()));
    }
  }
  return scores;
}

}  // namespace isthmus
