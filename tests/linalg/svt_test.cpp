#include "linalg/svt.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "isthmus/errors.h"
#include "linalg/basis.h"
#include "linalg/eigen.h"
#include "linalg/svt_subspace.h"
#include "random_data.h"

namespace isthmus::linalg {
namespace {

using isthmus::testing::random_matrix;

/// A matrix with the given singular values and random singular vectors.
Matrix with_singular_values(Index rows, Index columns, const Vector& values, std::uint64_t seed) {
  const Matrix u = orthonormal_basis(random_matrix(rows, values.size(), seed));
  const Matrix v = orthonormal_basis(random_matrix(columns, values.size(), seed + 1));
  return u * values.asDiagonal() * v.transpose();
}

/// `rank` values from 3 down to 1.5, then a tail from 0.7 that fades away.
Vector spectrum(Index size, Index rank) {
  Vector values(size);
  for (Index i = 0; i < size; ++i) {
    values[i] = i < rank ? 3.0 - 1.5 * static_cast<double>(i) / static_cast<double>(rank)
                         : 0.7 * std::exp(-0.05 * static_cast<double>(i - rank));
  }
  return values;
}

Matrix lapack_threshold(const Matrix& x, double threshold) {
  const Svd svd = thin_svd(x);
  return svd.u * (svd.values.array() - threshold).max(0.0).matrix().asDiagonal() * svd.v.transpose();
}

Index lapack_rank(const Matrix& x, double threshold) {
  return (thin_svd(x).values.array() > threshold).count();
}

void expect_prox(const Matrix& x, const LowRank& z, double threshold) {
  EXPECT_LT((z.matrix(1) - lapack_threshold(x, threshold)).norm(), 1e-10 * (1 + x.norm()));
  EXPECT_EQ(z.rank(), lapack_rank(x, threshold));
  const Index r = z.rank();
  EXPECT_LT((z.u.transpose() * z.u - Matrix::Identity(r, r)).norm(), 1e-12);
  EXPECT_LT((z.v.transpose() * z.v - Matrix::Identity(r, r)).norm(), 1e-12);
  EXPECT_TRUE(r == 0 || z.values.minCoeff() > 0);
  for (Index i = 1; i < r; ++i) EXPECT_GE(z.values[i - 1], z.values[i]);
  EXPECT_LE(thin_svd(x - z.matrix(1)).values[0], threshold * (1 + 1e-9));
  EXPECT_TRUE(certify_threshold(x, z, threshold, 1));
}

class SingularValueThreshold : public ::testing::TestWithParam<SvtPath> {
 protected:
  SingularValueThresholder svt{7, GetParam()};
};

TEST_P(SingularValueThreshold, AgreesWithLapackInEveryShape) {
  for (const auto& [rows, columns] :
       {std::pair<Index, Index>{150, 120}, {120, 150}, {130, 130}, {300, 20}, {7, 5}, {1, 40}, {40, 1}}) {
    const Index size = std::min(rows, columns);
    const Matrix x = with_singular_values(rows, columns, spectrum(size, std::max<Index>(1, size / 12)), 3);
    expect_prox(x, svt(x, 1.0, 1), 1.0);
  }
}

TEST_P(SingularValueThreshold, AgreesWithLapackOnPureNoiseAtAnyThreshold) {
  const Matrix x = random_matrix(90, 80, 5);
  const double largest = thin_svd(x).values[0];
  for (const double share : {0.99, 0.9, 0.7, 0.3, 0.05})
    expect_prox(x, svt(x, share * largest, 1), share * largest);
}

TEST_P(SingularValueThreshold, FollowsASlowlyChangingSequence) {
  Matrix x = with_singular_values(140, 110, spectrum(110, 6), 11);
  for (int step = 0; step < 30; ++step) {
    x += 0.003 * random_matrix(140, 110, 100 + static_cast<std::uint64_t>(step));
    expect_prox(x, svt(x, 1.0, 1), 1.0);
    if (GetParam() != SvtPath::Auto) {
      EXPECT_EQ(svt.last_path(), GetParam());
    }
  }
}

TEST_P(SingularValueThreshold, FollowsARankThatJumpsUpAndDown) {
  for (const Index rank : {3, 40, 2, 90, 110, 0, 0, 25, 1}) {
    const Matrix x =
        with_singular_values(130, 110, spectrum(110, rank), 20 + static_cast<std::uint64_t>(rank));
    expect_prox(x, svt(x, 1.0, 1), 1.0);
  }
}

TEST_P(SingularValueThreshold, GivesRankZeroBelowTheThresholdAndForTheZeroMatrix) {
  const Matrix x = random_matrix(60, 50, 8);
  const LowRank nothing = svt(x, 1.01 * thin_svd(x).values[0], 1);
  EXPECT_EQ(nothing.rank(), 0);
  EXPECT_EQ(nothing.matrix(1), Matrix::Zero(60, 50));
  EXPECT_EQ(svt(Matrix::Zero(60, 50), 0.1, 1).rank(), 0);
}

TEST_P(SingularValueThreshold, HandlesRepeatedSingularValues) {
  const Matrix x = with_singular_values(100, 90, Vector::Constant(12, 2.0), 9);
  expect_prox(x, svt(x, 0.5, 1), 0.5);
}

TEST_P(SingularValueThreshold, FindsAllTripletsOfAValueThatManyShare) {
  // More than the iteration starts with, above a tail that keeps it busy.
  Vector values = 1.2 * spectrum(180, 40);
  values.head(40).setConstant(2.0);
  const Matrix x = with_singular_values(200, 180, values, 33);
  expect_prox(x, svt(x, 1.0, 1), 1.0);
}

TEST_P(SingularValueThreshold, HandlesMatricesThatLackRank) {
  const Matrix x = with_singular_values(300, 280, Vector::LinSpaced(120, 3.0, 1.5), 34);
  expect_prox(x, svt(x, 1.0, 1), 1.0);
  expect_prox(x, svt(x, 2.0, 1), 2.0);
  Matrix diagonal = Matrix::Zero(100, 100);
  diagonal.diagonal().head(3) << 3.0, 2.0, 1.5;
  expect_prox(diagonal, svt(diagonal, 1.0, 1), 1.0);
}

TEST_P(SingularValueThreshold, KeepsItsDigitsWhenSingularValuesSpreadWidely) {
  Vector values(20);
  for (Index i = 0; i < 20; ++i) values[i] = std::pow(10.0, 4 - 0.5 * static_cast<double>(i));
  const Matrix x = with_singular_values(80, 70, values, 10);
  for (const double threshold : {20.0, 0.02}) {
    const LowRank z = svt(x, threshold, 1);
    EXPECT_EQ(z.rank(), (values.array() > threshold).count());
    EXPECT_LT((z.matrix(1) - lapack_threshold(x, threshold)).norm(), 1e-10 * x.norm());
  }
}

TEST_P(SingularValueThreshold, ScalesWithItsInput) {
  const Matrix x = with_singular_values(80, 70, spectrum(70, 5), 12);
  for (const double scale : {1e-100, 1e100}) {
    const LowRank z = SingularValueThresholder(7, GetParam())(scale * x, scale, 1);
    EXPECT_LT((z.matrix(1) / scale - lapack_threshold(x, 1.0)).norm(), 1e-10 * x.norm());
  }
}

TEST_P(SingularValueThreshold, TakesMatricesOfChangingSize) {
  for (const Index columns : {70, 90, 50}) {
    const Matrix x = with_singular_values(80, columns, spectrum(50, 4), 13);
    expect_prox(x, svt(x, 1.0, 1), 1.0);
  }
}

TEST_P(SingularValueThreshold, GivesTheSameBytesForTheSameSeedOnAnyNumberOfThreads) {
  std::vector<Matrix> first;
  for (const int threads : {1, 2, 3}) {
    SingularValueThresholder again(5, GetParam());
    for (std::size_t step = 0; step < 3; ++step) {
      const Matrix x =
          with_singular_values(150, 1100, spectrum(60, 5), 14) + 0.001 * random_matrix(150, 1100, step);
      const Matrix z = again(x, 1.0, threads).matrix(1);
      if (threads == 1) first.push_back(z);
      EXPECT_EQ(z, first[step]);
    }
  }
}

TEST_P(SingularValueThreshold, CertifiesItsResult) {
  const Matrix x = with_singular_values(90, 100, spectrum(80, 10), 15);
  expect_prox(x, svt.certified(x, 1.0, 1), 1.0);
}

TEST_P(SingularValueThreshold, ComputesAgainWhatALooseToleranceSpoiled) {
  SingularValueThresholder loose(3, GetParam(), 0.5);
  const Matrix x = with_singular_values(200, 180, spectrum(180, 8), 16);
  const bool iterates = GetParam() == SvtPath::Auto || GetParam() == SvtPath::Subspace;
  EXPECT_EQ(certify_threshold(x, loose(x, 1.0, 1), 1.0, 1), !iterates);
  const Matrix other = with_singular_values(200, 180, spectrum(180, 8), 26);
  expect_prox(other, loose.certified(other, 1.0, 1), 1.0);
}

TEST_P(SingularValueThreshold, RefusesThresholdsEmptyMatricesAndNaN) {
  const Matrix x = random_matrix(40, 40, 1);
  EXPECT_THROW(svt(x, 0.0, 1), InvalidArgument);
  EXPECT_THROW(svt(x, -1.0, 1), InvalidArgument);
  EXPECT_THROW(svt(x, std::numeric_limits<double>::quiet_NaN(), 1), InvalidArgument);
  EXPECT_THROW(svt(Matrix(0, 5), 1.0, 1), InvalidArgument);
  Matrix bad = x;
  bad(3, 4) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(svt(bad, 1.0, 1), NumericalError);
}

INSTANTIATE_TEST_SUITE_P(EveryPath, SingularValueThreshold,
                         ::testing::Values(SvtPath::Auto, SvtPath::Svd, SvtPath::Gram, SvtPath::Subspace),
                         [](const auto& path) {
                           switch (path.param) {
                             case SvtPath::Svd:
                               return "Svd";
                             case SvtPath::Gram:
                               return "Gram";
                             case SvtPath::Subspace:
                               return "Subspace";
                             default:
                               return "Auto";
                           }
                         });

LowRank without(const LowRank& z, Index dropped) {
  LowRank rest{Matrix(z.u.rows(), z.rank() - 1), Vector(z.rank() - 1), Matrix(z.v.rows(), z.rank() - 1)};
  for (Index i = 0, to = 0; i < z.rank(); ++i) {
    if (i == dropped) continue;
    rest.u.col(to) = z.u.col(i);
    rest.values[to] = z.values[i];
    rest.v.col(to++) = z.v.col(i);
  }
  return rest;
}

TEST(ThresholdCertificate, CatchesEveryDroppedTriplet) {
  const Matrix x = with_singular_values(90, 70, spectrum(70, 6), 17);
  const LowRank z = SingularValueThresholder(1, SvtPath::Svd)(x, 1.0, 1);
  ASSERT_TRUE(certify_threshold(x, z, 1.0, 1));
  for (Index i = 0; i < z.rank(); ++i)
    EXPECT_FALSE(certify_threshold(x, without(z, i), 1.0, 1)) << "triplet " << i;
}

TEST(ThresholdCertificate, CatchesATripletBarelyAboveTheThreshold) {
  // Too close to the tail for a short Lanczos run: the Cholesky test must see it.
  Vector values = spectrum(70, 6);
  values[6] = 1.0 + 1e-6;
  values.segment(7, 20).setConstant(0.999);
  const Matrix x = with_singular_values(90, 70, values, 18);
  const LowRank z = SingularValueThresholder(1, SvtPath::Svd)(x, 1.0, 1);
  ASSERT_EQ(z.rank(), 7);
  EXPECT_TRUE(certify_threshold(x, z, 1.0, 1));
  EXPECT_FALSE(certify_threshold(x, without(z, 6), 1.0, 1));
  EXPECT_FALSE(
      certify_threshold(x.transpose(), {without(z, 6).v, without(z, 6).values, without(z, 6).u}, 1.0, 1));
}

TEST(ThresholdCertificate, CatchesWrongValuesVectorsAndThresholds) {
  const Matrix x = with_singular_values(60, 50, spectrum(50, 4), 19);
  const LowRank z = SingularValueThresholder(1, SvtPath::Svd)(x, 1.0, 1);
  LowRank wrong = z;
  wrong.values[2] += 1e-6;
  EXPECT_FALSE(certify_threshold(x, wrong, 1.0, 1));
  wrong = z;
  wrong.u.col(1) = -wrong.u.col(1);
  EXPECT_FALSE(certify_threshold(x, wrong, 1.0, 1));
  wrong = z;
  wrong.v.col(0) *= 1.001;
  EXPECT_FALSE(certify_threshold(x, wrong, 1.0, 1));
  EXPECT_FALSE(certify_threshold(x, z, 1.1, 1));
  EXPECT_FALSE(certify_threshold(x, z, 0.9, 1));
}

TEST(SubspaceIteration, FindsTheLargestTripletFromAStartThatIsBlindToIt) {
  const Vector values = spectrum(60, 5);
  const Matrix u = orthonormal_basis(random_matrix(80, 60, 20));
  const Matrix v = orthonormal_basis(random_matrix(60, 60, 21));
  const Matrix x = u * values.asDiagonal() * v.transpose();
  SubspaceRandomness random(1);
  // A sequence from singular vectors 2 … 30 stays there up to rounding: it sees 4 triplets of 5.
  const SubspaceResult found = krylov_triplets(x, 1.0, v.middleCols(1, 29), {60, 1e-11}, random, 1);
  ASSERT_TRUE(found.converged);
  EXPECT_NEAR(found.triplets.values[0], values[0], 1e-9);
}

TEST(RemainderNorm, IsALowerBoundThatMeetsTheNormWithEnoughSteps) {
  const Matrix x = random_matrix(30, 25, 22);
  const Vector values = thin_svd(x).values;
  const LowRank none{Matrix(30, 0), Vector(0), Matrix(25, 0)};
  std::mt19937_64 engine(2);
  for (const int steps : {1, 3, 8})
    EXPECT_LE(remainder_norm(x, none, steps, engine), values[0] * (1 + 1e-12));
  EXPECT_NEAR(remainder_norm(x, none, 25, engine), values[0], 1e-9);
  EXPECT_EQ(remainder_norm(Matrix::Zero(5, 4), {Matrix(5, 0), Vector(0), Matrix(4, 0)}, 3, engine), 0.0);
}

TEST(SubspaceIteration, NeedsFarFewerProductsThanPowerStepsWhereSingularValuesFallSlowly) {
  constexpr Index kRank = 10;
  Vector values(400);
  for (Index i = 0; i < values.size(); ++i) {
    values[i] =
        i < kRank ? 2.0 - 0.1 * static_cast<double>(i) : 0.9 * std::exp(-0.01 * static_cast<double>(i));
  }
  const Matrix x = with_singular_values(440, 400, values, 31);
  const Index width = subspace_width(kRank);
  SubspaceRandomness random(40);
  // A power step gains (σ₂₇/σ₁₀)² ≈ 0.39 of what it keeps: about 25 of them for a tolerance of 1e-11. The
  // space may grow to as many columns as nine of them multiply.
  const SubspaceResult found =
      krylov_triplets(x, 1.0, normal_matrix(400, width, random.starts), {9 * width, 1e-11}, random, 1);
  ASSERT_TRUE(found.converged);
  EXPECT_LT((found.triplets.values.head(kRank) - values.head(kRank)).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(SubspaceIteration, GivesUpWhereMoreColumnsAreNeededThanAllowed) {
  const Matrix x = random_matrix(200, 180, 32);
  SubspaceRandomness random(41);
  const double threshold = 0.8 * thin_svd(x).values[0];
  EXPECT_FALSE(
      krylov_triplets(x, threshold, normal_matrix(180, 20, random.starts), {60, 1e-11}, random, 1).converged);
}

/// A matrix like those of the reconstruction: some strong directions, and noise whose edge the threshold
/// cuts.
Matrix noisy(std::uint64_t seed) {
  return with_singular_values(300, 260, Vector::LinSpaced(10, 3.0, 1.0), seed) +
         0.004 * random_matrix(300, 260, seed);
}

TEST(CoarseThreshold, KeepsItsToleranceThroughSinglePrecision) {
  constexpr double kTolerance = 1e-6;
  for (const double scale : {1.0, 1e-100, 1e100}) {
    for (std::uint64_t seed = 50; seed < 54; ++seed) {
      SingularValueThresholder svt(seed, SvtPath::Subspace, kTolerance);
      const Matrix x = noisy(seed);
      const double goal = kTolerance * thin_svd(x).values[0];
      for (const double threshold : {0.5, 0.122, 0.115, 0.105, 0.09}) {
        const LowRank z = svt(scale * x, scale * threshold, 1);
        EXPECT_EQ(z.rank(), lapack_rank(x, threshold));
        EXPECT_LE((z.matrix(1) / scale - lapack_threshold(x, threshold)).norm(), goal);
        EXPECT_LT((z.u.transpose() * z.u - Matrix::Identity(z.rank(), z.rank())).norm(), 1e-12);
        EXPECT_LT((z.v.transpose() * z.v - Matrix::Identity(z.rank(), z.rank())).norm(), 1e-12);
      }
    }
  }
}

TEST(CoarseThreshold, FindsAllTripletsOfAValueThatManyShare) {
  Vector values(400);
  for (Index i = 0; i < 400; ++i)
    values[i] = i < 80 ? 2.0 : 0.84 * std::exp(-0.05 * static_cast<double>(i - 80));
  const Matrix x = with_singular_values(450, 400, values, 35);
  SingularValueThresholder svt(9, SvtPath::Subspace, 1e-6);
  const LowRank z = svt(x, 1.5, 1);
  EXPECT_EQ(z.rank(), 80);
  EXPECT_LE((z.matrix(1) - lapack_threshold(x, 1.5)).norm(), 2e-6);
}

TEST(CoarseThreshold, GivesTheSameBytesOnAnyNumberOfThreads) {
  const auto solve = [](int threads) {
    SingularValueThresholder svt(9, SvtPath::Subspace, 1e-6);
    svt(noisy(51), 0.5, threads);
    return svt(noisy(51), 0.1, threads).matrix(1);
  };
  const Matrix one = solve(1);
  EXPECT_EQ(one, solve(2));
  EXPECT_EQ(one, solve(3));
}

TEST(ThresholdPaths, AutoTakesTheSubspaceForALowRankAndTheGramMatrixForAHighOne) {
  SingularValueThresholder svt(1);
  const Matrix low = with_singular_values(400, 300, spectrum(300, 3), 23);
  svt(low, 1.0, 1);
  EXPECT_EQ(svt.last_path(), SvtPath::Subspace);
  const Matrix high = with_singular_values(400, 300, spectrum(300, 150), 24);
  svt(high, 1.0, 1);
  EXPECT_EQ(svt.last_path(), SvtPath::Gram);
  svt(random_matrix(10, 300, 1), 1.0, 1);
  EXPECT_EQ(svt.last_path(), SvtPath::Svd);
}

}  // namespace
}  // namespace isthmus::linalg
