#include "linalg/subspace.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <numbers>

#include "isthmus/errors.h"
#include "random_data.h"

namespace isthmus::linalg {
namespace {

using testing::random_matrix;

Matrix orthonormal(Index rows, Index columns, std::uint64_t seed) {
  const Matrix values = random_matrix(rows, columns, seed);
  return Eigen::HouseholderQR<Matrix>(values).householderQ() * Matrix::Identity(rows, columns);
}

Matrix scatter_of(const Matrix& samples) {
  const Matrix centred = samples.colwise() - samples.rowwise().mean();
  return centred * centred.transpose();
}

class PrincipalSubspaceShapes : public ::testing::TestWithParam<std::pair<Index, Index>> {};

TEST_P(PrincipalSubspaceShapes, SpansTheLeadingEigenvectorsOfTheScatterMatrix) {
  const auto [d, n] = GetParam();
  const Matrix samples = random_matrix(d, n, 1).colwise() + Vector::LinSpaced(d, -3.0, 5.0);
  const PrincipalSubspace found = principal_subspace({samples}, 4, 1);
  const Eigen::SelfAdjointEigenSolver<Matrix> reference(scatter_of(samples));
  EXPECT_LT((found.mean - samples.rowwise().mean()).norm(), 1e-12);
  EXPECT_LT((found.basis.transpose() * found.basis - Matrix::Identity(4, 4)).norm(), 1e-13);
  EXPECT_LT((found.scatter - reference.eigenvalues().tail(4).reverse()).norm(), 1e-9 * found.scatter[0]);
  for (Index j = 0; j < 4; ++j) {
    EXPECT_NEAR(std::abs(found.basis.col(j).dot(reference.eigenvectors().col(d - 1 - j))), 1.0, 1e-9);
  }
}

INSTANTIATE_TEST_SUITE_P(MoreAndFewerSamplesThanFeatures, PrincipalSubspaceShapes,
                         ::testing::Values(std::pair<Index, Index>{8, 40}, std::pair<Index, Index>{30, 12}));

TEST(PrincipalSubspace, PartsCountAsOneSetOfSamples) {
  const Matrix samples = random_matrix(5, 30, 2);
  const PrincipalSubspace whole = principal_subspace({samples}, 3, 1);
  const PrincipalSubspace parts = principal_subspace({samples.leftCols(7), samples.rightCols(23)}, 3, 1);
  EXPECT_LT((whole.basis - parts.basis).norm(), 1e-10);
  EXPECT_LT((whole.mean - parts.mean).norm(), 1e-13);
}

TEST(PrincipalSubspace, HasNoMoreDirectionsThanTheSamplesSpan) {
  // Rank 2 about a mean that is large beside the spread.
  for (const Index n : {6, 60}) {
    const Matrix flat =
        (random_matrix(20, 2, 3) * random_matrix(2, n, 4)).colwise() + Vector::Constant(20, 100.0);
    EXPECT_EQ(principal_subspace({flat}, 10, 1).basis.cols(), 2) << n << " samples";
  }
  EXPECT_EQ(principal_subspace({random_matrix(20, 6, 5)}, 10, 1).basis.cols(), 5);
  EXPECT_EQ(principal_subspace({random_matrix(20, 1, 6)}, 10, 1).basis.cols(), 0);
  EXPECT_EQ(principal_subspace({Matrix(Matrix::Constant(4, 9, 0.3))}, 2, 1).basis.cols(), 0);
}

TEST(PrincipalAngles, RebuildTheSecondSubspace) {
  const Matrix a = orthonormal(12, 4, 7);
  const Matrix b = orthonormal(12, 4, 8);
  const PrincipalAngles found = principal_angles(a, b);
  EXPECT_LT((found.first.transpose() * found.complement).norm(), 1e-13);
  EXPECT_LT((found.complement.transpose() * found.complement - Matrix::Identity(4, 4)).norm(), 1e-12);
  const Matrix rebuilt = found.first * found.angles.array().cos().matrix().asDiagonal() +
                         found.complement * found.angles.array().sin().matrix().asDiagonal();
  EXPECT_LT((rebuilt.transpose() * rebuilt - Matrix::Identity(4, 4)).norm(), 1e-12);
  EXPECT_LT((rebuilt - b * (b.transpose() * rebuilt)).norm(), 1e-12);
}

TEST(PrincipalAngles, AreAccurateAtBothEnds) {
  for (const double angle : {0.0, 1e-12, 1e-6, 0.5, std::numbers::pi / 2 - 1e-9, std::numbers::pi / 2}) {
    const Matrix a = Matrix::Identity(3, 1);
    Matrix b = Matrix::Zero(3, 1);
    b(0, 0) = std::cos(angle);
    b(2, 0) = std::sin(angle);
    EXPECT_NEAR(principal_angles(a, b).angles[0], angle, 1e-15 + 1e-15 * angle);
  }
}

TEST(PrincipalAngles, RefuseBasesOfDifferentSize) {
  EXPECT_THROW(principal_angles(orthonormal(5, 2, 9), orthonormal(5, 3, 10)), InvalidArgument);
}

TEST(SubspaceDisagreement, IsZeroForEqualAndOneForOrthogonalSubspaces) {
  const Matrix basis = orthonormal(9, 6, 11);
  for (const double value :
       subspace_disagreement(basis.leftCols(3), basis.leftCols(3), basis.leftCols(3), 2.0)) {
    EXPECT_NEAR(value, 0.0, 1e-7);
  }
  const auto apart = subspace_disagreement(basis.leftCols(3), basis.leftCols(3), basis.rightCols(3), 0.999);
  ASSERT_EQ(apart.size(), 1U) << "stops at the first full disagreement";
  EXPECT_NEAR(apart[0], 1.0, 1e-12);
}

TEST(SubspaceDisagreement, AveragesTheLargestSines) {
  const Matrix source = orthonormal(10, 3, 12);
  const Matrix target = orthonormal(10, 3, 13);
  const Matrix joint = orthonormal(10, 3, 14);
  const auto measure = subspace_disagreement(source, target, joint, 2.0);
  ASSERT_EQ(measure.size(), 3U);
  for (Index p = 1; p <= 3; ++p) {
    const double alpha = principal_angles(source.leftCols(p), joint.leftCols(p)).angles.maxCoeff();
    const double beta = principal_angles(target.leftCols(p), joint.leftCols(p)).angles.maxCoeff();
    EXPECT_NEAR(measure[static_cast<std::size_t>(p - 1)], 0.5 * (std::sin(alpha) + std::sin(beta)), 1e-12);
  }
}

}  // namespace
}  // namespace isthmus::linalg
