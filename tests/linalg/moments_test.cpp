#include "linalg/moments.h"

#include <gtest/gtest.h>

#include "isthmus/errors.h"
#include "linalg/subspace.h"
#include "random_data.h"
#include "samples/fold.h"

namespace isthmus::linalg {
namespace {

using testing::random_matrix;

using Exact = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;

TEST(Moments, EqualTwoPassesInLongDoubleAtALargeOffset) {
  for (const double offset : {0.0, 1e8}) {
    const Matrix samples = random_matrix(6, 5000, 1).array() + offset;
    const Moments found = fold(samples, 2, Moments(6));
    const Exact exact = samples.cast<long double>();
    const Exact mean = exact.rowwise().mean();
    const Exact centred = exact - mean.replicate(1, exact.cols());
    const Matrix scatter = (centred * centred.transpose()).cast<double>();
    EXPECT_EQ(found.count, 5000);
    EXPECT_LT((found.mean - mean.cast<double>()).cwiseAbs().maxCoeff(), 1e-15 * (offset + 1));
    EXPECT_LT((found.scatter() - scatter).cwiseAbs().maxCoeff() / scatter.trace(), 1e-13);
  }
}

TEST(Moments, GiveTheSameBytesOnAnyNumberOfThreadsAndAnySplit) {
  for (const Index dimension : {7, 1100}) {  // many features: threads share each block
    const Matrix samples = random_matrix(dimension, 4 * kFoldBlock + 9, 2);
    const std::string one = to_bytes(fold(samples, 1, Moments(dimension)));
    for (const int threads : {2, 3, 8}) EXPECT_EQ(to_bytes(fold(samples, threads, Moments(dimension))), one);
    Fold<Moments> late{Moments(dimension)};
    late.add(samples.rightCols(samples.cols() - 3 * kFoldBlock), 3 * kFoldBlock, 2);
    Fold<Moments> all{Moments(dimension)};
    from_bytes(to_bytes(late), all);
    all.add(samples.leftCols(3 * kFoldBlock), 0, 1);
    EXPECT_EQ(to_bytes(all.finish()), one);
  }
}

TEST(Moments, AreRefusedWhenDamagedOrOfAnotherDimension) {
  const std::string bytes = to_bytes(fold(random_matrix(3, 20, 3), 1, Moments(3)));
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] + 1);
    Moments into(3);
    EXPECT_THROW(from_bytes(damaged, into), InvalidArgument) << at;
  }
  Moments three(3);
  EXPECT_THROW(three.merge(Moments(4)), InvalidArgument);
}

TEST(LeadingSpectrum, IsThatOfTheJointMatrixFromEitherGramMatrix) {
  for (const Index features : {5, 700}) {
    const Matrix x = random_matrix(features, 300, 4);
    const auto floor = [](double largest) { return 1e-10 * largest; };
    const Spectrum found = leading_spectrum({x.leftCols(120), x.rightCols(180)}, 4, floor, 2);
    const Matrix turned = found.directions.transpose() * x;
    ASSERT_EQ(found.values.size(), 4);
    EXPECT_LT((turned * turned.transpose() - Matrix(found.values.asDiagonal())).norm(),
              1e-9 * found.values[0]);
    EXPECT_LT((found.directions.transpose() * found.directions - Matrix::Identity(4, 4)).norm(), 1e-12);
    const Matrix residual =
        x * (x.transpose() * found.directions) - found.directions * found.values.asDiagonal();
    EXPECT_LT(residual.norm(), 1e-9 * found.values[0]);
    EXPECT_NEAR(found.total, x.squaredNorm(), 1e-9 * found.total);
  }
}

}  // namespace
}  // namespace isthmus::linalg
