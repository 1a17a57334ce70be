#include "data/choose_preparation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "isthmus/errors.h"
#include "isthmus/preprocessing.h"
#include "random_data.h"

namespace isthmus {
namespace {

using testing::random_matrix;

DomainPair pair_of(const Matrix& source, const Matrix& target) {
  std::vector<std::string> names;
  for (Index i = 0; i < source.cols(); ++i) names.push_back(i % 2 == 0 ? "a" : "b");
  return {{source, encode_labels(std::move(names))}, {target, {}}};
}

/// What is chosen for samples drawn alike in both domains.
std::string steps_for(const std::function<Matrix(std::uint64_t)>& draw) {
  return choose_preparation(pair_of(draw(1), draw(2))).steps;
}

/// Non-negative, a few in a hundred not zero.
Matrix sparse(Index dimension, Index count, std::uint64_t seed) {
  return (random_matrix(dimension, count, seed).array() - 1.5).max(0.0);
}

TEST(ChoosePreparation, FewFeaturesAreAMatterOfUnits) {
  const auto table = [](std::uint64_t seed) -> Matrix { return random_matrix(6, 50, seed).cwiseAbs(); };
  EXPECT_EQ(steps_for(table), "zscore:domain");
}

TEST(ChoosePreparation, LooksAtSignsAndScales) {
  EXPECT_EQ(steps_for([](std::uint64_t seed) -> Matrix { return random_matrix(40, 50, seed); }),
            "zscore:domain,l2");
  EXPECT_EQ(steps_for([](std::uint64_t seed) {
              Matrix values = random_matrix(40, 50, seed).cwiseAbs();
              for (Index i = 0; i < 40; ++i) values.row(i) *= std::pow(10.0, static_cast<double>(i % 4));
              return values;
            }),
            "zscore:domain,l2");
}

TEST(ChoosePreparation, ImagesKeepTheirPixels) {
  const Matrix pattern = random_matrix(64, 1, 3).cwiseAbs();
  const auto image = [&](std::uint64_t seed) -> Matrix {
    return (0.3 * random_matrix(64, 50, seed).cwiseAbs()).colwise() + Vector(pattern);
  };
  EXPECT_EQ(steps_for(image), "l2");
  EXPECT_EQ(
      steps_for([&](std::uint64_t seed) -> Matrix { return Matrix((80.0 * image(seed)).array().round()); }),
      "l2")
      << "whole numbers too";
}

TEST(ChoosePreparation, WordsAndHistograms) {
  EXPECT_EQ(steps_for([](std::uint64_t seed) -> Matrix { return sparse(100, 300, seed); }),
            "zscore:domain,l2");
  EXPECT_EQ(steps_for([](std::uint64_t seed) -> Matrix {
              return Matrix((3.0 * sparse(100, 300, seed)).array().ceil());
            }),
            "sum,zscore:domain,l2");
}

TEST(ChoosePreparation, AFewSamplesHaveNoStatisticsOfTheirOwn) {
  const PreparationChoice choice =
      choose_preparation(pair_of(random_matrix(6, 50, 1), random_matrix(6, 1, 2)));
  EXPECT_EQ(choice.steps, "zscore:joint");
}

TEST(ChoosePreparation, TakesConstantAndHugeFeatures) {
  EXPECT_EQ(choose_preparation(pair_of(Matrix::Zero(30, 40), Matrix::Zero(30, 40))).steps,
            "sum,zscore:domain,l2");
  const Matrix huge = 1e300 * random_matrix(30, 40, 1).cwiseAbs();
  EXPECT_FALSE(choose_preparation(pair_of(huge, huge)).steps.empty());
}

TEST(ChoosePreparation, SameOnAnyNumberOfThreads) {
  const DomainPair pair = pair_of(sparse(50, 3000, 1), sparse(50, 2000, 2));
  EXPECT_EQ(choose_preparation(pair, 1).reason, choose_preparation(pair, 3).reason);
}

TEST(ChoosePreparation, AutoBecomesTheListWhenItIsFitted) {
  Preprocessing preprocessing = Preprocessing::parse("auto");
  EXPECT_EQ(preprocessing.to_string(), "auto");
  EXPECT_TRUE(preprocessing.automatic());
  EXPECT_FALSE(preprocessing.empty());
  DomainPair pair = pair_of(random_matrix(6, 50, 1), random_matrix(6, 40, 2));
  const Matrix fresh = pair.target().view();
  preprocessing.fit_apply(pair);
  EXPECT_EQ(preprocessing.to_string(), "zscore:domain");
  EXPECT_NE(preprocessing.reason().find("6 features"), std::string::npos) << preprocessing.reason();
  Matrix replayed = fresh;
  preprocessing.apply(replayed, Side::Target);
  EXPECT_EQ(replayed, Matrix(pair.target().view()));
  const Preprocessing restored =
      Preprocessing::restore(preprocessing.to_string(), preprocessing.statistics());
  EXPECT_EQ(restored.to_string(), "zscore:domain");
  EXPECT_TRUE(restored.reason().empty());
}

TEST(ChoosePreparation, AutoStandsAloneAndIsNotApplied) {
  EXPECT_THROW(Preprocessing::parse("auto,l2"), InvalidArgument);
  Matrix samples = random_matrix(3, 4, 1);
  EXPECT_THROW(Preprocessing::parse("auto").apply(samples, Side::Target), InvalidArgument);
  EXPECT_THROW(Preprocessing::restore("auto", {}), InvalidArgument) << "of a model file";
}

}  // namespace
}  // namespace isthmus
