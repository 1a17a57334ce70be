#include "domain/kernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "isthmus/errors.h"
#include "random_data.h"

namespace isthmus {
namespace {

using testing::random_matrix;

double kernel_by_definition(const KernelMap& map, const Vector& z, const Vector& x) {
  switch (map.kernel) {
    case Kernel::Rbf:
      return std::exp(-(z - x).squaredNorm() / (2 * map.width * map.width));
    case Kernel::Laplace:
      return std::exp(-(z - x).lpNorm<1>() / map.width);
    case Kernel::Polynomial:
      return std::pow(z.dot(x) / (map.width * map.width) + 1, map.degree);
    default:
      return z.dot(x);
  }
}

class KernelOf : public ::testing::TestWithParam<Kernel> {};

TEST_P(KernelOf, EveryPairIsItsDefinition) {
  const KernelMap map{GetParam(), 1.7, 3, random_matrix(4, 6, 1)};
  const Matrix samples = random_matrix(4, 200, 2);
  const Matrix values = map.evaluate(samples, 2);
  for (Index i = 0; i < 6; ++i) {
    for (Index j = 0; j < 200; ++j) {
      const double expected = kernel_by_definition(map, map.landmarks.col(i), samples.col(j));
      ASSERT_NEAR(values(i, j), expected, 1e-12 * std::max(1.0, std::abs(expected)));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, KernelOf,
                         ::testing::Values(Kernel::Linear, Kernel::Rbf, Kernel::Laplace, Kernel::Polynomial));

TEST(Kernel, DistancesKeepTheirDigitsFarFromTheOrigin) {
  // In steps of 2⁻¹⁰, so that the offset itself rounds nothing away.
  const auto stepped = [](Matrix x) { return Matrix((1024.0 * x).array().round() / 1024.0); };
  const Matrix landmarks = stepped(random_matrix(4, 6, 6));
  const Matrix samples = stepped(random_matrix(4, 9, 7));
  constexpr double kOffset = 0x1p30;
  for (const Kernel kernel : {Kernel::Rbf, Kernel::Laplace}) {
    const Matrix near = KernelMap{kernel, 1.7, 2, landmarks}.evaluate(samples, 1);
    const Matrix far =
        KernelMap{kernel, 1.7, 2, landmarks.array() + kOffset}.evaluate(samples.array() + kOffset, 1);
    EXPECT_LT((near - far).cwiseAbs().maxCoeff(), 1e-12);
  }
}

TEST(Kernel, RefusesSamplesOfAnotherDimension) {
  const KernelMap map{Kernel::Rbf, 1.0, 2, random_matrix(4, 3, 3)};
  EXPECT_THROW(map.evaluate(random_matrix(5, 2, 4), 1), InvalidArgument);
}

TEST(Kernel, DefaultWidthIsTheMedianDistanceInTheKernelsNorm) {
  const Matrix samples = random_matrix(3, 41, 5);
  const auto median = [&](auto&& norm) {
    std::vector<double> distances;
    for (Index i = 0; i < 41; ++i) {
      for (Index j = 0; j < i; ++j) distances.push_back(norm(Vector(samples.col(i) - samples.col(j))));
    }
    std::sort(distances.begin(), distances.end());
    return distances[distances.size() / 2];
  };
  EXPECT_DOUBLE_EQ(median_width(Kernel::Rbf, samples, 3), median([](const Vector& v) { return v.norm(); }));
  EXPECT_DOUBLE_EQ(median_width(Kernel::Laplace, samples, 1),
                   median([](const Vector& v) { return v.lpNorm<1>(); }));
}

TEST(Kernel, DefaultWidthOfCoincidingSamplesIsOne) {
  EXPECT_EQ(median_width(Kernel::Rbf, Matrix::Ones(3, 5), 1), 1.0);
  EXPECT_EQ(median_width(Kernel::Rbf, Matrix::Ones(3, 1), 1), 1.0);
}

}  // namespace
}  // namespace isthmus
