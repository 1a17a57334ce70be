#include "isthmus/scores.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "isthmus/adapt.h"
#include "isthmus/errors.h"
#include "random_data.h"
#include "toy_domains.h"

namespace isthmus {
namespace {

using testing::random_matrix;
using testing::toy_domains;

std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (const ScoreInfo& score : scores()) names.emplace_back(score.name);
  return names;
}

/// Columns that hold a 1 in the row of their class.
Matrix one_hot(const std::vector<int>& labels, int classes) {
  Matrix columns = Matrix::Zero(classes, static_cast<Index>(labels.size()));
  for (std::size_t i = 0; i < labels.size(); ++i) columns(labels[i], static_cast<Index>(i)) = 1;
  return columns;
}

std::vector<int> labels_in_turn(Index count, int classes) {
  std::vector<int> labels;
  for (Index i = 0; i < count; ++i) labels.push_back(static_cast<int>(i) % classes);
  return labels;
}

Matrix random_probabilities(int classes, Index count, std::uint64_t seed) {
  Matrix columns = random_matrix(classes, count, seed).array().exp();
  for (auto column : columns.colwise()) column /= column.sum();
  return columns;
}

TEST(Scores, AreListedOnceWithWhatTheyMeasureAndHowTheyFail) {
  const std::vector<std::string> names = all_names();
  EXPECT_EQ(names.size(), 9U);
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
  for (const ScoreInfo& score : scores()) {
    EXPECT_FALSE(score.measures.empty() || score.fails.empty() || score.reference.empty()) << score.name;
  }
  EXPECT_EQ(find_score(default_score()).name, default_score());
  try {
    find_score("silhuette");
    FAIL() << "did not throw";
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'silhouette'?"), std::string::npos)
        << error.what();
  }
}

TEST(LeaveOneOut, CountsSamplesWhoseNearestOtherHasAnotherLabel) {
  const Matrix line = (Matrix(1, 5) << 0.0, 1.0, 2.1, 9.0, 10.0).finished();
  EXPECT_EQ(leave_one_out_errors(line, {0, 0, 1, 1, 1}), (Vector(5) << 0, 0, 1, 0, 0).finished());
  EXPECT_THROW(leave_one_out_errors(line, {0, 1}), InvalidArgument);
}

TEST(ImportanceWeighted, WeighsErrorsByTheRatio) {
  const Vector errors = (Vector(2) << 1, 0).finished();
  const Vector ratio = (Vector(2) << std::log(3.0), 0.0).finished();
  EXPECT_NEAR(importance_weighted_error(errors, ratio), 0.75, 1e-15);
  EXPECT_NEAR(importance_weighted_error(errors, ratio.array() + 2000.0), 0.75, 1e-12) << "no overflow";
}

TEST(ImportanceWeighted, AndDeepEmbeddedEstimateTheErrorOnTheTarget) {
  // Wrong above 1; source N(0, 1), target N(1, 1): wrong for half of the target, for 16 % of the source.
  const Vector source = random_matrix(1, 40000, 11).transpose();
  const Vector errors = (source.array() > 1.0).cast<double>();
  const Vector ratio = source.array() - 0.5;
  EXPECT_NEAR(errors.mean(), 0.159, 0.01);
  EXPECT_NEAR(importance_weighted_error(errors, ratio), 0.5, 0.03);
  EXPECT_NEAR(deep_embedded_error(errors, ratio), 0.5, 0.03);
}

TEST(DeepEmbedded, IsExactForAConstantErrorWhateverTheWeights) {
  // The control variate takes all of the weights' scatter out; without it the mean is off.
  const Vector ratio = random_matrix(1, 30, 12).transpose();
  EXPECT_GT(std::abs(ratio.array().exp().mean() - 1.0), 0.05);
  EXPECT_NEAR(deep_embedded_error(Vector::Ones(30), ratio), 1.0, 1e-12);
  EXPECT_NEAR(deep_embedded_error(Vector::Ones(4), Vector::Zero(4)), 1.0, 1e-15);
}

TEST(Entropy, Is0ForCertainAnd1ForUndecided) {
  EXPECT_EQ(prediction_entropy(one_hot({0, 3, 1}, 4)), 0.0);
  EXPECT_NEAR(prediction_entropy(Matrix::Constant(4, 3, 0.25)), 1.0, 1e-15);
  EXPECT_NEAR(prediction_entropy((Matrix(4, 1) << 0.5, 0.5, 0, 0).finished()), 0.5, 1e-15);
  EXPECT_THROW(prediction_entropy(Matrix(4, 0)), InvalidArgument);
}

TEST(NeighbourhoodDensity, EqualSamplesShareOneNeighbourhood) {
  EXPECT_NEAR(soft_neighbourhood_density(Matrix::Constant(3, 300, 1.0 / 3)), std::log(299.0), 1e-12);
  // Certain classes of 50: nearly all of the weight is on the 49 others.
  const double dense = soft_neighbourhood_density(one_hot(labels_in_turn(150, 3), 3));
  EXPECT_NEAR(dense, std::log(49.0), 1e-5);
}

TEST(NeighbourhoodDensity, IsTheEntropyOfTheSoftmaxOfCosines) {
  const Matrix p = random_probabilities(4, 290, 13);
  double sum = 0;
  for (Index i = 0; i < p.cols(); ++i) {
    Vector weights(p.cols());
    for (Index j = 0; j < p.cols(); ++j) {
      const double cosine = p.col(i).dot(p.col(j)) / (p.col(i).norm() * p.col(j).norm());
      weights[j] = i == j ? 0.0 : std::exp(cosine / 0.05);
    }
    weights /= weights.sum();
    for (const double w : weights) sum -= w > 0 ? w * std::log(w) : 0.0;
  }
  EXPECT_NEAR(soft_neighbourhood_density(p), sum / 290, 1e-9);
}

TEST(NeighbourhoodDensity, DrawsSamplesAboveItsLimit) {
  EXPECT_NEAR(soft_neighbourhood_density(Matrix::Constant(2, 5600, 0.5)), std::log(4999.0), 1e-9);
  EXPECT_THROW(soft_neighbourhood_density(Matrix::Ones(2, 1)), InvalidArgument);
}

TEST(Silhouette, IsTheTextbookOne) {
  const Matrix samples = random_matrix(3, 200, 14);
  std::vector<int> labels = labels_in_turn(200, 3);
  labels[17] = 4;  // alone; label 3 has none
  double sum = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    std::vector<double> total(5, 0), count(5, 0);
    for (std::size_t j = 0; j < labels.size(); ++j) {
      if (i == j) continue;
      total[static_cast<std::size_t>(labels[j])] +=
          (samples.col(static_cast<Index>(i)) - samples.col(static_cast<Index>(j))).norm();
      ++count[static_cast<std::size_t>(labels[j])];
    }
    const auto own = static_cast<std::size_t>(labels[i]);
    if (count[own] == 0) continue;
    const double inside = total[own] / count[own];
    double outside = 1e300;
    for (std::size_t c = 0; c < 5; ++c) {
      if (c != own && count[c] > 0) outside = std::min(outside, total[c] / count[c]);
    }
    sum += (outside - inside) / std::max(inside, outside);
  }
  EXPECT_NEAR(silhouette(samples, labels), sum / 200, 1e-12);
}

TEST(Silhouette, Is1ForPointsThatCoincideWithTheirLabelAnd0ForOneLabel) {
  const Matrix points = one_hot(labels_in_turn(6000, 2), 2);
  EXPECT_EQ(silhouette(points, labels_in_turn(6000, 2)), 1.0);
  EXPECT_EQ(silhouette(random_matrix(2, 9, 1), std::vector<int>(9, 1)), 0.0);
}

TEST(EmbeddedMmd, IsKnownForTwoPoints) {
  // The median distance is the distance: each kernel value between the domains is exp(−½).
  Matrix target = Matrix::Zero(2, 30);
  target.row(0).setConstant(7);
  EXPECT_NEAR(embedded_mmd(Matrix::Zero(2, 20), target), 2 - 2 * std::exp(-0.5), 1e-12);
  EXPECT_NEAR(embedded_mmd(Matrix::Zero(2, 20), Matrix::Zero(2, 30)), 0, 1e-12);
  const Matrix some = random_matrix(3, 40, 15);
  EXPECT_NEAR(embedded_mmd(some, some), 0, 1e-12);
}

TEST(Reverse, ScoresTheWayBackByClassNames) {
  const DomainPair pair({random_matrix(2, 4, 16), encode_labels({"a", "b", "c", "c"})},
                        {random_matrix(2, 3, 17), std::nullopt});
  // The target has only b and c: ids 0 and 1 of the reversed pair.
  const double accuracy = reverse_accuracy(pair, {1, 2, 1}, [&](const DomainPair& reversed) {
    EXPECT_EQ(reversed.source().view(), pair.target().view());
    EXPECT_EQ(reversed.target().view(), pair.source().view());
    EXPECT_EQ(reversed.source_labels(), (std::vector<int>{0, 1, 0}));
    EXPECT_TRUE(reversed.target_truth().empty());
    return std::vector<int>{0, 0, 1, 0};  // b, b, c, b
  });
  EXPECT_EQ(accuracy, 50.0);
}

TEST(Reverse, AllInOneClassScoresThatClass) {
  const DomainPair pair({random_matrix(2, 4, 16), encode_labels({"a", "b", "c", "c"})},
                        {random_matrix(2, 3, 17), std::nullopt});
  const Refit never = [](const DomainPair&) -> std::vector<int> { throw std::logic_error("called"); };
  EXPECT_EQ(reverse_accuracy(pair, {2, 2, 2}, never), 50.0);
}

TEST(Agreement, WeighsOtherMethodsAlike) {
  const std::vector<std::vector<int>> labels{{0, 0, 0, 0}, {0, 0, 0, 1}, {0, 0, 1, 1}, {1, 1, 1, 1}};
  const std::vector<double> shares = agreement(labels, {"pca", "jda", "jda", "tca"});
  EXPECT_NEAR(shares[0], ((0.75 + 0.5) / 2 + 0.0) / 2, 1e-15);
  EXPECT_NEAR(shares[1], (0.75 + 0.25) / 2, 1e-15);
  EXPECT_NEAR(shares[2], (0.5 + 0.5) / 2, 1e-15);
  EXPECT_NEAR(shares[3], (0.0 + (0.25 + 0.5) / 2) / 2, 1e-15);
  EXPECT_EQ(agreement({{0, 1}, {0, 0}}, {"jda", "jda"}), (std::vector<double>{0.5, 0.5}));
  EXPECT_EQ(agreement({{0, 1}}, {"jda"}), std::vector<double>{1.0});
}

/// Classes well apart, the target moved along a direction that tells nothing about them.
DomainPair shifted_pair(bool with_truth) {
  auto toy = toy_domains(6, 30, 3, 18);
  toy.source.conservativeResize(8, Eigen::NoChange);
  toy.target.conservativeResize(8, Eigen::NoChange);
  toy.source.bottomRows(2) = random_matrix(2, toy.source.cols(), 19);
  toy.target.bottomRows(2) = random_matrix(2, toy.target.cols(), 20).array() + 8.0;
  Domain target{toy.target, {}};
  if (with_truth) target.labels = encode_labels(toy.target_names);
  return {{toy.source, encode_labels(toy.source_names)}, target};
}

TEST(ScoreModel, PrefersTheModelThatRemovesTheShift) {
  const DomainPair pair = shifted_pair(false);
  const ScoreValues without =
      score_model(adapt(pair, {.method = "nn", .preprocessing = {}}), pair, all_names());
  const ScoreValues with =
      score_model(adapt(pair, {.method = "coral", .preprocessing = {}}), pair, all_names());
  for (const ScoreInfo& score : scores()) {
    if (score.name == "agreement") {
      EXPECT_EQ(with.count("agreement"), 0U);
      continue;
    }
    ASSERT_EQ(with.count(score.name), 1U) << score.name;
    EXPECT_TRUE(std::isfinite(with.find(score.name)->second)) << score.name;
  }
  for (const char* name : {"a-distance", "mmd"}) EXPECT_LT(with.at(name), without.at(name)) << name;
  EXPECT_GE(with.at("silhouette"), without.at("silhouette"));
  EXPECT_EQ(with.at("reverse"), 100.0);
}

TEST(ScoreModel, DependsNeitherOnThreadsNorOnTargetLabels) {
  const DomainPair blind = shifted_pair(false);
  const DomainPair labelled = shifted_pair(true);
  const AdaptRequest request{.method = "jda", .options = {{"components", "3"}}, .preprocessing = {}};
  Context team;
  team.threads = 3;
  const ScoreValues one = score_model(adapt(blind, request), blind, all_names());
  EXPECT_EQ(one, score_model(adapt(labelled, request), labelled, all_names(), team));
  EXPECT_THROW(score_model(adapt(blind, request), blind, {"sdn"}), InvalidArgument);
}

}  // namespace
}  // namespace isthmus
