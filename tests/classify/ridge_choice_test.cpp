#include "classify/ridge_choice.h"

#include <gtest/gtest.h>

#include <cmath>

#include "random_data.h"

namespace isthmus {
namespace {

using testing::random_matrix;

/// Two classes whose log-odds are `strength` times the first feature; the other features are noise.
struct Noisy {
  Matrix samples;
  std::vector<int> labels;
};

Noisy noisy(Index dimension, Index count, double strength, std::uint64_t seed) {
  Noisy result{random_matrix(dimension, count, seed), {}};
  const Matrix chance = random_matrix(1, count, seed + 1);
  for (Index i = 0; i < count; ++i) {
    result.labels.push_back(strength * result.samples(0, i) + chance(0, i) > 0 ? 1 : 0);
  }
  return result;
}

TEST(RidgeChoice, IsStrongWhereFeaturesAreNoiseAndWeakWhereTheyTell) {
  const Noisy vague = noisy(60, 100, 0.3, 1);
  const Noisy clear = noisy(2, 2000, 20.0, 2);
  const RidgeChoice strong = choose_ridge(vague.samples, vague.labels, 2, false, {});
  const RidgeChoice weak = choose_ridge(clear.samples, clear.labels, 2, false, {});
  EXPECT_GT(strong.ridge, 10 * weak.ridge);
  ASSERT_EQ(strong.candidates.size(), strong.losses.size());
  for (const double loss : strong.losses) EXPECT_GT(loss, 0.3);
}

TEST(RidgeChoice, DoesNotDependOnTheScaleOfTheFeatures) {
  const Noisy data = noisy(20, 150, 1.0, 3);
  const Matrix scaled = 1e4 * data.samples;
  EXPECT_EQ(choose_ridge(data.samples, data.labels, 2, false, {}).ridge,
            choose_ridge(scaled, data.labels, 2, false, {}).ridge);
}

TEST(RidgeChoice, DoesNotDependOnTheOrderOfTheSamples) {
  const Noisy data = noisy(10, 301, 1.0, 6);
  const std::vector<int> backwards(data.labels.rbegin(), data.labels.rend());
  const RidgeChoice one = choose_ridge(data.samples, data.labels, 2, false, {});
  const RidgeChoice other = choose_ridge(data.samples.rowwise().reverse(), backwards, 2, false, {});
  ASSERT_EQ(one.losses.size(), other.losses.size());
  for (std::size_t i = 0; i < one.losses.size(); ++i) EXPECT_NEAR(one.losses[i], other.losses[i], 1e-9);
}

TEST(RidgeChoice, SameSeedSameChoiceOnAnyNumberOfThreads) {
  const Noisy data = noisy(10, 6000, 1.0, 4);
  Context three;
  three.threads = 3;
  EXPECT_EQ(choose_ridge(data.samples, data.labels, 2, true, {}).losses,
            choose_ridge(data.samples, data.labels, 2, true, three).losses);
}

TEST(RidgeChoice, CopiesOfASampleAreHeldBackTogether) {
  // Nothing in these features tells the labels: only a copy that is left in could.
  const Matrix once = random_matrix(80, 60, 9);
  std::vector<int> labels;
  for (int i = 0; i < 120; ++i) labels.push_back(i % 60 % 2);
  const RidgeChoice choice = choose_ridge(Matrix(once.replicate(1, 2)), labels, 2, false, {});
  EXPECT_LT(choice.accuracy, 0.7);
}

TEST(RidgeChoice, LivesWithASingleSampleOfAClass) {
  const Matrix samples = random_matrix(3, 4, 5);
  EXPECT_GT(choose_ridge(samples, {0, 0, 0, 1}, 2, true, {}).ridge, 0);
  const RidgeChoice nothing = choose_ridge(samples, {0, 1, 2, 3}, 5, false, {});
  EXPECT_GT(nothing.ridge, 0);
  EXPECT_TRUE(nothing.candidates.empty());
}

}  // namespace
}  // namespace isthmus
