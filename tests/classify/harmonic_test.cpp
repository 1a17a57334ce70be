#include "classify/harmonic.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include <cmath>

#include "classify/classifier.h"
#include "labelled_samples.h"

namespace isthmus {
namespace {

using testing::labelled_samples;
using testing::LabelledSamples;

struct Case {
  LabelledSamples data = labelled_samples(6, 60, 80, 5, 21);
  SparseWeights weights = self_tuning_graph(data.samples, {.neighbours = 10}, 1).weights;
};

Matrix one_hot(const std::vector<int>& labels, int classes) {
  Matrix y = Matrix::Zero(static_cast<Index>(labels.size()), classes);
  for (std::size_t i = 0; i < labels.size(); ++i) y(static_cast<Index>(i), labels[i]) = 1.0;
  return y;
}

TEST(HarmonicLabels, AgreeWithADenseSolve) {
  const Case c;
  const Matrix w = c.weights;
  const Vector degree = w.rowwise().sum();
  Matrix system = -w.bottomRightCorner(80, 80);
  system.diagonal() += degree.tail(80);
  system.diagonal().array() += 1e-3 * degree.mean();
  Matrix g = system.ldlt().solve(w.bottomLeftCorner(80, 60) * one_hot(c.data.source_labels, 5));
  g = g.array().colwise() / g.rowwise().sum().array();
  const HarmonicLabels labels = harmonic_labels(c.weights, c.data.source_labels, 5, 1);
  EXPECT_LT((labels.scores.transpose() - g).cwiseAbs().maxCoeff(), 1e-8);
}

TEST(HarmonicLabels, WithSeedsAgreeWithADenseSolveWithALabelledVertexAtEachSample) {
  const Case c;
  const Matrix w = c.weights;
  const Vector degree = w.rowwise().sum();
  const Matrix seeds = 0.2 * testing::random_matrix(5, 80, 29).cwiseAbs();
  const Vector hung = degree.tail(80).cwiseProduct(seeds.colwise().sum().transpose());
  Matrix system = -w.bottomRightCorner(80, 80);
  system.diagonal() += degree.tail(80) + hung;
  system.diagonal().array() += 1e-3 * degree.mean();
  Matrix g = system.ldlt().solve(w.bottomLeftCorner(80, 60) * one_hot(c.data.source_labels, 5) +
                                 degree.tail(80).asDiagonal() * seeds.transpose());
  g = g.array().colwise() / g.rowwise().sum().array();
  const HarmonicLabels labels = harmonic_labels(c.weights, c.data.source_labels, 5, 1, 1e-3, seeds);
  EXPECT_LT((labels.scores.transpose() - g).cwiseAbs().maxCoeff(), 1e-8);
}

TEST(HarmonicLabels, ObeyTheMaximumPrinciple) {
  const Case c;
  const HarmonicLabels labels = harmonic_labels(c.weights, c.data.source_labels, 5, 1);
  EXPECT_GE(labels.scores.minCoeff(), -1e-12);
  EXPECT_LE(labels.scores.maxCoeff(), 1.0 + 1e-12);
  EXPECT_LT((labels.scores.colwise().sum().array() - 1.0).abs().maxCoeff(), 1e-12);
}

/// ½ Σ w_ij (g_i − g_j)² + ½ leak Σ g_t² over one class, source scores held at their labels.
double energy(const Matrix& w, const Vector& g, Index ns, double leak) {
  double sum = 0;
  for (Index i = 0; i < w.rows(); ++i) {
    for (Index j = 0; j < w.cols(); ++j) sum += 0.25 * w(i, j) * std::pow(g[i] - g[j], 2);
  }
  return sum + 0.5 * leak * g.tail(w.rows() - ns).squaredNorm();
}

TEST(HarmonicLabels, MinimiseTheDirichletEnergy) {
  const Case c;
  const Matrix w = c.weights;
  const double leak = 1e-3 * w.sum() / 140.0;
  // Two classes' worth of right-hand side, unnormalised, by the solver itself.
  Matrix rhs = Matrix::Zero(1, 80);
  Vector g = Vector::Zero(140);
  for (Index i = 0; i < 60; ++i) g[i] = c.data.source_labels[static_cast<std::size_t>(i)] == 2 ? 1.0 : 0.0;
  rhs = (w.bottomLeftCorner(80, 60) * g.head(60)).transpose();
  const Vector diagonal = w.rowwise().sum().tail(80).array() + leak;
  const SparseWeights among = c.weights.block(60, 60, 80, 80);
  g.tail(80) = solve_graph_system(among, diagonal, rhs, 1).solution.row(0).transpose();
  const double least = energy(w, g, 60, leak);
  for (int trial = 0; trial < 20; ++trial) {
    Vector other = g;
    other.tail(80) += 0.01 * testing::random_matrix(80, 1, static_cast<std::uint64_t>(100 + trial));
    EXPECT_GT(energy(w, other, 60, leak), least);
  }
}

TEST(HarmonicLabels, FindMostClassesOfAnEasyPair) {
  const Case c;
  const std::vector<int> found = largest_rows(harmonic_labels(c.weights, c.data.source_labels, 5, 1).scores);
  int right = 0;
  for (std::size_t j = 0; j < found.size(); ++j) right += found[j] == c.data.target_labels[j] ? 1 : 0;
  EXPECT_GE(right, 72);
}

TEST(HarmonicLabels, AreTheSameOnOneThreadAndOnTwo) {
  const LabelledSamples data = labelled_samples(6, 120, 150, 40, 22);
  const SparseWeights weights = self_tuning_graph(data.samples, {}, 1).weights;
  EXPECT_TRUE(harmonic_labels(weights, data.source_labels, 40, 1).scores ==
              harmonic_labels(weights, data.source_labels, 40, 2).scores);
}

TEST(HarmonicLabels, LeaveSamplesThatNoLabelReachesAtZero) {
  // Two islands far apart; the source sits on the first only.
  Matrix samples(2, 12);
  samples.leftCols(6) = 0.01 * testing::random_matrix(2, 6, 23);
  samples.rightCols(6) = 0.01 * testing::random_matrix(2, 6, 24).array() + 100.0;
  const SparseWeights weights = self_tuning_graph(samples, {.neighbours = 3, .local_scale = 2}, 1).weights;
  const HarmonicLabels labels = harmonic_labels(weights, {0, 1, 0}, 2, 1);
  EXPECT_EQ(labels.scores.rightCols(6).norm(), 0.0);
  EXPECT_LT((labels.scores.leftCols(3).colwise().sum().array() - 1.0).abs().maxCoeff(), 1e-12);
}

}  // namespace
}  // namespace isthmus
