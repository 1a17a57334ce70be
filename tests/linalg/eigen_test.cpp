#include "linalg/eigen.h"

#include <gtest/gtest.h>

#include <limits>

#include "isthmus/errors.h"
#include "random_data.h"

namespace isthmus::linalg {
namespace {

using isthmus::testing::random_matrix;
using isthmus::testing::random_spd;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Matrix random_symmetric(Index size, std::uint64_t seed) {
  const Matrix a = random_matrix(size, size, seed);
  return a + a.transpose();
}

Matrix identity_gap(const Matrix& gram) {
  return gram - Matrix::Identity(gram.rows(), gram.cols());
}

/// ‖A V − V diag(ν)‖ and ‖VᵀV − I‖.
void expect_eigenpairs(const Matrix& a, const EigenPairs& pairs) {
  const double scale = static_cast<double>(a.rows()) * (1.0 + a.norm());
  EXPECT_LT((a * pairs.vectors - pairs.vectors * pairs.values.asDiagonal()).norm(), 1e-14 * scale);
  EXPECT_LT(identity_gap(pairs.vectors.transpose() * pairs.vectors).norm(), 1e-12);
}

void expect_signs_fixed(const Matrix& vectors) {
  for (Index j = 0; j < vectors.cols(); ++j) {
    EXPECT_EQ(vectors.col(j).maxCoeff(), vectors.col(j).cwiseAbs().maxCoeff());
  }
}

TEST(SymmetricEigen, SatisfiesItsEquationInAscendingOrder) {
  for (const Index n : {1, 2, 3, 17, 80}) {
    const Matrix a = random_symmetric(n, static_cast<std::uint64_t>(n));
    const EigenPairs pairs = symmetric_eigen(a);
    ASSERT_EQ(pairs.values.size(), n);
    expect_eigenpairs(a, pairs);
    expect_signs_fixed(pairs.vectors);
    for (Index i = 1; i < n; ++i) EXPECT_LE(pairs.values[i - 1], pairs.values[i]);
  }
}

TEST(SymmetricEigen, TheKLargestAndSmallestAreTheEndsOfTheFullSpectrum) {
  const Matrix a = random_symmetric(40, 3);
  const Vector all = symmetric_eigen(a).values;
  for (const Index k : {1, 2, 7, 39, 40}) {
    const EigenPairs top = largest_eigen(a, k, 1);
    const EigenPairs bottom = smallest_eigen(a, k);
    expect_eigenpairs(a, top);
    expect_eigenpairs(a, bottom);
    expect_signs_fixed(top.vectors);
    EXPECT_LT((top.values - all.reverse().head(k)).norm(), 1e-12);
    EXPECT_LT((bottom.values - all.head(k)).norm(), 1e-12);
  }
}

TEST(SymmetricEigen, FindsThoseAboveABound) {
  const Matrix a = random_symmetric(40, 3);
  const Vector all = symmetric_eigen(a).values.reverse();
  for (const bool few : {false, true}) {
    for (const Index count : {0, 1, 6, 40}) {
      const double bound = count == 0    ? all[0] + 1
                           : count == 40 ? all[39] - 1
                                         : 0.5 * (all[count - 1] + all[count]);
      const EigenPairs pairs = eigen_above(a, bound, few);
      ASSERT_EQ(pairs.values.size(), count);
      expect_eigenpairs(a, pairs);
      EXPECT_LT((pairs.values - all.head(count)).norm(), 1e-12);
    }
  }
}

TEST(SymmetricEigen, KeepsMultipleEigenvaluesOrthonormal) {
  const Matrix q = orthonormal_basis(random_matrix(30, 30, 4));
  Vector values(30);
  values << Vector::Constant(10, 5.0), Vector::Constant(15, 1.0), Vector::Zero(5);
  const Matrix a = q * values.asDiagonal() * q.transpose();
  expect_eigenpairs(a, symmetric_eigen(a));
  expect_eigenpairs(a, largest_eigen(a, 14, 1));
  expect_eigenpairs(a, smallest_eigen(a, 12));
  expect_eigenpairs(Matrix::Zero(6, 6), largest_eigen(Matrix::Zero(6, 6), 3, 1));
}

TEST(SymmetricEigen, ReadsOnlyTheLowerTriangle) {
  const Matrix a = random_symmetric(8, 5);
  Matrix lower = a;
  lower.triangularView<Eigen::StrictlyUpper>().setConstant(kNaN);
  EXPECT_EQ(symmetric_eigen(lower).values, symmetric_eigen(a).values);
  EXPECT_EQ(smallest_eigen(lower, 2).vectors, smallest_eigen(a, 2).vectors);
}

TEST(SymmetricEigen, TakesBlocksOfLargerMatrices) {
  const Matrix a = random_symmetric(20, 6);
  const Matrix copy = a.block(4, 4, 9, 9);
  EXPECT_EQ(symmetric_eigen(a.block(4, 4, 9, 9)).vectors, symmetric_eigen(copy).vectors);
}

TEST(SymmetricEigen, RefusesWrongShapesCountsAndNaN) {
  EXPECT_THROW(symmetric_eigen(Matrix::Zero(2, 3)), InvalidArgument);
  EXPECT_THROW(symmetric_eigen(Matrix(0, 0)), InvalidArgument);
  EXPECT_THROW(largest_eigen(Matrix::Zero(2, 3), 1, 1), InvalidArgument);
  EXPECT_THROW(largest_eigen(Matrix::Identity(3, 3), 0, 1), InvalidArgument);
  EXPECT_THROW(largest_eigen(Matrix::Identity(3, 3), 4, 1), InvalidArgument);
  EXPECT_THROW(smallest_eigen(Matrix::Identity(3, 3), -1), InvalidArgument);
  EXPECT_THROW(smallest_eigen(Matrix::Identity(3, 3), 4), InvalidArgument);
  Matrix bad = Matrix::Identity(3, 3);
  bad(2, 1) = kNaN;
  EXPECT_THROW(symmetric_eigen(bad), NumericalError);
  EXPECT_THROW(largest_eigen(bad, 1, 1), NumericalError);
  bad(2, 1) = std::numeric_limits<double>::infinity();
  EXPECT_THROW(smallest_eigen(bad, 1), NumericalError);
}

TEST(GeneralizedEigen, SatisfiesItsEquationWithBOrthonormalVectors) {
  const Matrix a = random_symmetric(30, 7);
  const Matrix b = random_spd(30, 8);
  for (const Index k : {1, 5, 30}) {
    const EigenPairs pairs = generalized_largest_eigen(a, b, k);
    EXPECT_LT((a * pairs.vectors - b * pairs.vectors * pairs.values.asDiagonal()).norm(), 1e-11 * a.norm());
    EXPECT_LT(identity_gap(pairs.vectors.transpose() * b * pairs.vectors).norm(), 1e-11);
    expect_signs_fixed(pairs.vectors);
    for (Index i = 1; i < k; ++i) EXPECT_GE(pairs.values[i - 1], pairs.values[i]);
  }
}

TEST(GeneralizedEigen, FindsTheLargestValues) {
  const Matrix b = random_spd(12, 9);
  const Matrix a = random_symmetric(12, 10);
  const EigenPairs all = generalized_largest_eigen(a, b, 12);
  EXPECT_LT((generalized_largest_eigen(a, b, 4).values - all.values.head(4)).norm(), 1e-12);
  EXPECT_NEAR(all.values.sum(), solve_spd(b, a).trace(), 1e-10);
}

TEST(GeneralizedEigen, RefusesAnIndefiniteRightSideWrongShapesAndNaN) {
  const Matrix a = Matrix::Identity(3, 3);
  Matrix b = Matrix::Identity(3, 3);
  b(1, 1) = -1;
  EXPECT_THROW(generalized_largest_eigen(a, b, 1), NumericalError);
  EXPECT_THROW(generalized_largest_eigen(a, Matrix::Zero(3, 3), 1), NumericalError);
  EXPECT_THROW(generalized_largest_eigen(a, Matrix::Identity(2, 2), 1), InvalidArgument);
  EXPECT_THROW(generalized_largest_eigen(a, Matrix::Identity(3, 3), 4), InvalidArgument);
  b(1, 1) = kNaN;
  EXPECT_THROW(generalized_largest_eigen(a, b, 1), NumericalError);
  EXPECT_THROW(generalized_largest_eigen(b, a, 1), NumericalError);
}

TEST(ThinSvd, RebuildsTheMatrixFromOrthonormalFactors) {
  for (const auto& [rows, columns] : {std::pair<Index, Index>{12, 5}, {5, 12}, {7, 7}, {1, 4}, {4, 1}}) {
    const Matrix a = random_matrix(rows, columns, 11);
    const Svd svd = thin_svd(a);
    EXPECT_LT((svd.u * svd.values.asDiagonal() * svd.v.transpose() - a).norm(), 1e-13 * a.norm());
    EXPECT_LT(identity_gap(svd.u.transpose() * svd.u).norm(), 1e-13);
    EXPECT_LT(identity_gap(svd.v.transpose() * svd.v).norm(), 1e-13);
    for (Index i = 1; i < svd.values.size(); ++i) EXPECT_GE(svd.values[i - 1], svd.values[i]);
    EXPECT_GE(svd.values.minCoeff(), 0.0);
  }
}

TEST(ThinSvd, RefusesEmptyMatricesAndNaN) {
  EXPECT_THROW(thin_svd(Matrix(0, 3)), InvalidArgument);
  EXPECT_THROW(thin_svd(Matrix(3, 0)), InvalidArgument);
  EXPECT_THROW(thin_svd(Matrix::Constant(2, 2, kNaN)), NumericalError);
}

TEST(CholeskyFactor, RebuildsTheMatrixAndTellsWhenItIsNotDefinite) {
  const Matrix a = random_spd(15, 16);
  Matrix factor = a;
  ASSERT_TRUE(cholesky_factor(factor));
  EXPECT_LT((factor * factor.transpose() - a).norm(), 1e-12 * a.norm());
  Matrix indefinite = a;
  indefinite(7, 7) = -1;
  EXPECT_FALSE(cholesky_factor(indefinite));
}

TEST(CholeskySolve, SolvesForManyRightSidesAndForNone) {
  const Matrix a = random_spd(25, 12);
  const Matrix b = random_matrix(25, 6, 13);
  EXPECT_LT((a * solve_spd(a, b) - b).norm(), 1e-11 * b.norm());
  EXPECT_EQ(solve_spd(a, Matrix(25, 0)).cols(), 0);
}

TEST(CholeskySolve, RefusesIndefiniteMatricesWrongShapesAndNaN) {
  EXPECT_THROW(solve_spd(-Matrix::Identity(3, 3), Matrix::Ones(3, 1)), NumericalError);
  EXPECT_THROW(solve_spd(Matrix::Identity(3, 2), Matrix::Ones(3, 1)), InvalidArgument);
  EXPECT_THROW(solve_spd(Matrix::Identity(3, 3), Matrix::Ones(2, 1)), InvalidArgument);
  EXPECT_THROW(solve_spd(Matrix::Identity(3, 3), Matrix::Constant(3, 1, kNaN)), NumericalError);
}

TEST(OrthonormalBasis, SpansTheColumns) {
  const Matrix a = random_matrix(20, 6, 14);
  const Matrix q = orthonormal_basis(a);
  EXPECT_LT(identity_gap(q.transpose() * q).norm(), 1e-13);
  EXPECT_LT((q * (q.transpose() * a) - a).norm(), 1e-13 * a.norm());
}

TEST(OrthonormalBasis, StaysOrthonormalWhenColumnsRepeat) {
  Matrix a = random_matrix(20, 4, 15);
  a.col(2) = a.col(0);
  a.col(3).setZero();
  const Matrix q = orthonormal_basis(a);
  EXPECT_LT(identity_gap(q.transpose() * q).norm(), 1e-13);
  EXPECT_LT((q * (q.transpose() * a) - a).norm(), 1e-13 * a.norm());
}

TEST(OrthonormalBasis, RefusesMoreColumnsThanRowsNoneAndNaN) {
  EXPECT_THROW(orthonormal_basis(Matrix::Ones(2, 3)), InvalidArgument);
  EXPECT_THROW(orthonormal_basis(Matrix(3, 0)), InvalidArgument);
  EXPECT_THROW(orthonormal_basis(Matrix::Constant(3, 2, kNaN)), NumericalError);
}

}  // namespace
}  // namespace isthmus::linalg
