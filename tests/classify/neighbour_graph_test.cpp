#include "classify/neighbour_graph.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "labelled_samples.h"

namespace isthmus {
namespace {

using testing::labelled_samples;
using testing::LabelledSamples;
using testing::random_matrix;

Matrix squared_distances(const Matrix& x) {
  Matrix d(x.cols(), x.cols());
  for (Index i = 0; i < x.cols(); ++i) {
    for (Index j = 0; j < x.cols(); ++j) d(i, j) = (x.col(i) - x.col(j)).squaredNorm();
    d(i, i) = std::numeric_limits<double>::infinity();
  }
  return d;
}

std::vector<Index> order_of_row(const Matrix& d, Index i) {
  std::vector<Index> order(static_cast<std::size_t>(d.cols()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return d(i, a) < d(i, b); });
  return order;
}

/// Dense twin of the self-tuning graph, by its formula.
Matrix naive_self_tuning(const Matrix& x, int neighbours, int local, double decay) {
  const Matrix d = squared_distances(x);
  Matrix w = Matrix::Zero(x.cols(), x.cols());
  Vector s(x.cols());
  for (Index i = 0; i < x.cols(); ++i)
    s[i] = std::sqrt(d(i, order_of_row(d, i)[static_cast<std::size_t>(local - 1)]));
  for (Index i = 0; i < x.cols(); ++i) {
    const auto order = order_of_row(d, i);
    for (int r = 0; r < neighbours; ++r) {
      const Index j = order[static_cast<std::size_t>(r)];
      w(i, j) = std::exp(-d(i, j) / (s[i] * s[j] + 1e-12)) * std::exp(-r / decay);
    }
  }
  return w.cwiseMax(w.transpose());
}

TEST(NeighbourGraph, AgreesWithTheDenseFormula) {
  const Matrix x = random_matrix(6, 90, 1);
  const NeighbourGraph graph =
      self_tuning_graph(x, {.neighbours = 11, .local_scale = 4, .rank_decay = 2.5}, 1);
  EXPECT_LT((Matrix(graph.weights) - naive_self_tuning(x, 11, 4, 2.5)).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LE(graph.weights.nonZeros(), 2 * 11 * 90);
}

TEST(NeighbourGraph, IsTheSameOnOneThreadAndOnTwo) {
  const Matrix x = random_matrix(8, 700, 2);
  const NeighbourGraph one = self_tuning_graph(x, {}, 1);
  const NeighbourGraph two = self_tuning_graph(x, {}, 2);
  EXPECT_TRUE(Matrix(one.weights) == Matrix(two.weights));
  EXPECT_TRUE(one.local_scale == two.local_scale);
}

TEST(NeighbourGraph, TakesFewerNeighboursThanAskedFromAFewSamples) {
  const NeighbourGraph graph = self_tuning_graph(random_matrix(3, 4, 3), {}, 1);
  EXPECT_EQ(graph.weights.nonZeros(), 12);
  EXPECT_TRUE(Matrix(graph.weights).allFinite());
  EXPECT_EQ(self_tuning_graph(random_matrix(3, 1, 3), {}, 1).weights.nonZeros(), 0);
}

TEST(NeighbourGraph, JoinsIdenticalSamplesWithFullWeight) {
  const Matrix x = Matrix::Ones(4, 30);
  const Matrix w = self_tuning_graph(x, {}, 1).weights;
  EXPECT_TRUE(w.allFinite());
  EXPECT_DOUBLE_EQ(w.maxCoeff(), 1.0);
}

TEST(NeighbourGraph, DoesNotDependOnTheOrderOfSamples) {
  const Matrix x = random_matrix(5, 60, 4);
  const Matrix w = self_tuning_graph(x, {}, 1).weights;
  const Matrix reversed = self_tuning_graph(x.rowwise().reverse(), {}, 1).weights;
  EXPECT_LT((reversed.reverse() - w).cwiseAbs().maxCoeff(), 1e-14);
}

/// Dense twin: forbidden pairs are infinitely far.
Matrix naive_class_aware(const LabelledSamples& data, int neighbours) {
  Matrix d = squared_distances(data.samples);
  const Index ns = data.source_count();
  for (Index i = 0; i < ns; ++i) {
    for (Index j = 0; j < ns; ++j) {
      if (data.source_labels[static_cast<std::size_t>(i)] !=
          data.source_labels[static_cast<std::size_t>(j)]) {
        d(i, j) = std::numeric_limits<double>::infinity();
      }
    }
  }
  double sum = 0;
  double count = 0;
  Matrix chosen = Matrix::Constant(d.rows(), d.cols(), -1.0);
  for (Index i = 0; i < d.rows(); ++i) {
    const auto order = order_of_row(d, i);
    for (int r = 0; r < neighbours; ++r) {
      const Index j = order[static_cast<std::size_t>(r)];
      if (!std::isfinite(d(i, j))) continue;
      chosen(i, j) = d(i, j);
      sum += d(i, j);
      count += 1;
    }
  }
  Matrix w = Matrix::Zero(d.rows(), d.cols());
  for (Index i = 0; i < d.rows(); ++i) {
    for (Index j = 0; j < d.cols(); ++j) {
      if (chosen(i, j) >= 0) w(i, j) = std::exp(-chosen(i, j) / (sum / count));
    }
  }
  return 0.5 * (w + w.transpose());
}

TEST(NeighbourGraph, KeepsSourceClassesApartAsTheDenseFormulaDoes) {
  const LabelledSamples data = labelled_samples(5, 40, 33, 4, 5);
  const Matrix w =
      class_aware_graph(data.samples.leftCols(40), data.source_labels, data.samples.rightCols(33), 5, 1);
  EXPECT_LT((w - naive_class_aware(data, 5)).cwiseAbs().maxCoeff(), 1e-12);
  for (Index i = 0; i < 40; ++i) {
    for (Index j = 0; j < 40; ++j) {
      if (data.source_labels[static_cast<std::size_t>(i)] !=
          data.source_labels[static_cast<std::size_t>(j)]) {
        EXPECT_EQ(w(i, j), 0.0);
      }
    }
  }
}

TEST(NeighbourGraph, ClassAwareGraphTakesClassesOfOneSample) {
  const LabelledSamples data = labelled_samples(3, 4, 1, 4, 6);
  const Matrix w =
      class_aware_graph(data.samples.leftCols(4), data.source_labels, data.samples.rightCols(1), 5, 1);
  EXPECT_TRUE(w.allFinite());
  EXPECT_GT(w.row(4).head(4).minCoeff(), 0.0);
}

TEST(NeighbourGraph, TakesEdgesAlongAReconstruction) {
  const LabelledSamples data = labelled_samples(5, 12, 9, 3, 9);
  const SparseWeights before =
      self_tuning_graph(data.samples, {.neighbours = 4, .local_scale = 3}, 1).weights;
  Matrix z = random_matrix(12, 9, 10);
  z.col(4).setConstant(-1.0);  // no source sample rebuilds it
  SparseWeights after = before;
  add_reconstruction_edges(after, z, 3, 0.5);
  const Matrix added = Matrix(after) - Matrix(before);
  EXPECT_TRUE(Matrix(after) == Matrix(after).transpose());
  EXPECT_EQ(added.topLeftCorner(12, 12).norm() + added.bottomRightCorner(9, 9).norm(), 0.0);
  const Vector degree = degrees(before);
  for (Index j = 0; j < 9; ++j) {
    const Vector edges = added.col(12 + j).head(12);
    EXPECT_NEAR(edges.sum(), j == 4 ? 0.0 : 0.5 * degree[12 + j], 1e-12);
    EXPECT_LE((edges.array() > 1e-12).count(), 3);
    // In proportion to Z, the strongest first.
    Index strongest = 0;
    if (z.col(j).maxCoeff(&strongest) > 0.0) {
      EXPECT_EQ(edges.maxCoeff(), edges[strongest]);
    }
  }
}

TEST(NeighbourGraph, MultipliesByItsWeights) {
  const Matrix x = random_matrix(5, 300, 7);
  const SparseWeights w = self_tuning_graph(x, {}, 1).weights;
  const Matrix y = random_matrix(9, 300, 8);
  EXPECT_LT((multiply_weights(y, w, 2) - y * Matrix(w)).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT((degrees(w) - Matrix(w).rowwise().sum()).cwiseAbs().maxCoeff(), 1e-13);
}

}  // namespace
}  // namespace isthmus
