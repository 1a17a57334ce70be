#include "domain/feature_space.h"

#include <gtest/gtest.h>

#include "isthmus/errors.h"
#include "toy_domains.h"

namespace isthmus {
namespace {

using testing::toy_domains;
using testing::ToyDomains;

Matrix joint(const MatrixView& source, const MatrixView& target) {
  Matrix both(source.rows(), source.cols() + target.cols());
  both << source, target;
  return both;
}

Matrix coordinates_of_all(const FeatureSpace& space) {
  return space.coordinates(joint(space.source.view(), space.target.view()));
}

KernelOptions with(Kernel kernel, KernelSize size, int landmarks = 1000) {
  return {.kernel = kernel, .width = 2.5, .size = size, .landmarks = landmarks};
}

class SpaceOf : public ::testing::TestWithParam<Kernel> {
 protected:
  ToyDomains toy_ = toy_domains(6, 7, 3, 31);
  DomainPair pair_ = toy_.pair();
  Matrix samples_ = joint(pair_.source().view(), pair_.target().view());
  Matrix kernel_ = KernelMap{GetParam(), 2.5, 2, samples_}.evaluate(samples_, 1);
};

TEST_P(SpaceOf, FeaturesReproduceTheSquareOfTheKernelMatrix) {
  // z = L Vᵀ for K = V L Vᵀ, so ZᵀZ = K².
  const Matrix z = coordinates_of_all(make_feature_space(pair_, with(GetParam(), KernelSize::Exact), {}));
  const Matrix expected = kernel_ * kernel_;
  EXPECT_LT((z.transpose() * z - expected).norm(), 1e-9 * expected.norm());
}

TEST_P(SpaceOf, ScatterIsThatOfTheFeatures) {
  const FeatureSpace space = make_feature_space(pair_, with(GetParam(), KernelSize::Exact), {});
  const Matrix z = coordinates_of_all(space);
  const Matrix centred = z.colwise() - z.rowwise().mean();
  EXPECT_LT((space.scatter - centred * centred.transpose()).norm(), 1e-10 * space.scatter.norm());
}

INSTANTIATE_TEST_SUITE_P(Kernels, SpaceOf,
                         ::testing::Values(Kernel::Linear, Kernel::Rbf, Kernel::Laplace, Kernel::Polynomial));

using NonLinearSpaceOf = SpaceOf;

TEST_P(NonLinearSpaceOf, AllSamplesAsLandmarksGiveTheExactKernel) {
  const Matrix z = coordinates_of_all(make_feature_space(pair_, with(GetParam(), KernelSize::Landmarks), {}));
  const Matrix expected = kernel_ * kernel_;
  EXPECT_LT((z.transpose() * z - expected).norm(), 1e-9 * expected.norm());
}

TEST_P(NonLinearSpaceOf, NewSamplesLandWhereStoredOnesAre) {
  for (const KernelSize size : {KernelSize::Exact, KernelSize::Landmarks}) {
    const FeatureSpace space = make_feature_space(pair_, with(GetParam(), size, 12), {});
    const Matrix mapped = space.kernel_basis.transpose() * space.kernel->evaluate(samples_, 1);
    EXPECT_LT((mapped - coordinates_of_all(space)).norm(), 1e-9 * mapped.norm());
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, NonLinearSpaceOf,
                         ::testing::Values(Kernel::Rbf, Kernel::Laplace, Kernel::Polynomial));

TEST(FeatureSpace, MoreLandmarksComeCloserToTheKernel) {
  const DomainPair pair = toy_domains(3, 40, 3, 32).pair();
  const Matrix samples = joint(pair.source().view(), pair.target().view());
  const Matrix kernel = KernelMap{Kernel::Rbf, 2.5, 2, samples}.evaluate(samples, 1);
  double before = std::numeric_limits<double>::infinity();
  for (const int landmarks : {2, 20, 100}) {
    const Matrix z =
        coordinates_of_all(make_feature_space(pair, with(Kernel::Rbf, KernelSize::Landmarks, landmarks), {}));
    EXPECT_LE(z.rows(), landmarks);
    const double error = (z.transpose() * z - kernel * kernel).norm();
    EXPECT_LT(error, before);
    before = error;
  }
}

TEST(FeatureSpace, LandmarksTakeOverBeyondTheLimitAndItIsSaid) {
  const DomainPair pair = toy_domains(4, 20, 2, 33).pair();
  KernelOptions options{.kernel = Kernel::Rbf, .exact_limit = 79, .landmarks = 30};
  const FeatureSpace space = make_feature_space(pair, options, {});
  EXPECT_EQ(space.kernel->landmarks.cols(), 30);
  ASSERT_EQ(space.notes.size(), 2U);
  EXPECT_NE(space.notes[0].find("median heuristic"), std::string::npos);
  EXPECT_NE(space.notes[1].find("80 samples by 30"), std::string::npos) << space.notes[1];
  options.exact_limit = 80;
  EXPECT_EQ(make_feature_space(pair, options, {}).kernel->landmarks.cols(), 80);
}

TEST(FeatureSpace, RefusesAnExactKernelBeyondTheLimitAndNamesIt) {
  const DomainPair pair = toy_domains(4, 20, 2, 34).pair();
  try {
    make_feature_space(pair, {.kernel = Kernel::Rbf, .size = KernelSize::Exact, .exact_limit = 79}, {});
    FAIL();
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find("at most 79"), std::string::npos) << error.what();
  }
}

TEST(FeatureSpace, TheSeedDecidesTheLandmarksAndNothingElseDoes) {
  const DomainPair pair = toy_domains(4, 30, 2, 35).pair();
  const auto landmarks = [&](std::uint64_t seed, int threads) {
    Context context;
    context.threads = threads;
    context.seed = seed;
    return make_feature_space(pair, with(Kernel::Rbf, KernelSize::Landmarks, 9), context).kernel->landmarks;
  };
  EXPECT_EQ(landmarks(1, 1), landmarks(1, 3));
  EXPECT_NE(landmarks(1, 1), landmarks(2, 1));
}

}  // namespace
}  // namespace isthmus
