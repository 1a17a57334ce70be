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

/// Samples of three named features, each a hundred times its number and then the sample's number.
Domain named(const std::vector<int>& features, Index samples, bool labelled) {
  Domain domain;
  Matrix values(static_cast<Index>(features.size()), samples);
  for (Index i = 0; i < values.rows(); ++i) {
    const int feature = features[static_cast<std::size_t>(i)];
    domain.feature_names.push_back("f" + std::to_string(feature));
    for (Index j = 0; j < samples; ++j) values(i, j) = 100.0 * feature + static_cast<double>(j);
  }
  domain.features = std::move(values);
  if (labelled) {
    std::vector<std::string> names;
    for (Index j = 0; j < samples; ++j) names.push_back(j % 2 == 0 ? "even" : "odd");
    domain.labels = encode_labels(names);
  }
  return domain;
}

TEST(DomainPair, PutsTheTargetsFeaturesInTheOrderOfTheSources) {
  const DomainPair pair(named({1, 2, 3}, 4, true), named({3, 1, 2}, 5, false));
  EXPECT_EQ(pair.target().view(), named({1, 2, 3}, 5, false).features.view());
  EXPECT_EQ(pair.feature_names(), (std::vector<std::string>{"f1", "f2", "f3"}));
  ASSERT_EQ(pair.notes().size(), 1U);
  EXPECT_NE(pair.notes()[0].find("put in the order of the source's"), std::string::npos);
  EXPECT_TRUE(DomainPair(named({1, 2}, 4, true), named({1, 2}, 4, false)).notes().empty());
}

TEST(DomainPair, TakesFeaturesByPositionWhereOneSideHasNoNames) {
  Domain bare = named({3, 1, 2}, 5, false);
  bare.feature_names.clear();
  const DomainPair unnamed_target(named({1, 2, 3}, 4, true), bare);
  EXPECT_EQ(unnamed_target.target().view(), bare.features.view());
  EXPECT_EQ(unnamed_target.feature_names().front(), "f1");
  bare.labels = encode_labels({"a", "b", "a", "b", "a"});
  EXPECT_EQ(DomainPair(bare, named({3, 1, 2}, 4, false)).feature_names().front(), "f3");
  EXPECT_TRUE(DomainPair(bare, bare).feature_names().empty());
}

TEST(DomainPair, NamesTheFeaturesThatAreMissingOrTooMany) {
  const auto about = [](const std::vector<int>& source, const std::vector<int>& target) {
    return refusal(named(source, 4, true), named(target, 5, false));
  };
  EXPECT_NE(about({1, 2, 3}, {1, 2}).find("the target lacks 'f3';"), std::string::npos);
  EXPECT_NE(about({1, 2}, {1, 2, 3}).find("the source lacks 'f3';"), std::string::npos);
  EXPECT_NE(about({1, 2}, {1, 3}).find("the target lacks 'f2', and the source lacks 'f3'"),
            std::string::npos);
  EXPECT_NE(about({1, 2, 3}, {2, 1, 1}).find("two features of the target are called 'f1'"),
            std::string::npos);
  EXPECT_EQ(about({1, 2, 2}, {1, 2, 2}), "accepted") << "equal lists need no matching";
  Domain short_of_names = named({1, 2, 3}, 4, true);
  short_of_names.feature_names.pop_back();
  EXPECT_NE(refusal(short_of_names, named({1, 2, 3}, 4, false)).find("3 features but 2 feature names"),
            std::string::npos);
}

TEST(FeatureMatrix, IsPutInAnotherOrderInMemoryAndAsItStreams) {
  const auto values = std::make_shared<Eigen::MatrixXf>(Eigen::MatrixXf::Random(4, 9));
  const std::vector<Index> order{2, 0, 3, 1};
  const Matrix expected = values->cast<double>()(order, Eigen::all);
  FeatureMatrix in_memory(Matrix(values->cast<double>()));
  EXPECT_EQ(std::move(in_memory).reordered(order).view(), expected);
  FeatureMatrix streamed(values->data(), 4, 9, values);
  const FeatureMatrix ordered = std::move(streamed).reordered(order);
  EXPECT_TRUE(ordered.streams());
  EXPECT_EQ(ordered.columns(2, 5), expected.middleCols(2, 5));
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
