#include "domain/forms.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "dense_form.h"

namespace isthmus {
namespace {

using testing::awkward_problem;
using testing::DenseForm;
using testing::LabelledProblem;

void expect_equal_form(const LabelledProblem& problem, const Matrix& coefficients, const Matrix& dense) {
  const ClassMeans classes = problem.class_means();
  const Matrix x = problem.samples();
  const Matrix expected = x * dense * x.transpose();
  const Matrix form = classes.means() * coefficients * classes.means().transpose();
  EXPECT_LT((form - expected).norm(), 1e-9 * expected.norm());
  EXPECT_NEAR(frobenius_norm(coefficients, classes.counts()), dense.norm(), 1e-9 * dense.norm());
}

class FormsOf : public ::testing::TestWithParam<LabelledProblem> {};

TEST_P(FormsOf, ClosenessIsTheDenseForm) {
  DenseForm dense(GetParam());
  dense.add_closeness(4.0, 0.7);
  const FormFactors close = closeness(GetParam().class_means(), {.marginal = 4.0, .conditional = 0.7});
  expect_equal_form(GetParam(), close.coefficients(), dense.matrix);
}

TEST_P(FormsOf, RepulsionIsTheDenseFormWithEachTermWeighted) {
  DenseForm dense(GetParam());
  dense.add_repulsion(0.5, 2.0, 1.5);
  const FormFactors apart = repulsion(GetParam().class_means(), {0.5, 2.0, 1.5});
  expect_equal_form(GetParam(), apart.coefficients(), dense.matrix);
}

TEST_P(FormsOf, TheSignedDifferenceIsTheDenseFormAndSumsToZeroOverSamples) {
  DenseForm close(GetParam());
  close.add_closeness(1.0, 1.0);
  DenseForm apart(GetParam());
  apart.add_repulsion(1.0, 1.0, 1.0);
  const ClassMeans classes = GetParam().class_means();
  const Matrix coefficients = closeness(classes, {}).coefficients() - repulsion(classes, {}).coefficients();
  expect_equal_form(GetParam(), coefficients, close.matrix - apart.matrix);
  // M·1 = 0: every row of K sums to zero, since each class mean of the constant 1 is 1.
  EXPECT_LT((coefficients * Vector::Ones(coefficients.cols())).cwiseAbs().maxCoeff(), 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Classes, FormsOf,
                         ::testing::Values(awkward_problem(6, 11),                        // empty, single
                                           LabelledProblem(5, {3, 30}, {20, 2}, 12),      // unbalanced
                                           LabelledProblem(4, {5, 6, 7}, {8, 0, 0}, 13),  // one left
                                           LabelledProblem(9, {1, 1, 1, 1, 1}, {1, 1, 1, 1, 1}, 14)));

TEST(Forms, KeepTheHalfOfAnEmptyClassOnlyWhenAsked) {
  const LabelledProblem problem = awkward_problem(6, 15);
  const ClassMeans classes = problem.class_means();
  const ClosenessWeights keep{.marginal = 4.0, .conditional = 1.0, .empty_class = EmptyClass::KeepHalf};
  DenseForm dense(problem);
  dense.add_closeness(4.0, 1.0);
  dense.add(1.0, dense.group(true, 2), Vector::Zero(dense.matrix.rows()));
  expect_equal_form(problem, closeness(classes, keep).coefficients(), dense.matrix);
  EXPECT_EQ(closeness(classes, keep).factors.cols(), closeness(classes, {}).factors.cols() + 1);
}

TEST(Forms, OfAnUnlabelledTargetHaveOnlyTheMarginalTerm) {
  const LabelledProblem problem = awkward_problem(6, 16);
  const ClassMeans unlabelled(problem.source, problem.source_labels, problem.target, {}, problem.classes, 1);
  DenseForm dense(problem);
  dense.add_closeness(1.0, 0.0);
  const FormFactors close = closeness(unlabelled, {});
  EXPECT_EQ(close.factors.cols(), 1);
  const Matrix x = problem.samples();
  const Matrix factor = unlabelled.means() * close.factors;
  EXPECT_LT((factor * factor.transpose() - x * dense.matrix * x.transpose()).norm(), 1e-9);
  EXPECT_NEAR(frobenius_norm(close.coefficients(), unlabelled.counts()), dense.matrix.norm(), 1e-12);
}

TEST(Forms, ByTheTargetsSharesTheSameClassesInOtherNumbersAreNoDistance) {
  Matrix centres(2, 2);
  centres << 1, 4, 2, -3;
  const auto samples = [&](const std::vector<int>& labels) {
    Matrix x(2, static_cast<Index>(labels.size()));
    for (std::size_t i = 0; i < labels.size(); ++i) x.col(static_cast<Index>(i)) = centres.col(labels[i]);
    return x;
  };
  const std::vector<int> mostly_first{0, 0, 0, 1};
  const std::vector<int> mostly_second{0, 1, 1, 1, 1};
  const ClassMeans classes(samples(mostly_first), mostly_first, samples(mostly_second), mostly_second, 2, 1);
  const ClosenessWeights own{.marginal = 1.0, .conditional = 0.0};
  ClosenessWeights by_target = own;
  by_target.shares = SourceShares::Target;
  EXPECT_GT((classes.means() * closeness(classes, own).factors).norm(), 1.0);
  EXPECT_LT((classes.means() * closeness(classes, by_target).factors).norm(), 1e-12);
}

TEST(Forms, TheTargetsSharesLeaveOutClassesThatTheSourceLacks) {
  const Matrix source = (Matrix(1, 2) << 1, 3).finished();
  const Matrix target = (Matrix(1, 3) << 2, 5, 9).finished();
  const ClosenessWeights by_target{.marginal = 1.0, .conditional = 0.0, .shares = SourceShares::Target};
  const ClassMeans some(source, {0, 1}, target, {1, 1, 2}, 3, 1);
  EXPECT_NEAR(std::abs((some.means() * closeness(some, by_target).factors)(0, 0)), 16.0 / 3.0 - 3.0, 1e-12);
  const ClassMeans none(source, {0, 1}, target, {2, 2, 2}, 3, 1);
  EXPECT_NEAR(std::abs((none.means() * closeness(none, by_target).factors)(0, 0)), 16.0 / 3.0 - 2.0, 1e-12);
}

TEST(Forms, MeasureTheDistancesBetweenDomainAndClassMeans) {
  const LabelledProblem problem = awkward_problem(6, 17);
  const ClassMeans classes = problem.class_means();
  const MeanDistances distances = mean_distances(classes.means(), classes);
  const Vector shift = problem.source.rowwise().mean() - problem.target.rowwise().mean();
  EXPECT_NEAR(distances.marginal, shift.squaredNorm(), 1e-12);
  EXPECT_NEAR(distances.classes[1], (classes.means().col(1) - classes.means().col(5)).squaredNorm(), 1e-12);
  EXPECT_TRUE(std::isnan(distances.classes[2]));
}

}  // namespace
}  // namespace isthmus
