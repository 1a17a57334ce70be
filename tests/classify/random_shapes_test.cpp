#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "classify/classifier.h"
#include "classify/harmonic.h"
#include "classify/nearest.h"
#include "classify/propagation.h"
#include "random_cases.h"

// Classifiers and graph systems against dense formulas, on random shapes.
namespace isthmus {
namespace {

using testing::difference;
using testing::for_random_cases;
using testing::RandomCase;

Matrix one_hot(const std::vector<int>& labels, Index classes) {
  Matrix y = Matrix::Zero(static_cast<Index>(labels.size()), classes);
  for (std::size_t i = 0; i < labels.size(); ++i) y(static_cast<Index>(i), labels[i]) = 1.0;
  return y;
}

TEST(RandomShapes, HarmonicLabelsAndPropagationEqualTheDenseInverse) {
  for_random_cases(500, 100, [](RandomCase& c) -> std::string {
    const Index d = c.size("features", 1, 5);
    const Index ns = c.size("source", 1, 25);
    const Index nt = c.size("target", 1, 25);
    const Index classes = c.size("classes", 2, 20);
    const auto neighbours = static_cast<int>(c.size("neighbours", 1, 10));
    const std::vector<int> labels = c.labels(ns, classes);
    const SparseWeights weights =
        self_tuning_graph(c.matrix(d, ns + nt), {.neighbours = neighbours, .local_scale = 3}, 1).weights;
    const Matrix w = weights;
    const Vector degree = w.rowwise().sum();

    Matrix system = -w.bottomRightCorner(nt, nt);
    system.diagonal() += degree.tail(nt);
    system.diagonal().array() += 1e-3 * degree.mean();
    const Matrix g = system.inverse() * w.bottomLeftCorner(nt, ns) * one_hot(labels, classes);
    const HarmonicLabels harmonic = harmonic_labels(weights, labels, static_cast<int>(classes), 1);
    for (Index j = 0; j < nt; ++j) {
      const double arrived = g.row(j).sum();
      if (arrived < 1e-4) continue;  // next to nothing arrives: its shares have few digits
      const std::string gap =
          difference("harmonic labels", harmonic.scores.col(j), g.row(j).transpose() / arrived, 1e-5);
      if (!gap.empty()) return gap;
    }

    const Matrix seeds = c.matrix(classes, ns + nt);
    const double alpha = 0.1 * c.choice(10);
    const Vector root = degree.cwiseMax(1e-12).cwiseSqrt().cwiseInverse();
    const Matrix s = root.asDiagonal() * w * root.asDiagonal();
    const Matrix inverse = (Matrix::Identity(ns + nt, ns + nt) - alpha * s).inverse();
    return difference("propagation", propagate_labels(weights, seeds, alpha, 1).solution,
                      seeds * inverse.transpose(), 1e-7);
  });
}

TEST(RandomShapes, NearestLabelsAndScoresEqualTheDoubleLoop) {
  for_random_cases(1500, 200, [](RandomCase& c) -> std::string {
    const Index d = c.size("features", 1, 6);
    const Index m = c.size("references", 1, 30);
    const Index n = c.size("queries", 1, 20);
    const Index classes = c.size("classes", 2, 6);
    const bool ties = c.choice(2) == 0;
    const Matrix references = ties ? c.grid(d, m) : c.matrix(d, m);
    const Matrix queries = ties ? c.grid(d, n) : c.matrix(d, n);
    const std::vector<int> labels = c.labels(m, classes);
    const NearestReference classifier = make_nearest(references, labels, queries, 1);
    const NearestClasses found = nearest_classes(classifier, queries, static_cast<int>(classes), 1);
    if (found.labels != nearest_labels(classifier, queries, 1))
      return "other labels than of a search for them alone";
    Matrix scores = Matrix::Zero(classes, n);
    for (Index j = 0; j < n; ++j) {
      const auto squared = [&](Index i) { return (references.col(i) - queries.col(j)).squaredNorm(); };
      Index best = 0;
      for (Index i = 0; i < m; ++i) best = squared(i) < squared(best) ? i : best;
      for (Index i = 0; i < m; ++i) {
        double& score = scores(labels[static_cast<std::size_t>(i)], j);
        score = std::max(score, std::exp((squared(best) - squared(i)) / classifier.bandwidth));
      }
      if (found.labels[static_cast<std::size_t>(j)] != labels[static_cast<std::size_t>(best)])
        return "another label";
      scores.col(j) /= scores.col(j).sum();
    }
    return difference("scores", found.scores, scores, 1e-10);
  });
}

TEST(Nearest, LabelsAreRightWhereSquaredDistancesOverflow) {
  Matrix references(1, 3);
  references << -1e200, 3e200, 2e200;
  const NearestReference classifier{references, {0, 1, 2}, 1.0};
  Matrix queries(1, 3);
  queries << 2.6e200, -3e200, 2e200;
  const NearestClasses found = nearest_classes(classifier, queries, 3, 1);
  EXPECT_EQ(found.labels, (std::vector<int>{1, 0, 2}));
  EXPECT_TRUE(found.scores.allFinite());
}

TEST(Nearest, TheBandwidthOfManyQueriesIsThatOfSomeOfThem) {
  const Matrix references = Matrix::Zero(1, 2);
  const Matrix queries = Vector::LinSpaced(40000, 0.0, 1.0).transpose();
  const double all = make_nearest(references, {0, 1}, queries, 1).bandwidth;
  EXPECT_NEAR(all, 0.25, 1e-4);
}

}  // namespace
}  // namespace isthmus
