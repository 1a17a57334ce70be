#include "linalg/lanczos.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "linalg/eigen.h"
#include "random_data.h"

namespace isthmus::linalg {
namespace {

using isthmus::testing::random_matrix;

/// A symmetric matrix with these eigenvalues and random eigenvectors.
Matrix with_eigenvalues(const Vector& values, std::uint64_t seed) {
  const Matrix q = orthonormal_basis(random_matrix(values.size(), values.size(), seed));
  const Matrix a = q * values.asDiagonal() * q.transpose();
  return 0.5 * (a + a.transpose());
}

/// Falls by half every ten values.
Vector falling(Index n) {
  return Vector::NullaryExpr(n, [](Index i) { return 5.0 * std::exp2(-0.1 * static_cast<double>(i)); });
}

void expect_largest(const Matrix& a, const EigenPairs& pairs, Index k) {
  const EigenPairs all = symmetric_eigen(a);
  const double scale = all.values.cwiseAbs().maxCoeff();
  ASSERT_EQ(pairs.values.size(), k);
  EXPECT_LT((pairs.values - all.values.tail(k).reverse()).cwiseAbs().maxCoeff(), 1e-12 * scale);
  EXPECT_LT((pairs.vectors.transpose() * pairs.vectors - Matrix::Identity(k, k)).norm(), 1e-12);
  EXPECT_LT((a * pairs.vectors - pairs.vectors * pairs.values.asDiagonal()).norm(), 1e-11 * scale);
}

TEST(Lanczos, FindsTheLargestPairsOfAFallingSpectrum) {
  for (const Index k : {1, 7, 20}) {
    const Matrix a = with_eigenvalues(falling(400), 1);
    const auto pairs = lanczos_largest(a, k, 1);
    ASSERT_TRUE(pairs) << k;
    expect_largest(a, *pairs, k);
  }
}

TEST(Lanczos, FindsTheLargestOfBothSignsAtAnyScale) {
  for (const double scale : {1.0, 1e-100, 1e100}) {
    Vector values = scale * falling(600);
    values.tail(40) = -2.0 * values.head(40);
    const Matrix a = with_eigenvalues(values, 2);
    const auto pairs = lanczos_largest(a, 6, 1);
    ASSERT_TRUE(pairs) << scale;
    expect_largest(a, *pairs, 6);
  }
}

TEST(Lanczos, FindsPairsThatShareAValueOrLieCloseTogether) {
  Vector values = falling(400);
  values.segment(2, 6).setConstant(values[2]);
  values[12] = values[11] * (1 - 1e-9);
  const Matrix a = with_eigenvalues(values, 3);
  const auto pairs = lanczos_largest(a, 16, 1);
  ASSERT_TRUE(pairs);
  expect_largest(a, *pairs, 16);
  const Matrix identity = Matrix::Identity(300, 300);
  const auto any = lanczos_largest(identity, 5, 1);
  ASSERT_TRUE(any);
  expect_largest(identity, *any, 5);
}

TEST(Lanczos, FillsUpWhereThereIsNothingMoreToFind) {
  Vector values = Vector::Zero(400);
  values.head(5) << 9, 4, 4, 1, 1e-6;
  const Matrix a = with_eigenvalues(values, 9);
  for (const Index k : {4, 20, 60}) {
    const auto pairs = lanczos_largest(a, k, 1);
    ASSERT_TRUE(pairs) << k;
    expect_largest(a, *pairs, k);
  }
}

TEST(Lanczos, GivesUpWhereItWouldNotPayOrCannotBeTrusted) {
  EXPECT_FALSE(lanczos_largest(Matrix::Zero(300, 300), 5, 1));
  EXPECT_FALSE(lanczos_largest(with_eigenvalues(Vector::LinSpaced(300, 2.0, 1.0), 4), 20, 1)) << "no decay";
  EXPECT_FALSE(lanczos_largest(Matrix::Identity(30, 30), 5, 1)) << "too small";
  Vector shared = falling(400);
  shared.head(24).setConstant(6.0);
  EXPECT_FALSE(lanczos_largest(with_eigenvalues(shared, 5), 20, 1)) << "more share a value than a block has";
  Matrix bad = with_eigenvalues(falling(300), 6);
  bad(3, 4) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(lanczos_largest(bad, 5, 1));
}

TEST(Lanczos, GivesTheSameBytesOnAnyNumberOfThreads) {
  const Matrix a = with_eigenvalues(falling(600), 7);
  const auto one = lanczos_largest(a, 10, 1);
  const auto three = lanczos_largest(a, 10, 3);
  ASSERT_TRUE(one && three);
  EXPECT_EQ(one->values, three->values);
  EXPECT_EQ(one->vectors, three->vectors);
}

TEST(Lanczos, IsWhatALargeEigenproblemUses) {
  // Of the order from which largest_eigen() prefers it, with a known answer.
  constexpr Index kOrder = 1600;
  Matrix a = Matrix::Zero(kOrder, kOrder);
  a.diagonal() = falling(kOrder);
  const Vector direction = random_matrix(kOrder, 1, 8).col(0).normalized();
  const Matrix mirror = Matrix::Identity(kOrder, kOrder) - 2.0 * direction * direction.transpose();
  const Matrix turned = mirror * a * mirror;
  const EigenPairs pairs = largest_eigen(turned, 30, 2);
  EXPECT_LT((pairs.values - falling(kOrder).head(30)).cwiseAbs().maxCoeff(), 1e-12);
  for (Index i = 0; i < 30; ++i) EXPECT_NEAR(std::abs(pairs.vectors.col(i).dot(mirror.col(i))), 1.0, 1e-12);
  const auto by_lanczos = lanczos_largest(turned, 30, 1);
  ASSERT_TRUE(by_lanczos);
  EXPECT_EQ(pairs.values, by_lanczos->values);
}

}  // namespace
}  // namespace isthmus::linalg
