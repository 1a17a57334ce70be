#include "classify/graph_evidence.h"

#include <gtest/gtest.h>

#include "labelled_samples.h"

namespace isthmus {
namespace {

using testing::labelled_samples;
using testing::LabelledSamples;

SparseWeights sparse(const Matrix& dense) {
  return dense.sparseView();
}

/// Source 0, 1, 2 and target 3, 4, 5.
Matrix six_vertices() {
  Matrix w = Matrix::Zero(6, 6);
  const auto join = [&](Index i, Index j, double weight) { w(i, j) = w(j, i) = weight; };
  join(0, 1, 2.0);
  join(1, 2, 1.0);
  join(3, 4, 3.0);
  join(4, 5, 1.0);
  join(2, 3, 1.0);
  return w;
}

TEST(GraphEvidence, CrossingShareIsTheTargetsWeightIntoTheSource) {
  // The target's rows weigh 3 + 1, 3 + 1 and 1; one of it leads to the source.
  EXPECT_DOUBLE_EQ(crossing_share(sparse(six_vertices()), 3), 1.0 / 9.0);
  Matrix apart = six_vertices();
  apart(2, 3) = apart(3, 2) = 0.0;
  EXPECT_EQ(crossing_share(sparse(apart), 3), 0.0);
}

TEST(GraphEvidence, AVoteCountsOtherSourceSamplesOnly) {
  // Sample 1 has its own class behind the heavier edge, sample 2 the other class behind its only one.
  EXPECT_DOUBLE_EQ(vote_accuracy(sparse(six_vertices()), {0, 0, 1}, 2), 2.0 / 3.0);
  Matrix loops = six_vertices();
  loops.diagonal().setConstant(100.0);
  EXPECT_DOUBLE_EQ(vote_accuracy(sparse(loops), {0, 0, 1}, 2), 2.0 / 3.0);
}

TEST(GraphEvidence, SmoothnessIsOneWhereNoEdgeJoinsTwoClassesAndZeroByChance) {
  const SparseWeights w = sparse(six_vertices());
  EXPECT_DOUBLE_EQ(label_smoothness(w, 3, {1, 1, 1}, 2), 1.0);
  // Edges 3-4 (weight 3, equal) and 4-5 (weight 1, not): 3/4 of the weight, half of it by chance.
  EXPECT_DOUBLE_EQ(label_smoothness(w, 3, {1, 1, 0}, 2), 0.5);
  EXPECT_DOUBLE_EQ(label_smoothness(w, 3, {1, 0, 0}, 2), 0.0);
}

TEST(GraphEvidence, TrueLabelsAreSmootherThanShuffledOnes) {
  const LabelledSamples data = labelled_samples(5, 60, 40, 3, 7);
  const SparseWeights w = self_tuning_graph(data.samples, {.neighbours = 6}, 1).weights;
  std::vector<int> shuffled;  // the true ones follow each other sample by sample
  for (int i = 0; i < 60; ++i) shuffled.push_back(i / 20);
  EXPECT_GT(label_smoothness(w, 0, data.source_labels, 3), label_smoothness(w, 0, shuffled, 3) + 0.2);
}

}  // namespace
}  // namespace isthmus
