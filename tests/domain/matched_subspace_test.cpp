#include "domain/matched_subspace.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "dense_form.h"
#include "subspace_distance.h"

namespace isthmus {
namespace {

using testing::awkward_problem;
using testing::DenseForm;
using testing::LabelledProblem;
using testing::subspace_distance;

/// X H Xᵀ with the dense H.
Matrix dense_scatter(const LabelledProblem& problem) {
  const Matrix x = problem.samples();
  const Index n = x.cols();
  const Matrix h = Matrix::Identity(n, n) - Matrix::Constant(n, n, 1.0 / static_cast<double>(n));
  return x * h * x.transpose();
}

Matrix dense_right(const LabelledProblem& problem, double marginal, double ridge) {
  DenseForm close(problem);
  close.add_closeness(marginal, 1.0);
  const Matrix x = problem.samples();
  return x * close.matrix * x.transpose() / close.matrix.norm() +
         ridge * Matrix::Identity(x.rows(), x.rows());
}

MatchedSubspace solve(const LabelledProblem& problem, const MatchingProblem& wanted) {
  const ClassMeans classes = problem.class_means();
  return SubspaceMatcher(dense_scatter(problem), wanted, 1).solve(classes.means(), classes);
}

class MatchedSubspaceOf : public ::testing::TestWithParam<LabelledProblem> {};

TEST_P(MatchedSubspaceOf, JdaAgreesWithDenseMatricesAndSolver) {
  MatchingProblem wanted{.components = 3, .ridge = 0.3};
  wanted.closeness.marginal = GetParam().classes;
  const MatchedSubspace fast = solve(GetParam(), wanted);
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> dense(
      dense_scatter(GetParam()), dense_right(GetParam(), GetParam().classes, 0.3));
  EXPECT_NEAR(fast.objective, dense.eigenvalues().tail(3).sum(), 1e-9 * fast.objective);
  EXPECT_LT(subspace_distance(fast.directions, dense.eigenvectors().rightCols(3)), 1e-9);
  EXPECT_NEAR(fast.closeness + fast.ridge, 3.0, 1e-9);
  EXPECT_NEAR(fast.variance, fast.objective, 1e-9 * fast.objective);
}

TEST_P(MatchedSubspaceOf, RatioFormAgreesWithDenseMatricesAndSolver) {
  MatchingProblem wanted{.components = 2, .ridge = 0.3};
  wanted.repulsion = RepulsionWeights{0.5, 2.0, 1.0};
  const MatchedSubspace fast = solve(GetParam(), wanted);
  const Matrix x = GetParam().samples();
  const Matrix scatter = dense_scatter(GetParam());
  DenseForm apart(GetParam());
  apart.add_repulsion(0.5, 2.0, 1.0);
  DenseForm unweighted(GetParam());
  unweighted.add_repulsion(1.0, 1.0, 1.0);
  const double scale = scatter.trace() / (x * unweighted.matrix * x.transpose()).trace();
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> dense(
      scatter + scale * x * apart.matrix * x.transpose(), dense_right(GetParam(), 1.0, 0.3));
  EXPECT_NEAR(fast.objective, dense.eigenvalues().tail(2).sum(), 1e-9 * fast.objective);
  EXPECT_LT(subspace_distance(fast.directions, dense.eigenvectors().rightCols(2)), 1e-9);
  EXPECT_NEAR(fast.variance + fast.repulsion, fast.objective, 1e-9 * fast.objective);
}

TEST_P(MatchedSubspaceOf, AlgebraicFormAgreesWithDenseMatricesAndSolver) {
  MatchingProblem wanted{.components = 2, .ridge = 0.3, .form = RepulsionForm::Algebraic};
  wanted.repulsion = RepulsionWeights{};
  const MatchedSubspace fast = solve(GetParam(), wanted);
  DenseForm close(GetParam());
  close.add_closeness(1.0, 1.0);
  DenseForm apart(GetParam());
  apart.add_repulsion(1.0, 1.0, 1.0);
  const Matrix m = close.matrix - apart.matrix;
  const Matrix x = GetParam().samples();
  const Matrix left = x * m * x.transpose() / m.norm() + 0.3 * Matrix::Identity(x.rows(), x.rows());
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> dense(left, dense_scatter(GetParam()));
  EXPECT_NEAR(fast.objective, dense.eigenvalues().head(2).sum(), 1e-9);
  EXPECT_LT(subspace_distance(fast.directions, dense.eigenvectors().leftCols(2)), 1e-9);
  EXPECT_NEAR(fast.closeness + fast.ridge - fast.repulsion, fast.objective, 1e-9);
  EXPECT_NEAR(fast.variance, 2.0, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Classes, MatchedSubspaceOf,
                         ::testing::Values(awkward_problem(6, 41), LabelledProblem(5, {3, 30}, {20, 2}, 42),
                                           LabelledProblem(4, {5, 6, 7}, {8, 0, 0}, 43),
                                           LabelledProblem(7, {1, 1, 9}, {1, 12, 1}, 44)));

TEST(MatchedSubspace, ColumnsAreScaledAsAsked) {
  const LabelledProblem problem = awkward_problem(6, 45);
  MatchingProblem wanted{.components = 4, .ridge = 0.3};
  const auto lengths = [&](Scaling scaling, const Matrix& metric) {
    wanted.scaling = scaling;
    const Matrix a = solve(problem, wanted).directions;
    return Vector((a.transpose() * metric * a).diagonal());
  };
  for (const RepulsionForm form : {RepulsionForm::Ratio, RepulsionForm::Algebraic}) {
    wanted.form = form;
    EXPECT_LT((lengths(Scaling::Unit, Matrix::Identity(6, 6)).array() - 1.0).abs().maxCoeff(), 1e-12);
    EXPECT_LT((lengths(Scaling::Metric, dense_right(problem, 1.0, 0.3)).array() - 1.0).abs().maxCoeff(),
              1e-10);
    EXPECT_LT((lengths(Scaling::Whitened, dense_scatter(problem)).array() - 1.0).abs().maxCoeff(), 1e-10);
  }
}

TEST(MatchedSubspace, MoreRepulsionNeverLowersTheRepulsionReached) {
  // At the optimum of the ratio form over A, with the labels fixed: tr((AᵀBA)⁻¹AᵀRA), B the right side.
  const LabelledProblem problem = awkward_problem(8, 46);
  const Matrix x = problem.samples();
  DenseForm apart(problem);
  apart.add_repulsion(1.0, 1.0, 1.0);
  const Matrix r = x * apart.matrix * x.transpose();
  const Matrix b = dense_right(problem, 1.0, 0.3);
  double before = -1;
  for (const double weight : {0.0, 0.01, 0.1, 0.3, 1.0, 3.0, 10.0, 100.0}) {
    MatchingProblem wanted{.components = 3, .ridge = 0.3};
    wanted.repulsion = RepulsionWeights{weight, weight, weight};
    const Matrix a = solve(problem, wanted).directions;
    const double reached = (a.transpose() * b * a).ldlt().solve(a.transpose() * r * a).trace();
    EXPECT_GE(reached, before * (1 - 1e-12)) << "weight " << weight;
    before = reached;
  }
  EXPECT_GT(before, 0);
}

TEST(MatchedSubspace, AnUnlabelledTargetIsMatchedAsAWholeWithoutRepulsion) {
  const LabelledProblem problem = awkward_problem(6, 47);
  const ClassMeans unlabelled(problem.source, problem.source_labels, problem.target, {}, problem.classes, 1);
  MatchingProblem wanted{.components = 3, .ridge = 0.3};
  wanted.repulsion = RepulsionWeights{};
  const MatchedSubspace first =
      SubspaceMatcher(dense_scatter(problem), wanted, 1).solve(unlabelled.means(), unlabelled);
  MatchingProblem tca{.components = 3, .ridge = 0.3};
  tca.closeness.conditional = 0.0;
  EXPECT_LT(subspace_distance(first.directions, solve(problem, tca).directions), 1e-9);
  EXPECT_EQ(first.repulsion, 0.0);
}

}  // namespace
}  // namespace isthmus
