#include "domain/kde_divergence.h"

#include <gtest/gtest.h>

#include <cmath>

#include "isthmus/errors.h"
#include "random_data.h"

namespace isthmus {
namespace {

using testing::random_matrix;

double naive_mean(const Matrix& a, const Matrix& b, double width) {
  double sum = 0;
  for (Index i = 0; i < a.cols(); ++i) {
    for (Index j = 0; j < b.cols(); ++j) {
      sum += std::exp(-(a.col(i) - b.col(j)).squaredNorm() / (2 * width * width));
    }
  }
  return sum / static_cast<double>(a.cols() * b.cols());
}

double naive_divergence(const Matrix& s, const Matrix& t, double width) {
  return naive_mean(s, s, width) + naive_mean(t, t, width) - 2 * naive_mean(s, t, width);
}

TEST(KdeDivergence, EqualsTheDoubleLoop) {
  // Sizes on both sides of the block length, and one sample.
  for (const auto& [ns, nt] : {std::pair<Index, Index>{1, 1}, {5, 300}, {256, 256}, {400, 257}}) {
    const Matrix source = random_matrix(3, ns, 1);
    const Matrix target = 1.3 * random_matrix(3, nt, 2);
    for (const double width : {0.3, 1.0, 10.0}) {
      EXPECT_NEAR(kde_divergence(source, target, width, 1), naive_divergence(source, target, width), 1e-12);
      EXPECT_NEAR(kde_divergence_gradient(source, target, width, 1).value,
                  naive_divergence(source, target, width), 1e-12);
    }
  }
}

TEST(KdeDivergence, IsZeroForEqualSamplesAndTwoForFarOnes) {
  const Matrix samples = random_matrix(4, 50, 3);
  EXPECT_NEAR(kde_divergence(samples, samples, 1.0, 1), 0.0, 1e-14);
  EXPECT_NEAR(kde_divergence(Matrix::Zero(4, 3), Matrix::Constant(4, 5, 1e3), 1.0, 1), 2.0, 1e-14);
}

TEST(KdeDivergence, GradientAgreesWithFiniteDifferences) {
  const Matrix source = random_matrix(3, 270, 4);
  const Matrix target = random_matrix(3, 40, 5).array() + 0.4;
  const double width = 0.9;
  const KdeGradient gradient = kde_divergence_gradient(source, target, width, 1);
  const double h = 1e-5;
  for (const Index j : {0, 39}) {
    for (Index i = 0; i < 3; ++i) {
      Matrix up = target;
      Matrix down = target;
      up(i, j) += h;
      down(i, j) -= h;
      const double slope =
          (kde_divergence(source, up, width, 1) - kde_divergence(source, down, width, 1)) / (2 * h);
      EXPECT_NEAR(gradient.target(i, j), slope, 1e-9);
    }
  }
  for (const Index j : {0, 260}) {
    Matrix up = source;
    Matrix down = source;
    up(1, j) += h;
    down(1, j) -= h;
    const double slope =
        (kde_divergence(up, target, width, 1) - kde_divergence(down, target, width, 1)) / (2 * h);
    EXPECT_NEAR(gradient.source(1, j), slope, 1e-9);
  }
}

TEST(KdeDivergence, IsTheSameBytesOnAnyNumberOfThreads) {
  const Matrix source = random_matrix(5, 700, 6);
  const Matrix target = random_matrix(5, 600, 7);
  EXPECT_EQ(kde_divergence(source, target, 1.0, 1), kde_divergence(source, target, 1.0, 2));
  const KdeGradient one = kde_divergence_gradient(source, target, 1.0, 1);
  const KdeGradient two = kde_divergence_gradient(source, target, 1.0, 2);
  EXPECT_EQ(one.value, two.value);
  EXPECT_EQ(one.source, two.source);
  EXPECT_EQ(one.target, two.target);
}

TEST(KdeDivergence, RefusesWhatItCannotCompare) {
  EXPECT_THROW(kde_divergence(Matrix::Zero(3, 2), Matrix::Zero(4, 2), 1.0, 1), InvalidArgument);
  EXPECT_THROW(kde_divergence(Matrix::Zero(3, 0), Matrix::Zero(3, 2), 1.0, 1), InvalidArgument);
  EXPECT_THROW(kde_divergence(Matrix::Zero(3, 2), Matrix::Zero(3, 2), 0.0, 1), InvalidArgument);
}

TEST(MedianDistance, IsTheMiddleOfAllDistancesBetweenTheDomains) {
  Matrix source(1, 3);
  source << 0, 1, 2;
  Matrix target(1, 1);
  target << 10;
  EXPECT_NEAR(median_distance(source, target, 1), 9.0, 1e-12);
  EXPECT_EQ(median_distance(Matrix::Zero(2, 4), Matrix::Zero(2, 3), 1), 0.0);
  // More samples than are looked at: evenly spaced ones tell the same story.
  const Matrix many = random_matrix(3, 5000, 8);
  EXPECT_NEAR(median_distance(many, many, 1), median_distance(many.leftCols(900), many.leftCols(900), 1),
              0.1);
}

}  // namespace
}  // namespace isthmus
