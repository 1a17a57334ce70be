#include "classify/graph_scores.h"

#include <gtest/gtest.h>

#include <cmath>

#include "classify/harmonic.h"
#include "labelled_samples.h"

namespace isthmus {
namespace {

using testing::labelled_samples;
using testing::LabelledSamples;

GraphScores fitted(const LabelledSamples& data, int classes) {
  const NeighbourGraph graph = self_tuning_graph(data.samples, {}, 1);
  GraphScores result;
  result.references = data.samples;
  result.scores = Matrix::Zero(classes, data.samples.cols());
  for (Index i = 0; i < data.source_count(); ++i) {
    result.scores(data.source_labels[static_cast<std::size_t>(i)], i) = 1.0;
  }
  result.scores.rightCols(data.target_count()) =
      harmonic_labels(graph.weights, data.source_labels, classes, 1).scores;
  result.local_scale = graph.local_scale;
  return result;
}

TEST(GraphScoresClassifier, KeepsTheLabelsOfItsOwnVertices) {
  const LabelledSamples data = labelled_samples(6, 100, 120, 5, 51);
  const GraphScores classifier = fitted(data, 5);
  const std::vector<int> smoothed = largest_rows(graph_scores(classifier, data.samples.rightCols(120), 1));
  const std::vector<int> fitted_labels = largest_rows(classifier.scores.rightCols(120));
  int same = 0;
  for (std::size_t j = 0; j < smoothed.size(); ++j) same += smoothed[j] == fitted_labels[j] ? 1 : 0;
  EXPECT_GE(same, 118);
}

TEST(GraphScoresClassifier, FollowsItsFormula) {
  const LabelledSamples data = labelled_samples(4, 8, 6, 2, 52);
  GraphScores classifier = fitted(data, 2);
  classifier.neighbours = 3;
  classifier.local_scale_rank = 2;
  const Vector x = testing::random_matrix(4, 1, 53).normalized();
  std::vector<std::pair<double, Index>> near;
  for (Index r = 0; r < 14; ++r) near.emplace_back((data.samples.col(r) - x).squaredNorm(), r);
  std::sort(near.begin(), near.end());
  const double scale = std::sqrt(near[1].first);
  Vector expected = Vector::Zero(2);
  for (int rank = 0; rank < 3; ++rank) {
    const auto [distance, r] = near[static_cast<std::size_t>(rank)];
    expected += std::exp(-distance / (scale * classifier.local_scale[r])) * std::exp(-rank / 3.0) *
                classifier.scores.col(r);
  }
  EXPECT_LT((graph_scores(classifier, x, 1) - expected / expected.sum()).norm(), 1e-9);
}

TEST(GraphScoresClassifier, IsTheSameOnOneThreadAndOnTwo) {
  const LabelledSamples data = labelled_samples(6, 300, 320, 5, 54);
  const GraphScores classifier = fitted(data, 5);
  EXPECT_TRUE(graph_scores(classifier, data.samples, 1) == graph_scores(classifier, data.samples, 2));
}

}  // namespace
}  // namespace isthmus
