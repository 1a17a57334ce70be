#include "classify/logistic.h"

#include <gtest/gtest.h>

#include <cmath>

#include "isthmus/errors.h"
#include "random_cases.h"

namespace isthmus {
namespace {

using testing::difference;
using testing::for_random_cases;
using testing::random_matrix;
using testing::RandomCase;

/// The objective's slope by weights and offsets ((d+1)×C), sample by sample.
Matrix slope(const LogisticScores& at, const Matrix& samples, const std::vector<int>& labels,
             const Vector& weights, double ridge) {
  const Index d = samples.rows();
  Matrix sum = Matrix::Zero(d + 1, at.weights.cols());
  sum.topRows(d) = ridge * at.weights;
  for (Index i = 0; i < samples.cols(); ++i) {
    Vector p = (at.weights.transpose() * samples.col(i) + at.offsets).array().exp();
    p /= p.sum();
    p[labels[static_cast<std::size_t>(i)]] -= 1.0;
    sum.topRows(d) += weights[i] * samples.col(i) * p.transpose();
    sum.row(d) += weights[i] * p.transpose();
  }
  return sum;
}

std::vector<int> cyclic_labels(Index count, int classes) {
  std::vector<int> labels;
  for (Index i = 0; i < count; ++i) labels.push_back(static_cast<int>(i % classes));
  return labels;
}

/// Overlapping classes.
Matrix classes_of(const std::vector<int>& labels, Index dimension, std::uint64_t seed) {
  const Matrix centres = random_matrix(dimension, 20, seed);
  Matrix samples = random_matrix(dimension, static_cast<Index>(labels.size()), seed + 1);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    samples.col(static_cast<Index>(i)) += 0.5 * centres.col(labels[i]);
  }
  return samples;
}

TEST(Logistic, TheSlopeVanishesAtTheFit) {
  for_random_cases(40, 21, [](RandomCase& c) {
    const Index d = c.size("features", 1, 40);
    const Index n = c.size("samples", 1, 60);
    const auto classes = static_cast<int>(c.size("classes", 1, 6));
    const Matrix samples = 3.0 * c.matrix(d, n);
    std::vector<int> labels = c.labels(n, classes);
    for (int k = 0; k < classes; ++k) labels[static_cast<std::size_t>(k % n)] = k;  // few are missing
    const Vector weights = c.choice(2) == 0 ? Vector::Ones(n) : Vector(c.matrix(n, 1).cwiseAbs());
    const double ridge = std::pow(10.0, c.choice(5) - 3);
    const LogisticFit fit =
        LogisticRegression(samples, labels, classes, 1).fit({.ridge = ridge, .weights = weights}, {});
    if (fit.status != Status::Converged && fit.status != Status::Stalled)
      return std::string("did not converge");
    const Matrix rest = slope(fit.classifier, samples, labels, weights, ridge);
    return difference("slope", rest, Matrix::Zero(d + 1, classes), 1e-6,
                      std::max(1.0, weights.sum() * samples.norm() / std::sqrt(static_cast<double>(n))));
  });
}

TEST(Logistic, FindsTheLogRatioOfTwoNormalDensities) {
  // N(1, 1) against N(0, 1): x − ½ + log of the shares.
  Matrix samples(1, 80000);
  samples << random_matrix(1, 60000, 3), random_matrix(1, 20000, 4).array() + 1.0;
  std::vector<int> labels(60000, 0);
  labels.resize(80000, 1);
  const LogisticRegression regression(samples, labels, 2, 1);
  const auto odds = [](const LogisticScores& fit) {
    return std::pair(fit.weights(0, 1) - fit.weights(0, 0), fit.offsets[1] - fit.offsets[0]);
  };
  const auto [weight, offset] = odds(regression.fit({.ridge = 1e-6}, {}).classifier);
  EXPECT_NEAR(weight, 1.0, 0.03);
  EXPECT_NEAR(offset, -0.5 - std::log(3.0), 0.03);
  const auto [balanced_weight, balanced_offset] =
      odds(regression.fit({.ridge = 1e-6, .weights = regression.balanced_weights()}, {}).classifier);
  EXPECT_NEAR(balanced_weight, 1.0, 0.03);
  EXPECT_NEAR(balanced_offset, -0.5, 0.03);
}

TEST(Logistic, SeparableClassesGetFiniteOdds) {
  Matrix samples(3, 50);
  samples << random_matrix(3, 20, 5).array() - 1000.0, random_matrix(3, 30, 6).array() + 1000.0;
  std::vector<int> labels(20, 0);
  labels.resize(50, 1);
  const LogisticFit fit = LogisticRegression(samples, labels, 2, 1).fit({.ridge = 0.01}, {});
  EXPECT_EQ(fit.status, Status::Converged);
  EXPECT_TRUE(fit.classifier.weights.allFinite());
  EXPECT_EQ(largest_rows(logistic_scores(fit.classifier, samples, 1)), labels);
}

TEST(Logistic, FeaturesOfDifferentScaleCostFewProducts) {
  // Without the principal axes thousands.
  const std::vector<int> labels = cyclic_labels(500, 4);
  Matrix samples = classes_of(labels, 12, 7);
  for (Index j = 0; j < samples.rows(); ++j)
    samples.row(j) *= std::pow(10.0, static_cast<double>(j % 5) - 2.0);
  samples = samples.colwise() + Vector::Constant(12, 300.0);
  const LogisticFit fit = LogisticRegression(samples, labels, 4, 1).fit({.ridge = 1e-4}, {});
  EXPECT_EQ(fit.status, Status::Converged);
  EXPECT_LT(fit.products, 150);
}

TEST(Logistic, AClassWithoutSamplesGetsNoProbability) {
  const std::vector<int> labels{0, 2, 0, 2, 2};
  const Matrix samples = random_matrix(4, 5, 8);
  const LogisticFit fit = LogisticRegression(samples, labels, 4, 1).fit({.ridge = 0.1}, {});
  const Matrix scores = logistic_scores(fit.classifier, samples * 1e3, 1);
  EXPECT_TRUE(fit.classifier.offsets.allFinite());
  EXPECT_LT(scores.row(1).maxCoeff(), 1e-300);
  EXPECT_LT(scores.row(3).maxCoeff(), 1e-300);
  EXPECT_NEAR(fit.classifier.weights.rowwise().sum().norm(), 0.0, 1e-12);
}

TEST(Logistic, AFitNearbySavesProducts) {
  const std::vector<int> labels = cyclic_labels(300, 5);
  const Matrix samples = classes_of(labels, 20, 9);
  const LogisticRegression regression(samples, labels, 5, 1);
  const LogisticFit first = regression.fit({.ridge = 1.0}, {});
  const LogisticFit again = regression.fit({.ridge = 1.0, .start = &first.classifier}, {});
  EXPECT_EQ(again.products, 0);
  EXPECT_LT(difference("weights", again.classifier.weights, first.classifier.weights).size(), 1U);
}

TEST(Logistic, SameBytesOnAnyNumberOfThreads) {
  const std::vector<int> labels = cyclic_labels(5000, 3);
  const Matrix samples = classes_of(labels, 20, 10);
  Context two_threads;
  two_threads.threads = 2;
  const LogisticFit one = LogisticRegression(samples, labels, 3, 1).fit({.ridge = 0.1}, {});
  const LogisticFit two = LogisticRegression(samples, labels, 3, 2).fit({.ridge = 0.1}, two_threads);
  EXPECT_EQ(one.classifier.weights, two.classifier.weights);
  EXPECT_EQ(logistic_scores(one.classifier, samples, 1), logistic_scores(one.classifier, samples, 2));
}

TEST(Logistic, StoppedItIsThatOfTheLastStepDoneWhereThatIsAskedFor) {
  const std::vector<int> labels = cyclic_labels(100, 3);
  const Matrix samples = classes_of(labels, 5, 11);
  const LogisticRegression regression(samples, labels, 3, 1);
  Context after_a_step;
  after_a_step.on_iteration = [](const IterationInfo&) { return Decision::Stop; };
  const LogisticFit one = regression.fit({.ridge = 0.1}, after_a_step);
  EXPECT_EQ(one.status, Status::Stopped);
  EXPECT_EQ(one.iterations, 1);

  int steps = 0;
  Context in_the_second;
  in_the_second.on_iteration = [&](const IterationInfo&) {
    ++steps;
    return Decision::Continue;
  };
  int looks = 0;
  in_the_second.cancel = [&] { return steps > 0 && ++looks > 2; };
  const LogisticProblem kept{.ridge = 0.1, .when_cancelled = WhenCancelled::KeepLastStep};
  const LogisticFit cut = regression.fit(kept, in_the_second);
  EXPECT_EQ(looks, 3) << "it went on";
  EXPECT_EQ(cut.status, Status::Stopped);
  EXPECT_EQ(cut.iterations, 1);
  EXPECT_EQ(cut.classifier.weights, one.classifier.weights);

  steps = looks = 0;
  EXPECT_THROW(regression.fit({.ridge = 0.1}, in_the_second), Cancelled);
  EXPECT_EQ(looks, 3) << "it went on";

  Context at_once;
  at_once.cancel = [] { return true; };
  EXPECT_THROW(regression.fit({.ridge = 0.1}, at_once), Cancelled);
  EXPECT_THROW(regression.fit(kept, at_once), Cancelled);
}

TEST(Logistic, LooksAtEveryReadingOfTheSamples) {
  const std::vector<int> labels = cyclic_labels(1000, 3);
  const Matrix samples = classes_of(labels, 5, 12);
  const LogisticRegression regression(samples, labels, 3, 1);
  Context context;
  int looks = 0;
  context.cancel = [&] {
    ++looks;
    return false;
  };
  const LogisticFit fit = regression.fit({.ridge = 0.1}, context);
  EXPECT_GE(looks, 4 * (fit.products + fit.iterations)) << "1000 samples are four blocks";
}

TEST(Logistic, RefusesWhatHasNoAnswer) {
  const Matrix some = random_matrix(3, 4, 9);
  EXPECT_THROW(LogisticRegression(some, {0, 1}, 2, 1), InvalidArgument);
  EXPECT_THROW(LogisticRegression(Matrix(3, 0), {}, 2, 1), InvalidArgument);
  EXPECT_THROW(LogisticRegression(some, {0, 1, 2, 0}, 2, 1), InvalidArgument);
  EXPECT_THROW(LogisticRegression(some, {0, 1, 1, 0}, 2, 1).fit({.ridge = 0.0}, {}), InvalidArgument);
}

}  // namespace
}  // namespace isthmus
