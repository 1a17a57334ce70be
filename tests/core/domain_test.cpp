#include "isthmus/domain.h"

#include <gtest/gtest.h>

#include <limits>

#include "isthmus/errors.h"
#include "random_data.h"

namespace isthmus {
namespace {

Domain labelled(const Matrix& features, std::vector<std::string> names) {
  return {features, encode_labels(std::move(names))};
}

/// The message of the InvalidArgument that building this pair gives.
std::string refusal(Domain source, Domain target) {
  try {
    const DomainPair pair(std::move(source), std::move(target));
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "accepted";
}

TEST(DomainPair, EncodesTargetLabelsInTheClassesOfTheSource) {
  const DomainPair pair(labelled(Matrix::Random(2, 3), {"b", "a", "b"}),
                        labelled(Matrix::Random(2, 2), {"b", "x"}));
  EXPECT_EQ(pair.source_labels(), (std::vector<int>{1, 0, 1}));
  EXPECT_EQ(pair.target_truth(), (std::vector<int>{1, kUnknownClass}));
  EXPECT_EQ(pair.class_count(), 2);
}

TEST(DomainPair, RefusesWhatNoMethodCouldUse) {
  const Matrix two = Matrix::Random(3, 2);
  EXPECT_NE(refusal({two, {}}, {two, {}}).find("source has no labels"), std::string::npos);
  EXPECT_NE(refusal(labelled(two, {"a", "a"}), {two, {}}).find("only one class ('a')"), std::string::npos);
  EXPECT_NE(refusal(labelled(two, {"a"}), {two, {}}).find("2 samples but 1 labels"), std::string::npos);
  const auto with_ids = [&](std::vector<int> ids) {
    return Domain{two, Labels{ClassNames({"a", "b"}), std::move(ids)}};
  };
  EXPECT_NE(refusal(with_ids({0, 2}), {two, {}}).find("source sample 2 (from 1) is class 2"),
            std::string::npos);
  EXPECT_NE(refusal(with_ids({-1, 1}), {two, {}}).find("source sample 1 (from 1) is class -1"),
            std::string::npos);
  EXPECT_NE(refusal(with_ids({0, 1}), with_ids({-1, 2})).find("target sample 2"), std::string::npos);
  EXPECT_EQ(refusal(with_ids({0, 1}), with_ids({-1, 1})), "accepted");
  EXPECT_NE(refusal(labelled(two, {"a", "b"}), {Matrix(Matrix::Random(4, 2)), {}})
                .find("3 features a sample and the target 4"),
            std::string::npos);
  EXPECT_NE(refusal(labelled(two, {"a", "b"}), {Matrix(3, 0), {}}).find("target has no samples"),
            std::string::npos);
  EXPECT_NE(refusal(labelled(Matrix(0, 2), {"a", "b"}), {Matrix(0, 2), {}}).find("no features"),
            std::string::npos);
}

TEST(DomainPair, NamesTheSampleAndFeatureThatIsNotFinite) {
  Matrix broken = Matrix::Random(3, 4);
  broken(1, 2) = std::numeric_limits<double>::quiet_NaN();
  const std::string message = refusal(labelled(Matrix::Random(3, 2), {"a", "b"}), {broken, {}});
  EXPECT_NE(message.find("target holds nan at sample 3, feature 2"), std::string::npos) << message;
}

TEST(FeatureMatrix, BorrowsWithoutCopyAndKeepsTheOwnerAlive) {
  auto owner = std::make_shared<std::vector<double>>(6, 2.0);
  const std::weak_ptr<std::vector<double>> watch = owner;
  {
    const FeatureMatrix features(owner->data(), 3, 2, owner);
    EXPECT_EQ(features.view().data(), owner->data());
    owner.reset();
    EXPECT_FALSE(watch.expired());
    EXPECT_EQ(features.view().sum(), 12.0);
  }
  EXPECT_TRUE(watch.expired());
}

TEST(FeatureMatrix, ReleaseMovesWhenUnsharedAndCopiesOtherwise) {
  FeatureMatrix alone(Matrix::Random(5, 4));
  const double* memory = alone.view().data();
  EXPECT_EQ(std::move(alone).release().data(), memory);

  FeatureMatrix shared(Matrix::Random(5, 4));
  const FeatureMatrix other = shared;
  Matrix released = std::move(shared).release();
  EXPECT_NE(released.data(), other.view().data());
  EXPECT_EQ(released, other.view());
}

TEST(Accuracy, IsTheShareOfEqualLabelsInPercent) {
  EXPECT_DOUBLE_EQ(accuracy_percent({0, 1, 2, 1}, {0, 1, 1, kUnknownClass}), 50.0);
  EXPECT_THROW(accuracy_percent({0}, {0, 1}), InvalidArgument);
  EXPECT_THROW(accuracy_percent({}, {}), InvalidArgument);
}

}  // namespace
}  // namespace isthmus
