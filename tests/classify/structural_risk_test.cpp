#include "classify/structural_risk.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include <cmath>

#include "classify/classifier.h"
#include "labelled_samples.h"

namespace isthmus {
namespace {

using testing::labelled_samples;
using testing::LabelledSamples;

Vector indicator(Index n, Index offset, const std::vector<int>& labels, int c) {
  Vector e = Vector::Zero(n);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (c < 0 || labels[i] == c) e[offset + static_cast<Index>(i)] = 1.0;
  }
  return e.sum() > 0 ? Vector(e / e.sum()) : e;
}

/// M = (1 − μ)·C·M₀ + μ·Σ M_c, n×n, by its definition.
Matrix dense_mmd(const LabelledSamples& data, const std::vector<int>& yt, int classes, double mu) {
  const Index n = data.samples.cols();
  const Index ns = data.source_count();
  const Vector all = indicator(n, 0, data.source_labels, -1) - indicator(n, ns, yt, -1);
  Matrix m = (1 - mu) * classes * all * all.transpose();
  for (int c = 0; c < classes; ++c) {
    const Vector e = indicator(n, 0, data.source_labels, c) - indicator(n, ns, yt, c);
    m += mu * e * e.transpose();
  }
  return m;
}

/// The matrix of the normal equations with every n×n matrix written out.
Matrix naive_system(const LabelledSamples& data, const Matrix& w, const std::vector<int>& yt, int classes,
                    const StructuralRiskOptions& o) {
  const Matrix& f = data.samples;
  const Index n = f.cols();
  const Index ns = data.source_count();
  Matrix js = Matrix::Zero(n, n);
  js.topLeftCorner(ns, ns).setIdentity();
  const Vector r = w.rowwise().sum().cwiseSqrt().cwiseInverse();
  const Matrix laplacian = Matrix::Identity(n, n) - Matrix(r.asDiagonal() * w * r.asDiagonal());
  const Matrix m = dense_mmd(data, yt, classes, o.conditional);
  const Matrix inner = js + o.mmd_weight * m / m.norm() + o.laplacian_weight * laplacian;
  return f * inner * f.transpose() + o.ridge * Matrix::Identity(f.rows(), f.rows());
}

/// F J_s Y.
Matrix naive_targets(const LabelledSamples& data, int classes) {
  Matrix y = Matrix::Zero(data.source_count(), classes);
  for (Index i = 0; i < y.rows(); ++i) y(i, data.source_labels[static_cast<std::size_t>(i)]) = 1.0;
  return data.samples.leftCols(data.source_count()) * y;
}

Matrix naive_weights(const LabelledSamples& data, const Matrix& w, const std::vector<int>& yt, int classes,
                     const StructuralRiskOptions& o) {
  return naive_system(data, w, yt, classes, o).ldlt().solve(naive_targets(data, classes));
}

/// μ between marginal and conditional discrepancy.
class StructuralRiskBetween : public ::testing::TestWithParam<double> {};

TEST_P(StructuralRiskBetween, AgreesWithTheDenseNormalEquationsAtEveryRefresh) {
  const LabelledSamples data = labelled_samples(7, 50, 45, 4, 41);
  const SparseWeights weights = self_tuning_graph(data.samples, {.neighbours = 8}, 1).weights;
  std::vector<int> labels(45, 0);
  for (std::size_t j = 0; j < 45; ++j) labels[j] = static_cast<int>(j % 3);  // class 3 is empty at first
  Matrix expected;
  for (int round = 1; round <= 3; ++round) {
    const StructuralRiskOptions options{.rounds = round, .conditional = GetParam()};
    std::vector<int> current = labels;
    for (int step = 0; step < round; ++step) {
      expected = naive_weights(data, weights, current, 4, options);
      current = largest_rows(expected.transpose() * data.samples.rightCols(45));
    }
    const StructuralRisk found =
        structural_risk(data.samples, weights, data.source_labels, labels, 4, options, 1);
    EXPECT_LT((found.weights - expected).cwiseAbs().maxCoeff() / expected.cwiseAbs().maxCoeff(), 1e-8);
    EXPECT_EQ(largest_rows(found.scores), current);
  }
}

INSTANTIATE_TEST_SUITE_P(Shares, StructuralRiskBetween, ::testing::Values(0.0, 0.3, 0.5, 1.0));

TEST(StructuralRisk, SourceAccuracyIsThatOfFitsWithoutTheSample) {
  const LabelledSamples data = labelled_samples(6, 40, 35, 3, 45);
  const SparseWeights weights = self_tuning_graph(data.samples, {.neighbours = 8}, 1).weights;
  const StructuralRiskOptions options{.mmd_weight = 10, .laplacian_weight = 1, .ridge = 0.1, .rounds = 1};
  const Matrix system = naive_system(data, weights, data.target_labels, 3, options);
  const Matrix targets = naive_targets(data, 3);
  int right = 0;
  for (Index i = 0; i < 40; ++i) {
    const Vector f = data.samples.col(i);
    const int label = data.source_labels[static_cast<std::size_t>(i)];
    Matrix without = targets;
    without.col(label) -= f;
    const Vector scores = Matrix(system - f * f.transpose()).ldlt().solve(without).transpose() * f;
    Index best = 0;
    scores.maxCoeff(&best);
    right += best == label ? 1 : 0;
  }
  const StructuralRisk found =
      structural_risk(data.samples, weights, data.source_labels, data.target_labels, 3, options, 1);
  EXPECT_NEAR(found.source_accuracy, right / 40.0, 1e-12);
  EXPECT_LT(found.source_accuracy, 1.0);  // else every sample would have passed
}

TEST(StructuralRisk, IsTheSameOnOneThreadAndOnTwo) {
  const LabelledSamples data = labelled_samples(9, 300, 310, 5, 42);
  const SparseWeights weights = self_tuning_graph(data.samples, {}, 1).weights;
  const std::vector<int> start(310, 1);
  const StructuralRisk one = structural_risk(data.samples, weights, data.source_labels, start, 5, {}, 1);
  const StructuralRisk two = structural_risk(data.samples, weights, data.source_labels, start, 5, {}, 2);
  EXPECT_TRUE(one.weights == two.weights);
  EXPECT_TRUE(one.scores == two.scores);
}

TEST(StructuralRisk, ScoresLieOnTheSimplex) {
  const LabelledSamples data = labelled_samples(5, 30, 30, 3, 43);
  const SparseWeights weights = self_tuning_graph(data.samples, {}, 1).weights;
  const StructuralRisk found =
      structural_risk(data.samples, weights, data.source_labels, data.target_labels, 3, {}, 1);
  EXPECT_GE(found.scores.minCoeff(), 0.0);
  EXPECT_LT((found.scores.colwise().sum().array() - 1.0).abs().maxCoeff(), 1e-12);
}

TEST(LinearScores, OfEqualClassesAreEqualShares) {
  const Matrix scores = linear_scores(Matrix::Zero(3, 4), Matrix::Ones(3, 2), 1);
  EXPECT_TRUE(scores == Matrix::Constant(4, 2, 0.25));
}

TEST(StructuralRisk, TakesOneTargetSampleAndTwoClasses) {
  const LabelledSamples data = labelled_samples(5, 10, 1, 2, 44);
  const SparseWeights weights = self_tuning_graph(data.samples, {}, 1).weights;
  const StructuralRisk found = structural_risk(data.samples, weights, data.source_labels, {0}, 2, {}, 1);
  EXPECT_TRUE(found.weights.allFinite());
  EXPECT_NEAR(found.scores.sum(), 1.0, 1e-12);
}

}  // namespace
}  // namespace isthmus
