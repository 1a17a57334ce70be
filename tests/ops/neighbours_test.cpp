#include "ops/neighbours.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>

#include "counted_looks.h"
#include "isthmus/errors.h"
#include "random_data.h"

namespace isthmus::ops {
namespace {

using isthmus::testing::random_matrix;

/// Every distance by a loop over the features, all of them sorted.
Neighbours naive(const Matrix& references, const Matrix& queries, Index k, bool exclude_self) {
  Neighbours result;
  result.index.resize(k, queries.cols());
  result.squared_distance.resize(k, queries.cols());
  for (Index q = 0; q < queries.cols(); ++q) {
    std::vector<std::pair<double, Index>> all;
    for (Index r = 0; r < references.cols(); ++r) {
      if (exclude_self && r == q) continue;
      double sum = 0;
      for (Index i = 0; i < references.rows(); ++i) {
        const double gap = references(i, r) - queries(i, q);
        sum += gap * gap;
      }
      all.emplace_back(sum, r);
    }
    std::sort(all.begin(), all.end());
    for (Index i = 0; i < k; ++i) {
      result.squared_distance(i, q) = all[static_cast<std::size_t>(i)].first;
      result.index(i, q) = all[static_cast<std::size_t>(i)].second;
    }
  }
  return result;
}

void expect_equal(const Neighbours& found, const Neighbours& expected) {
  ASSERT_EQ(found.index, expected.index);
  for (Index i = 0; i < expected.squared_distance.size(); ++i) {
    ASSERT_DOUBLE_EQ(found.squared_distance(i), expected.squared_distance(i));
  }
}

/// Small integers: every sum is exact, and equal distances abound.
Matrix integer_grid(Index d, Index n, int largest, std::mt19937_64& engine) {
  std::uniform_int_distribution<int> value(0, largest);
  return Matrix::NullaryExpr(d, n, [&] { return static_cast<double>(value(engine)); });
}

TEST(Neighbours, AgreeWithTheNaiveLoopOnThousandsOfSmallGridsFullOfTies) {
  std::mt19937_64 engine(1);
  const auto draw = [&](int low, int high) {
    return std::uniform_int_distribution<Index>(low, high)(engine);
  };
  for (int trial = 0; trial < 3000; ++trial) {
    const Index d = draw(1, 4);
    const bool self = draw(0, 1) == 1;
    const Matrix references = integer_grid(d, draw(2, 90), static_cast<int>(draw(1, 3)), engine);
    const Matrix queries = self ? references : integer_grid(d, draw(1, 20), 3, engine);
    const Index k = draw(1, static_cast<int>(std::min<Index>(9, references.cols() - (self ? 1 : 0))));
    const Neighbours expected = naive(references, queries, k, self);
    const Index block = std::array<Index, 5>{0, 1, 3, 7, 64}[static_cast<std::size_t>(trial % 5)];
    expect_equal(nearest_k(references, queries, k, self, 1 + trial % 3, block), expected);
    ASSERT_FALSE(HasFatalFailure()) << "trial " << trial;
  }
}

TEST(Neighbours, AgreeWithTheNaiveLoopOnRandomDataWithDuplicatesOffsetsAndScales) {
  std::mt19937_64 engine(2);
  const auto draw = [&](int low, int high) {
    return std::uniform_int_distribution<Index>(low, high)(engine);
  };
  for (int trial = 0; trial < 1000; ++trial) {
    const Index d = draw(1, 30);
    const double scale = std::pow(10.0, static_cast<double>(draw(-150, 140)));
    const double offset = trial % 4 == 0 ? 1e4 : 0.0;
    Matrix references = random_matrix(d, draw(4, 80), engine());
    for (Index copy = draw(0, 3); copy > 0; --copy) {
      references.col(draw(0, static_cast<int>(references.cols() - 1))) = references.col(0);
    }
    references = scale * (references.array() + offset).matrix();
    const Index k = draw(1, 4);
    // Queries on top of references too: distance 0, and duplicates tie there.
    Matrix queries = scale * (random_matrix(d, 6, engine()).array() + offset).matrix();
    queries.col(0) = references.col(0);
    const Neighbours expected = naive(references, queries, k, false);
    const Index block = std::array<Index, 5>{0, 1, 3, 7, 64}[static_cast<std::size_t>(trial % 5)];
    expect_equal(nearest_k(references, queries, k, false, 1, block), expected);
    ASSERT_FALSE(HasFatalFailure()) << "trial " << trial;
  }
}

TEST(Neighbours, DoNotDependOnBlocksOrThreads) {
  const Matrix references = random_matrix(10, 1500, 3);
  const Matrix queries = random_matrix(10, 700, 4);
  const Neighbours base = nearest_k(references, queries, 5, false, 1);
  for (const Index block : {1, 3, 7, 64}) {
    for (const int threads : {1, 2, 3}) {
      if (block == 1 && threads > 1) continue;  // slow, and covered by the small cases
      const Neighbours other = nearest_k(references, queries, 5, false, threads, block);
      EXPECT_EQ(other.index, base.index);
      EXPECT_EQ(other.squared_distance, base.squared_distance);
    }
  }
}

TEST(Neighbours, DoNotDependOnWhereTheSearchStarts) {
  Matrix samples = random_matrix(8, 900, 11);
  samples.col(700) = samples.col(3);  // copies tie
  const Neighbours base = nearest_k(samples, samples, 5, true, 1);
  const Matrix moved = samples + 0.3 * random_matrix(8, 900, 12);
  NeighbourIndex far(5, 900);
  for (Index i = 0; i < 900; ++i) {
    for (Index r = 0; r < 5; ++r) far(r, i) = (i + 1 + 100 * r) % 900;
  }
  for (const NeighbourIndex& near : {base.index, nearest_k(moved, moved, 5, true, 1).index, far}) {
    for (const Index block : {0, 7}) {
      const Neighbours other = nearest_k(samples, samples, 5, true, 2, block, &near);
      EXPECT_EQ(other.index, base.index);
      EXPECT_EQ(other.squared_distance, base.squared_distance);
    }
  }
}

TEST(Neighbours, TheNearestIsTheFirstOfTheKNearest) {
  const Matrix references = random_matrix(6, 400, 5);
  const Matrix queries = random_matrix(6, 300, 6);
  const Nearest one = nearest(references, queries, 1);
  const Neighbours many = nearest_k(references, queries, 3, false, 1);
  for (Index q = 0; q < queries.cols(); ++q) {
    EXPECT_EQ(one.index[static_cast<std::size_t>(q)], many.index(0, q));
    EXPECT_EQ(one.squared_distance[q], many.squared_distance(0, q));
  }
}

TEST(Neighbours, TellApartReferencesThatDifferInTheLastBit) {
  // Far from the centre of the others, where the product cannot see the difference.
  Matrix references = random_matrix(3, 50, 7);
  const Vector far = Vector::Constant(3, 1e6);
  references.col(20) = far;
  references.col(30) = far;
  references(1, 30) = std::nextafter(1e6, 2e6);
  Matrix queries(3, 2);
  queries.col(0) = references.col(30);
  queries.col(1) = references.col(20);
  const Nearest found = nearest(references, queries, 1);
  EXPECT_EQ(found.index, (std::vector<Index>{30, 20}));
  EXPECT_EQ(found.squared_distance, Vector::Zero(2));
}

TEST(Neighbours, OutliersOfAnySizeDoNotBlurTheRest) {
  std::mt19937_64 engine(8);
  for (const double outlier : {1e12, 1e100, 1e144, 1e150, 1e200, 1e308}) {
    Matrix references = random_matrix(4, 120, engine());
    Matrix queries = random_matrix(4, 40, engine());
    references.col(7).setConstant(outlier);
    references.col(50).setConstant(-outlier);
    const Neighbours expected = naive(references, queries, 3, false);
    expect_equal(nearest_k(references, queries, 3, false, 1), expected);
    expect_equal(nearest_k(references, queries, 3, false, 2, 7), expected);
  }
}

TEST(Neighbours, AreExactWhereSinglePrecisionSeesOnePointInsteadOfACluster) {
  // Clusters so tight and so far apart that products in single precision keep all of a cluster: the search
  // turns to double. In between there are blocks of queries that need not.
  for (const double radius : {1e-2, 1e-4, 1e-7, 0.0}) {
    const Matrix centres = random_matrix(5, 3, 20);
    const auto around = [&](Index count, unsigned seed) {
      Matrix samples = radius * random_matrix(5, count, seed);
      for (Index j = 0; j < count; ++j) samples.col(j) += centres.col(j * 3 / count);
      return samples;
    };
    const Matrix references = around(1300, 21);
    Matrix queries = around(500, 22);
    queries.rightCols(256) = random_matrix(5, 256, 23);
    const Neighbours expected = naive(references, queries, 3, false);
    expect_equal(nearest_k(references, queries, 3, false, 2), expected);
    expect_equal(nearest_k(references, references, 3, true, 1), naive(references, references, 3, true));
  }
}

TEST(Neighbours, AreExactForFeaturesOfAllSizesBeyondTheRangeOfSinglePrecision) {
  std::mt19937_64 engine(24);
  for (int trial = 0; trial < 200; ++trial) {
    std::uniform_int_distribution<int> exponent(-70, 70);
    // Two features: a sum of two squares is the same in any order.
    Matrix references = random_matrix(2, 60, engine());
    Matrix queries = random_matrix(2, 20, engine());
    // By sample, so that each is nearest to those of its own size.
    for (Index j = 0; j < 60; ++j) references.col(j) *= std::pow(10.0, exponent(engine));
    for (Index j = 0; j < 20; ++j) queries.col(j) *= std::pow(10.0, exponent(engine));
    queries.col(3) = references.col(17);
    references.col(40) = references.col(17);
    expect_equal(nearest_k(references, queries, 4, false, 1), naive(references, queries, 4, false));
    ASSERT_FALSE(HasFatalFailure()) << "trial " << trial;
  }
}

TEST(Neighbours, OfSamplesWithMoreFeaturesThanSinglePrecisionCanSumAreExact) {
  const Matrix references = random_matrix(70000, 4, 25);
  const Nearest found = nearest(references, references, 1);
  EXPECT_EQ(found.index, (std::vector<Index>{0, 1, 2, 3}));
  EXPECT_EQ(found.squared_distance, Vector::Zero(4));
}

TEST(Neighbours, OrderDistancesWhoseSquaresOverflow) {
  Matrix references(2, 4);
  references << 1e200, 3e200, 2e200, -1e308, 0, 0, 0, 0;
  Matrix queries(2, 2);
  queries << 0, 1e308, 0, 0;
  const Neighbours found = nearest_k(references, queries, 4, false, 1);
  EXPECT_EQ(found.index.col(0), (Eigen::Matrix<Index, 4, 1>(0, 2, 1, 3)));
  EXPECT_EQ(found.index(3, 1), 3);
  EXPECT_EQ(found.squared_distance(0, 0), std::numeric_limits<double>::infinity());
}

TEST(Neighbours, OrderDistancesWhoseSquaresUnderflow) {
  for (const double unit : {1e-170, 1e-250, 1e-320}) {
    const Matrix references = (Matrix(1, 5) << 3 * unit, 2 * unit, unit, 3e-3, 2e-3).finished();
    const Matrix query = Matrix::Constant(1, 1, 1.1 * unit);
    const Neighbours found = nearest_k(references, query, 5, false, 1);
    EXPECT_EQ(found.index.col(0), (Eigen::Matrix<Index, 5, 1>(2, 1, 0, 4, 3))) << unit;
  }
  // Many small differences are farther than one that is larger than each of them.
  Matrix references = Matrix::Constant(16, 2, 1e-162);
  references.col(1).setZero();
  references(0, 1) = 2e-162;
  EXPECT_EQ(nearest(references, Matrix::Zero(16, 1), 1).index.front(), 1);
}

TEST(Neighbours, OfOneSampleSetSkipTheSampleButNotItsDuplicates) {
  Matrix x = random_matrix(3, 10, 9);
  x.col(4) = x.col(2);
  const Neighbours found = nearest_k(x, x, 1, true, 1);
  EXPECT_EQ(found.index(0, 2), 4);
  EXPECT_EQ(found.index(0, 4), 2);
  for (Index q = 0; q < 10; ++q) EXPECT_NE(found.index(0, q), q);
}

TEST(Neighbours, TakeAllReferencesInOrderAndBlocksOfLargerMatrices) {
  const Matrix x = random_matrix(12, 80, 10);
  const auto references = x.block(3, 5, 4, 30);
  const auto queries = x.block(5, 40, 4, 12);
  expect_equal(nearest_k(references, queries, 30, false, 1), naive(references, queries, 30, false));
}

TEST(Neighbours, ManyEqualReferencesGiveTheLowestIndices) {
  const Matrix references = Matrix::Constant(3, 5000, 2.0);
  const Neighbours found = nearest_k(references, Matrix::Zero(3, 2), 4, false, 1);
  for (Index i = 0; i < 4; ++i) EXPECT_EQ(found.index(i, 1), i);
}

TEST(Neighbours, OfNoQueriesAreNoneAndWithoutFeaturesAllTie) {
  EXPECT_EQ(nearest(Matrix::Zero(3, 4), Matrix(3, 0), 1).index.size(), 0U);
  EXPECT_EQ(nearest_k(Matrix(0, 4), Matrix(0, 2), 2, false, 1).index.col(1),
            (Eigen::Matrix<Index, 2, 1>(0, 1)));
}

TEST(Neighbours, RefuseWrongShapesCountsAndNaN) {
  const Matrix x = Matrix::Zero(3, 4);
  EXPECT_THROW(nearest(x, Matrix::Zero(2, 4), 1), InvalidArgument);
  EXPECT_THROW(nearest(Matrix(3, 0), x, 1), InvalidArgument);
  EXPECT_THROW(nearest_k(x, x, 0, false, 1), InvalidArgument);
  EXPECT_THROW(nearest_k(x, x, 5, false, 1), InvalidArgument);
  EXPECT_THROW(nearest_k(x, x, 4, true, 1), InvalidArgument);
  EXPECT_THROW(nearest_k(x, Matrix::Zero(3, 3), 1, true, 1), InvalidArgument);
  Matrix bad = x;
  bad(1, 2) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(nearest(bad, x, 1), NumericalError);
  bad(1, 2) = std::numeric_limits<double>::infinity();
  EXPECT_THROW(nearest(x, bad, 1), NumericalError);
}

TEST(Neighbours, ASearchLooksAtEveryBlockOfReferences) {
  const Matrix references = random_matrix(3, 2000, 1);
  const Matrix queries = random_matrix(3, 600, 2);
  // 256 queries by 512 references at a time.
  EXPECT_GE(testing::looks_of([&](const Execution& run) { nearest_k(references, queries, 1, false, run); }),
            3 * 4);
}

}  // namespace
}  // namespace isthmus::ops
