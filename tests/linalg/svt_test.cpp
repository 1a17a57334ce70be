#include "linalg/svt.h"

#include <gtest/gtest.h>

#include "isthmus/errors.h"
#include "linalg/eigen.h"
#include "random_data.h"

namespace isthmus::linalg {
namespace {

using isthmus::testing::random_matrix;

TEST(SingularValueThreshold, ShrinksTheSingularValuesOfLapack) {
  const Matrix x = random_matrix(30, 20, 1);
  const Svd svd = thin_svd(x);
  const double threshold = 0.5 * svd.values[0];
  SingularValueThresholder svt(1);
  const LowRank z = svt(x, threshold);
  const Vector shrunk = (svd.values.array() - threshold).max(0.0);
  EXPECT_LT((z.matrix() - svd.u * shrunk.asDiagonal() * svd.v.transpose()).norm(), 1e-10);
  EXPECT_EQ(z.rank(), (shrunk.array() > 0).count());
  EXPECT_TRUE(svt.certify(x, z, threshold));
  EXPECT_EQ(svt.certified(x, threshold).matrix(), z.matrix());
}

TEST(SingularValueThreshold, RefusesAThresholdThatIsNotPositive) {
  SingularValueThresholder svt(1);
  EXPECT_THROW(svt(random_matrix(3, 3, 1), 0.0), InvalidArgument);
}

}  // namespace
}  // namespace isthmus::linalg
