#include "domain/pencil.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "isthmus/errors.h"
#include "random_data.h"
#include "subspace_distance.h"

namespace isthmus {
namespace {

using testing::random_matrix;
using testing::random_spd;
using testing::subspace_distance;

class LowRankPencil : public ::testing::TestWithParam<std::tuple<int, int, double>> {};

TEST_P(LowRankPencil, AgreesWithTheDenseGeneralisedSolver) {
  const auto [dimension, rank, ridge] = GetParam();
  const Index k = dimension / 3;
  const Matrix left = random_spd(dimension, 21);
  const Matrix factors = random_matrix(dimension, rank, 22);
  const Matrix right = factors * factors.transpose() + ridge * Matrix::Identity(dimension, dimension);

  const PencilSolution fast = largest_of_low_rank_pencil(left, factors, ridge, k, 1);
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> dense(left, right);
  const Vector expected = dense.eigenvalues().reverse().head(k);
  EXPECT_LT((fast.values - expected).cwiseAbs().maxCoeff(), 1e-9 * expected[0]);
  EXPECT_LT(subspace_distance(fast.vectors, dense.eigenvectors().rightCols(k)), 1e-9);
  EXPECT_LT((fast.vectors.transpose() * right * fast.vectors - Matrix::Identity(k, k)).norm(), 1e-9);
  EXPECT_LT(fast.residual, 1e-10);
}

INSTANTIATE_TEST_SUITE_P(Sizes, LowRankPencil,
                         ::testing::Values(std::tuple(30, 5, 1.0), std::tuple(30, 5, 1e-3),
                                           std::tuple(12, 20, 0.5), std::tuple(25, 1, 100.0),
                                           std::tuple(9, 0, 0.1)));

TEST(Pencil, RefusesARidgeOfZero) {
  EXPECT_THROW(largest_of_low_rank_pencil(random_spd(5, 25), random_matrix(5, 1, 26), 0.0, 2, 1),
               InvalidArgument);
}

TEST(SmallestOnRange, TakesTheAlgebraicallySmallestOfAnIndefiniteForm) {
  const Matrix symmetric = random_matrix(10, 10, 27);
  const Matrix a = symmetric + symmetric.transpose();
  const Matrix scatter = random_spd(10, 28);
  const PencilSolution solution = smallest_on_range(a, scatter, whitening_basis(scatter), 4);
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> dense(a, scatter);
  EXPECT_LT((solution.values - dense.eigenvalues().head(4)).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LT(solution.values[0], 0.0);
  EXPECT_LT(subspace_distance(solution.vectors, dense.eigenvectors().leftCols(4)), 1e-9);
  EXPECT_LT((solution.vectors.transpose() * scatter * solution.vectors - Matrix::Identity(4, 4)).norm(),
            1e-9);
  EXPECT_LT(solution.residual, 1e-12);
}

TEST(SmallestOnRange, IgnoresDirectionsWithoutVariance) {
  // In a rotated basis, S lives on 6 of 9 directions; the form is very negative on the other 3.
  const Matrix rotation = Eigen::HouseholderQR<Matrix>(random_matrix(9, 9, 29)).householderQ();
  Matrix scatter = Matrix::Zero(9, 9);
  scatter.topLeftCorner(6, 6) = random_spd(6, 30);
  Matrix a = Matrix::Zero(9, 9);
  const Matrix inner = random_matrix(6, 6, 31);
  a.topLeftCorner(6, 6) = inner + inner.transpose();
  a.bottomRightCorner(3, 3) = -1e6 * Matrix::Identity(3, 3);
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> dense(a.topLeftCorner(6, 6),
                                                               scatter.topLeftCorner(6, 6));

  a = rotation * a * rotation.transpose();
  scatter = rotation * scatter * rotation.transpose();
  const Matrix whitening = whitening_basis(scatter);
  ASSERT_EQ(whitening.cols(), 6);
  const PencilSolution solution = smallest_on_range(a, scatter, whitening, 3);
  EXPECT_LT((solution.values - dense.eigenvalues().head(3)).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_THROW(smallest_on_range(a, scatter, whitening, 7), InvalidArgument);
}

}  // namespace
}  // namespace isthmus
