#include "classify/propagation.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include "isthmus/errors.h"
#include "random_data.h"

namespace isthmus {
namespace {

using testing::random_matrix;

TEST(LabelPropagation, AgreesWithTheDenseInverse) {
  const SparseWeights weights = self_tuning_graph(random_matrix(4, 90, 31), {.neighbours = 6}, 1).weights;
  const Matrix seeds = random_matrix(3, 90, 32).cwiseAbs();
  const Vector root = Matrix(weights).rowwise().sum().cwiseSqrt().cwiseInverse();
  const Matrix s = root.asDiagonal() * Matrix(weights) * root.asDiagonal();
  const Matrix dense = (Matrix::Identity(90, 90) - 0.9 * s).ldlt().solve(seeds.transpose()).transpose();
  const Matrix found = propagate_labels(weights, seeds, 0.9, 1).solution;
  EXPECT_LT((found - dense).cwiseAbs().maxCoeff(), 1e-8);
}

TEST(LabelPropagation, WithAlphaZeroReturnsTheSeeds) {
  const SparseWeights weights = self_tuning_graph(random_matrix(4, 20, 33), {}, 1).weights;
  const Matrix seeds = random_matrix(3, 20, 34);
  EXPECT_TRUE(propagate_labels(weights, seeds, 0.0, 1).solution == seeds);
  EXPECT_THROW(propagate_labels(weights, seeds, 1.0, 1), InvalidArgument);
}

TEST(ClassMass, AtFullStrengthBringsTheMeanNearerToThePrior) {
  Matrix scores = random_matrix(4, 50, 35).cwiseAbs();
  scores.row(0) *= 5.0;
  columns_to_simplex(scores);
  const Vector prior = Vector::Constant(4, 0.25);
  const double before = (scores.rowwise().mean() - prior).norm();
  match_class_mass(scores, prior, 1.0);
  EXPECT_LT((scores.rowwise().mean() - prior).norm(), 0.5 * before);
  EXPECT_LT((scores.colwise().sum().array() - 1.0).abs().maxCoeff(), 1e-12);
}

TEST(ClassMass, AtStrengthZeroChangesNothing) {
  Matrix scores = random_matrix(4, 50, 36).cwiseAbs();
  columns_to_simplex(scores);
  const Matrix before = scores;
  match_class_mass(scores, Vector::Constant(4, 0.25), 0.0);
  EXPECT_LT((scores - before).cwiseAbs().maxCoeff(), 1e-8);
}

TEST(ClassMass, SurvivesAClassWithoutAnyMass) {
  Matrix scores = Matrix::Zero(3, 10);
  scores.row(0).setOnes();
  match_class_mass(scores, Vector::Constant(3, 1.0 / 3.0), 1.0);
  EXPECT_TRUE(scores.allFinite());
  EXPECT_LT((scores.colwise().sum().array() - 1.0).abs().maxCoeff(), 1e-12);
}

}  // namespace
}  // namespace isthmus
