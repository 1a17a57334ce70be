#include "domain/transfer_objective.h"

#include <gtest/gtest.h>

#include "isthmus/errors.h"
#include "random_data.h"

namespace isthmus {
namespace {

using testing::random_matrix;

std::vector<int> round_robin(Index count, int classes) {
  std::vector<int> labels;
  for (Index i = 0; i < count; ++i) labels.push_back(static_cast<int>(i) % classes);
  return labels;
}

TEST(ClassScatter, EqualsTheSumsOverSamples) {
  const Matrix x = random_matrix(4, 25, 1).array() + 2.0;
  const std::vector<int> labels = round_robin(25, 3);
  const ClassScatter found = class_scatter(x, labels, 4, 1);  // class 3 is empty
  Matrix within = Matrix::Zero(4, 4);
  for (int c = 0; c < 3; ++c) {
    std::vector<Index> members;
    for (Index j = 0; j < 25; ++j) {
      if (labels[static_cast<std::size_t>(j)] == c) members.push_back(j);
    }
    const Matrix group = x(Eigen::all, members);
    const Matrix centred = group.colwise() - group.rowwise().mean();
    within += centred * centred.transpose();
  }
  const Matrix centred = x.colwise() - x.rowwise().mean();
  EXPECT_LT((found.within - within).norm(), 1e-11);
  EXPECT_LT((found.total - centred * centred.transpose()).norm(), 1e-11);
}

struct Case {
  TransferCriterion criterion;
  double ridge;
  double lambda;
};
class TransferObjectiveGradient : public ::testing::TestWithParam<Case> {};

TEST_P(TransferObjectiveGradient, AgreesWithFiniteDifferences) {
  const Matrix source = random_matrix(6, 30, 2);
  const Matrix target = random_matrix(6, 20, 3).array() + 0.3;
  TransferObjective objective(class_scatter(source, round_robin(30, 3), 3, 1), source, target,
                              {.criterion = GetParam().criterion,
                               .ridge = GetParam().ridge,
                               .lambda = GetParam().lambda,
                               .width = 1.5});
  const Matrix w = random_matrix(6, 2, 4);  // the formulas hold off the manifold too
  Matrix gradient;
  const double value = objective.evaluate(w, &gradient, 1);
  EXPECT_NEAR(value, objective.evaluate(w, nullptr, 1), 1e-14);
  EXPECT_NEAR(value, objective.terms().criterion + GetParam().lambda * objective.terms().divergence, 1e-14);
  const double h = 1e-6;
  for (Index i = 0; i < w.size(); ++i) {
    Matrix up = w;
    Matrix down = w;
    up.data()[i] += h;
    down.data()[i] -= h;
    const double slope =
        (objective.evaluate(up, nullptr, 1) - objective.evaluate(down, nullptr, 1)) / (2 * h);
    EXPECT_NEAR(gradient.data()[i], slope, 1e-8) << "entry " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Criteria, TransferObjectiveGradient,
                         ::testing::Values(Case{TransferCriterion::Fisher, 0.0, 0.0},
                                           Case{TransferCriterion::Fisher, 0.1, 10.0},
                                           Case{TransferCriterion::Pca, 0.0, 0.0},
                                           Case{TransferCriterion::Pca, 0.0, 3.0}));

TEST(TransferObjective, CriteriaAreSharesOfTheVariance) {
  const Matrix source = random_matrix(5, 40, 5);
  const ClassScatter scatter = class_scatter(source, round_robin(40, 2), 2, 1);
  TransferObjective pca(scatter, source, source, {.criterion = TransferCriterion::Pca, .lambda = 0});
  EXPECT_NEAR(pca.evaluate(Matrix::Identity(5, 5), nullptr, 1), 0.0, 1e-12);
  TransferObjective fisher(scatter, source, source, {.criterion = TransferCriterion::Fisher, .lambda = 0});
  EXPECT_NEAR(fisher.evaluate(Matrix::Identity(5, 5), nullptr, 1),
              scatter.within.trace() / scatter.total.trace(), 1e-12);
}

TEST(TransferObjective, RefusesASourceWithoutVariance) {
  const Matrix constant = Matrix::Constant(3, 6, 1.0);
  EXPECT_THROW(TransferObjective({Matrix::Zero(3, 3), {}, Matrix::Zero(3, 3)}, constant, constant, {}),
               InvalidArgument);
}

}  // namespace
}  // namespace isthmus
