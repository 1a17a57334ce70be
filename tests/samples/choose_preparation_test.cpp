#include "samples/choose_preparation.h"

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
  return choose_preparation(pair_of(draw(1), draw(2)), 1).steps;
}

/// Non-negative, a few in a hundred not zero.
Matrix sparse(Index dimension, Index count, std::uint64_t seed) {
  return (random_matrix(dimension, count, seed).array() - 1.5).max(0.0);
}

TEST(ChoosePreparation, FewFeaturesAreAMatterOfUnits) {
  const auto table = [](Index features) {
    return steps_for(
        [=](std::uint64_t seed) -> Matrix { return random_matrix(features, 50, seed).cwiseAbs(); });
  };
  EXPECT_EQ(table(6), "zscore:joint");
  EXPECT_EQ(table(1), "zscore:joint");
}

TEST(ChoosePreparation, LooksAtSignsAndScales) {
  const auto signed_values = [](std::uint64_t seed) -> Matrix { return random_matrix(40, 50, seed); };
  EXPECT_EQ(steps_for(signed_values), "zscore:joint,l2");
  EXPECT_EQ(
      steps_for([&](std::uint64_t seed) -> Matrix { return signed_values(seed).colwise().normalized(); }),
      "zscore:joint,l2")
      << "of unit length already";
  EXPECT_EQ(steps_for([](std::uint64_t seed) {
              Matrix values = random_matrix(40, 50, seed).cwiseAbs();
              for (Index i = 0; i < 40; ++i) values.row(i) *= std::pow(10.0, static_cast<double>(i % 4));
              return values;
            }),
            "zscore:joint,l2");
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
            "zscore:joint,l2");
  EXPECT_EQ(steps_for([](std::uint64_t seed) -> Matrix {
              return Matrix((3.0 * sparse(100, 300, seed)).array().ceil());
            }),
            "sum,zscore:domain,l2");
}

/// Two classes, three deviations apart in every feature; `share` of the samples are of the second.
Matrix two_classes(Index dimension, Index count, double share, std::uint64_t seed) {
  Matrix samples = random_matrix(dimension, count, seed);
  samples.rightCols(static_cast<Index>(share * static_cast<double>(count))).array() += 3.0;
  return samples;
}

TEST(ChoosePreparation, OtherSharesOfTheClassesAreNoReasonForStatisticsByDomain) {
  for (const Index dimension : {6, 40}) {
    const Matrix source = two_classes(dimension, 200, 0.3, 1);
    const Matrix target = two_classes(dimension, 200, 0.7, 2);
    const std::string rest = dimension == 6 ? "" : ",l2";
    EXPECT_EQ(choose_preparation(pair_of(source, target), 1).steps, "zscore:joint" + rest);
    const Matrix moved = target.array() + 4.0;
    const PreparationChoice offset = choose_preparation(pair_of(source, moved), 1);
    EXPECT_EQ(offset.steps, "zscore:domain" + rest);
    EXPECT_NE(offset.reason.find("the domains differ"), std::string::npos) << offset.reason;
    EXPECT_EQ(choose_preparation(pair_of(source, 5.0 * target), 1).steps, "zscore:domain" + rest);
  }
}

TEST(ChoosePreparation, AFewFeaturesThatMovedAreNotTheDomain) {
  const Matrix source = random_matrix(40, 100, 1);
  Matrix target = random_matrix(40, 100, 2);
  target.topRows(9).array() += 100.0;
  EXPECT_EQ(choose_preparation(pair_of(source, target), 1).steps, "zscore:joint,l2");
  target.row(9).array() += 100.0;
  EXPECT_EQ(choose_preparation(pair_of(source, target), 1).steps, "zscore:domain,l2") << "a quarter are";
}

TEST(ChoosePreparation, AFewSamplesHaveNoStatisticsOfTheirOwn) {
  const Matrix source = random_matrix(6, 50, 1);
  for (const Index count : {1, 19}) {
    const Matrix target = random_matrix(6, count, 2).array() + 100.0;
    EXPECT_EQ(choose_preparation(pair_of(source, target), 1).steps, "zscore:joint") << count;
    const Matrix counts = (3.0 * sparse(100, 300, 3)).array().ceil();
    const Matrix few = counts.leftCols(count);
    EXPECT_EQ(choose_preparation(pair_of(counts, few), 1).steps, "sum,zscore:joint,l2") << count;
  }
}

TEST(ChoosePreparation, TakesConstantFeatures) {
  EXPECT_EQ(choose_preparation(pair_of(Matrix::Zero(30, 40), Matrix::Zero(30, 40)), 1).steps,
            "sum,zscore:domain,l2");
  EXPECT_EQ(choose_preparation(pair_of(Matrix::Ones(30, 40), Matrix::Ones(30, 40)), 1).steps, "l2");
  Matrix source = random_matrix(40, 50, 1);
  Matrix target = random_matrix(40, 50, 2);
  source.topRows(20).setConstant(7.0);
  target.topRows(20).setConstant(9.0);
  EXPECT_EQ(choose_preparation(pair_of(source, target), 1).steps, "zscore:joint,l2")
      << "what does not vary has not moved";
}

TEST(ChoosePreparation, DoesNotDependOnTheUnitOfAllFeatures) {
  for (const bool apart : {false, true}) {
    const Matrix source = sparse(30, 700, 1);
    const Matrix target = sparse(30, 700, 2).array() + (apart ? 3.0 : 0.0);
    const std::string reason = choose_preparation(pair_of(source, target), 1).reason;
    for (const double unit : {1e-290, 1e290}) {
      EXPECT_EQ(choose_preparation(pair_of(unit * source, unit * target), 1).reason, reason) << unit;
    }
  }
}

TEST(ChoosePreparation, SameOnAnyNumberOfThreadsAndInAnyOrder) {
  const Matrix source = two_classes(50, 3000, 0.3, 1);
  const Matrix target = two_classes(50, 2000, 0.5, 2).array() + 2.5;
  const PreparationChoice choice = choose_preparation(pair_of(source, target), 1);
  EXPECT_EQ(choice.steps, "zscore:domain,l2");
  EXPECT_EQ(choose_preparation(pair_of(source, target), 3).reason, choice.reason);
  EXPECT_EQ(choose_preparation(pair_of(source.rowwise().reverse(), target.rowwise().reverse()), 1).reason,
            choice.reason);
  EXPECT_EQ(choose_preparation(pair_of(target, source), 1).reason, choice.reason) << "and either way";
}

TEST(ChoosePreparation, AutoBecomesTheListWhenItIsFitted) {
  Preprocessing preprocessing = Preprocessing::parse("auto");
  EXPECT_EQ(preprocessing.to_string(), "auto");
  EXPECT_TRUE(preprocessing.automatic());
  EXPECT_FALSE(preprocessing.empty());
  DomainPair pair = pair_of(random_matrix(6, 50, 1), random_matrix(6, 40, 2));
  const Matrix fresh = pair.target().view();
  preprocessing.fit_apply(pair);
  EXPECT_EQ(preprocessing.to_string(), "zscore:joint");
  EXPECT_NE(preprocessing.reason().find("6 features"), std::string::npos) << preprocessing.reason();
  Matrix replayed = fresh;
  preprocessing.apply(replayed, Side::Target);
  EXPECT_EQ(replayed, Matrix(pair.target().view()));
  const Preprocessing restored =
      Preprocessing::restore(preprocessing.to_string(), preprocessing.statistics());
  EXPECT_EQ(restored.to_string(), "zscore:joint");
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
