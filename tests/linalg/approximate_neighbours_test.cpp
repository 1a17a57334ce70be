#include "linalg/approximate_neighbours.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "isthmus/errors.h"
#include "random_data.h"

namespace isthmus::linalg {
namespace {

using isthmus::testing::random_matrix;

TEST(ApproximateNeighbours, FindNearlyAllAndTellTheirExactDistances) {
  const Matrix references = random_matrix(12, 3000, 1);
  const Matrix queries = random_matrix(12, 300, 2);
  const Neighbours found = ApproximateNeighbours(references).nearest_k(queries, 5, false);
  const Neighbours exact = nearest_k(references, queries, 5, false);
  Index same = 0;
  for (Index q = 0; q < queries.cols(); ++q) {
    for (Index i = 0; i < 5; ++i) {
      same += (exact.index.col(q).array() == found.index(i, q)).count();
      const Index r = found.index(i, q);
      EXPECT_DOUBLE_EQ(found.squared_distance(i, q), (references.col(r) - queries.col(q)).squaredNorm());
      EXPECT_LE(found.squared_distance(0, q), found.squared_distance(i, q));
    }
  }
  EXPECT_GT(same, 1425);  // 95 % of 1500
  // Of all queries the measure is this very share.
  const Recall recall = measure_recall(references, queries, found, false, 300);
  EXPECT_EQ(recall.wanted, 1500);
  EXPECT_EQ(recall.found, same);
}

TEST(ApproximateNeighbours, RecallCountsWhatIsNotAmongTheNearest) {
  const Matrix references = random_matrix(4, 50, 3);
  Neighbours found = nearest_k(references, references, 2, true);
  EXPECT_EQ(measure_recall(references, references, found, true, 1000).share(), 1.0);
  // Every other query is given one neighbour that is too far.
  for (Index q = 0; q < 50; q += 2) found.squared_distance(1, q) *= 1.001;
  EXPECT_EQ(measure_recall(references, references, found, true, 1000).found, 75);
  EXPECT_EQ(measure_recall(references, references, found, true, 10).wanted, 20);
}

TEST(ApproximateNeighbours, AreTheSameOnAnyNumberOfThreadsAndInEveryRun) {
  const Matrix samples = random_matrix(7, 2000, 4);
  const Neighbours one = ApproximateNeighbours(samples).nearest_k(samples, 6, true, 1);
  const Neighbours three = ApproximateNeighbours(samples).nearest_k(samples, 6, true, 3);
  EXPECT_EQ(one.index, three.index);
  EXPECT_EQ(one.squared_distance, three.squared_distance);
  for (Index q = 0; q < samples.cols(); ++q) EXPECT_TRUE((one.index.col(q).array() != q).all());
}

TEST(ApproximateNeighbours, GiveAsManyAsWantedWhateverTheData) {
  // Copies only, few references, values beyond single precision.
  for (const double scale : {0.0, 1.0, 1e-200, 1e200}) {
    Matrix samples = scale * random_matrix(3, 40, 5);
    samples.rightCols(20) = samples.col(0).replicate(1, 20);
    const Neighbours found = ApproximateNeighbours(samples).nearest_k(samples, 39, true, 1);
    for (Index q = 0; q < 40; ++q) {
      std::vector<Index> seen(found.index.col(q).begin(), found.index.col(q).end());
      std::sort(seen.begin(), seen.end());
      EXPECT_TRUE(std::adjacent_find(seen.begin(), seen.end()) == seen.end());
      EXPECT_EQ(std::count(seen.begin(), seen.end(), q), 0);
    }
  }
}

TEST(ApproximateNeighbours, RefuseWrongShapesCountsAndNaN) {
  const Matrix x = Matrix::Zero(3, 4);
  const ApproximateNeighbours search(x);
  EXPECT_THROW(search.nearest_k(Matrix::Zero(2, 4), 1, false), InvalidArgument);
  EXPECT_THROW(search.nearest_k(x, 0, false), InvalidArgument);
  EXPECT_THROW(search.nearest_k(x, 4, true), InvalidArgument);
  EXPECT_THROW(ApproximateNeighbours(Matrix(3, 0)), InvalidArgument);
  Matrix bad = x;
  bad(1, 2) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(search.nearest_k(bad, 1, false), NumericalError);
  EXPECT_THROW(ApproximateNeighbours{bad}, NumericalError);
}

}  // namespace
}  // namespace isthmus::linalg
