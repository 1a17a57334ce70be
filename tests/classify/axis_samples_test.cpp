#include "classify/axis_samples.h"

#include <gtest/gtest.h>

#include "random_cases.h"

namespace isthmus {
namespace {

using testing::difference;
using testing::for_random_cases;
using testing::random_matrix;
using testing::RandomCase;

double double_scores(Index /*begin*/, Matrix& scores) {
  scores *= 2.0;
  return scores.sum();
}

TEST(AxisSamples, ScoresAndSumsAreThoseOfTheFeatures) {
  for_random_cases(30, 11, [](RandomCase& c) {
    const Index d = c.size("features", 1, 30);
    const Index n = c.size("samples", 1, 600);
    const Matrix samples = c.matrix(d, n).array() + 5.0;
    const Matrix by_features = c.matrix(d + 1, 3);
    std::string problem;
    for (const Index most_held : {AxisSamples::kMostHeld, Index{0}}) {
      const AxisSamples axes(samples, 1, most_held);
      const Matrix parameters = axes.by_axes(by_features);
      double total = 1.0;
      const Matrix sum = axes.sum_over(parameters, double_scores, &total, 1);
      const Matrix scores =
          2.0 * ((by_features.topRows(d).transpose() * samples).colwise() + Vector(by_features.row(d)));
      // Sums are derivatives by the parameters: what moving along them changes is what it changes by
      // features.
      const Matrix moved = axes.by_features(sum);
      const Matrix centred = samples.colwise() - samples.rowwise().mean();
      problem += difference("weights", moved.topRows(d), centred * scores.transpose(), 1e-9,
                            1e-3 * static_cast<double>(n));
      problem += difference("offsets", sum.bottomRows(1), scores.rowwise().sum().transpose(), 1e-9,
                            static_cast<double>(n));
      problem += difference("total", Matrix::Constant(1, 1, total),
                            Matrix::Constant(1, 1, 1.0 + scores.sum()), 1e-9, static_cast<double>(n));
    }
    return problem;
  });
}

TEST(AxisSamples, SpanTheSamplesWhereFeaturesOutnumberThem) {
  const Matrix samples = random_matrix(50, 8, 1);
  const AxisSamples axes(samples, 1);
  EXPECT_EQ(axes.scatter().size(), 7);
  const Matrix centred = samples.colwise() - samples.rowwise().mean();
  EXPECT_NEAR(axes.scatter().sum(), centred.squaredNorm(), 1e-9);
}

TEST(AxisSamples, EqualSamplesHaveNoAxis) {
  const AxisSamples axes(Matrix::Constant(3, 5, 2.0), 1);
  EXPECT_EQ(axes.scatter().size(), 0);
  double total = 0;
  const Matrix sum = axes.sum_over(Matrix::Constant(1, 2, 1.0), double_scores, &total, 1);
  EXPECT_EQ(sum, Matrix::Constant(1, 2, 10.0));
}

TEST(AxisSamples, SameBytesOnAnyNumberOfThreads) {
  const Matrix samples = random_matrix(20, 20000, 2);
  for (const Index most_held : {AxisSamples::kMostHeld, Index{0}}) {
    const AxisSamples one(samples, 1, most_held);
    const AxisSamples three(samples, 3, most_held);
    const Matrix parameters = random_matrix(21, 4, 3);
    double total_of_one = 0;
    double total_of_three = 0;
    EXPECT_EQ(one.sum_over(parameters, double_scores, &total_of_one, 1),
              three.sum_over(parameters, double_scores, &total_of_three, 3));
    EXPECT_EQ(total_of_one, total_of_three);
  }
}

}  // namespace
}  // namespace isthmus
