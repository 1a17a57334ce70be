// Between two looks at whether to stop lies no more than a block of work, however large the problem.
#include <gtest/gtest.h>

#include <random>

#include "counted_looks.h"
#include "linalg/blas.h"
#include "linalg/eigen.h"
#include "linalg/moments.h"
#include "linalg/spread_samples.h"
#include "linalg/svt.h"
#include "random_data.h"
#include "samples/fold.h"

namespace isthmus::linalg {
namespace {

using testing::looks_of;
using testing::random_matrix;

TEST(Looks, AProductLooksAtEveryBlock) {
  const Matrix a = random_matrix(2100, 4, 4);
  const Matrix b = random_matrix(4, 1100, 5);
  EXPECT_GE(looks_of([&](const Execution& run) { multiply(a, b, run); }), 3 * 3);
}

TEST(Looks, AGramMatrixLooksAtEveryBlockOfSamples) {
  const Matrix x = random_matrix(3, 40'000, 6);
  EXPECT_GE(looks_of([&](const Execution& run) { gram(x, run); }), 9);
  EXPECT_GE(looks_of([&](const Execution& run) { fold(x, run, Moments(3)); }), 9);
  EXPECT_GE(looks_of([&](const Execution& run) { gram_transposed(x.leftCols(1000), run); }), 4);
}

TEST(Looks, LanczosLooksAtEveryStep) {
  const Matrix x = random_matrix(30, 1600, 7);
  const Matrix a = gram_transposed(x, 1);
  EXPECT_GE(looks_of([&](const Execution& run) { largest_eigen(a, 4, run); }), 10);
}

TEST(Looks, ThresholdingLooksAtEveryProduct) {
  const Matrix x = random_matrix(400, 5, 8) * random_matrix(5, 300, 9);
  EXPECT_GE(looks_of([&](const Execution& run) { SingularValueThresholder(1)(x, 1.0, run); }), 4);
}

TEST(Looks, SpreadingLooksAtEveryDraw) {
  std::mt19937_64 engine(1);
  const Matrix x = random_matrix(3, 100, 10);
  EXPECT_GE(looks_of([&](const Execution& run) { spread_samples(x, 20, engine, run); }), 20);
}

}  // namespace
}  // namespace isthmus::linalg
