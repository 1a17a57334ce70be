#include "isthmus/domain_overlap.h"

#include <gtest/gtest.h>

#include <cmath>

#include "isthmus/errors.h"
#include "random_data.h"

namespace isthmus {
namespace {

using testing::random_matrix;

TEST(DomainRatio, IsTheLogRatioOfTheDensities) {
  // N(½, 1) against N(0, 1) along the first axis: x/2 − 1/8.
  const Matrix source = random_matrix(2, 8000, 1);
  Matrix target = random_matrix(2, 4000, 2);
  target.row(0).array() += 0.5;
  const DomainRatio ratio = domain_ratio(source, target);
  const Vector expected = 0.5 * source.row(0).transpose().array() - 0.125;
  EXPECT_LT((ratio.source - expected).cwiseAbs().mean(), 0.05);
}

TEST(DomainRatio, DoesNotTakeNoiseForADifference) {
  // 50 directions and 60 samples of each domain: a classifier that had seen them would separate them.
  const DomainRatio ratio = domain_ratio(random_matrix(60, 60, 3), random_matrix(60, 60, 4));
  EXPECT_LT(std::abs(proxy_a_distance(ratio)), 0.7);
}

TEST(DomainRatio, LivesWithOneSampleAndWithoutVariance) {
  EXPECT_TRUE(domain_ratio(random_matrix(3, 1, 5), random_matrix(3, 4, 6)).target.allFinite());
  const DomainRatio ratio = domain_ratio(Matrix::Ones(3, 5), Matrix::Ones(3, 4));
  EXPECT_EQ(proxy_a_distance(ratio), 0.0);
  EXPECT_THROW(domain_ratio(random_matrix(3, 5, 1), random_matrix(2, 5, 1)), InvalidArgument);
}

TEST(ProxyADistance, Is0ForOneDistributionAnd2ForTwo) {
  EXPECT_NEAR(proxy_a_distance(domain_ratio(random_matrix(4, 3000, 7), random_matrix(4, 3000, 8))), 0, 0.1);
  const Matrix far = random_matrix(4, 100, 9).array() + 20.0;
  EXPECT_EQ(proxy_a_distance(domain_ratio(random_matrix(4, 100, 10), far)), 2.0);
}

TEST(ProxyADistance, CountsBothDomainsAlike) {
  DomainRatio ratio{Vector::Constant(8, -1.0), Vector::Constant(2, 1.0)};
  EXPECT_EQ(proxy_a_distance(ratio), 2.0);
  ratio.target[0] = -1;  // ε = ¼
  EXPECT_EQ(proxy_a_distance(ratio), 1.0);
}

}  // namespace
}  // namespace isthmus
