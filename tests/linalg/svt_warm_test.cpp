#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "linalg/basis.h"
#include "linalg/blas.h"
#include "linalg/eigen.h"
#include "linalg/svt.h"
#include "random_data.h"

// What a call that starts from the last one's singular vectors must not miss: triplets that are new.
namespace isthmus::linalg {
namespace {

using isthmus::testing::random_matrix;

/// A matrix that is known by its singular triplets, and so is its prox.
class KnownMatrix {
 public:
  KnownMatrix(Index rows, Index columns, Index count, std::uint64_t seed)
      : values(Vector::Zero(count)),
        u_(orthonormal_basis(random_matrix(rows, count, seed))),
        v_(orthonormal_basis(random_matrix(columns, count, seed + 1))) {}

  Matrix matrix() const { return multiply_by_transpose(u_ * values.asDiagonal(), v_, 1); }
  Matrix prox(double threshold) const {
    const Vector shrunk = (values.array() - threshold).max(0.0);
    return multiply_by_transpose(u_ * shrunk.asDiagonal(), v_, 1);
  }
  Index rank(double threshold) const { return (values.array() > threshold).count(); }

  Vector values;

 private:
  Matrix u_;
  Matrix v_;
};

void expect_found(const KnownMatrix& x, const LowRank& z, double threshold, double tolerance) {
  EXPECT_EQ(z.rank(), x.rank(threshold));
  EXPECT_LE((z.matrix(1) - x.prox(threshold)).norm(), 2 * tolerance * x.values.maxCoeff());
}

/// Ten values from 3 down to 1.5, a tail that fades from `tail`, and room for eight more at the end.
KnownMatrix ten_triplets(Index rows, Index columns, double tail, std::uint64_t seed) {
  KnownMatrix x(rows, columns, std::min(rows, columns), seed);
  for (Index i = 0; i < x.values.size() - 8; ++i) {
    const auto at = static_cast<double>(i);
    x.values[i] = i < 10 ? 3.0 - 0.15 * at : tail * std::exp(-0.05 * (at - 10));
  }
  return x;
}

TEST(WarmThreshold, FindsANewValueHoweverLittleItIsAboveTheThreshold) {
  int calls = 0;
  for (const double tail : {0.7, 0.95}) {
    KnownMatrix x = ten_triplets(64, 56, tail, 3);
    const Matrix before = x.matrix();
    std::vector<Matrix> after;
    std::vector<Matrix> expected;
    const std::vector<double> values{1.001, 1.01, 1.05, 1.2, 3.0};
    for (const double value : values) {
      x.values[55] = value;
      after.push_back(x.matrix());
      expected.push_back(x.prox(1.0));
    }
    for (const double tolerance : {1e-11, 1e-6}) {
      for (std::uint64_t seed = 0; seed < 100; ++seed) {
        SingularValueThresholder warm(seed, SvtPath::Subspace, tolerance);
        warm(before, 1.0, 1);
        for (std::size_t i = 0; i < values.size(); ++i, ++calls) {
          SingularValueThresholder svt = warm;
          const LowRank z = svt(after[i], 1.0, 1);
          ASSERT_EQ(z.rank(), 11) << values[i] << " is new, tail " << tail << ", seed " << seed;
          ASSERT_LE((z.matrix(1) - expected[i]).norm(), 6 * tolerance);
        }
      }
    }
  }
  EXPECT_EQ(calls, 2000);
}

TEST(WarmThreshold, FindsEightNewValuesThatAreTheSame) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    KnownMatrix x = ten_triplets(84, 72, 0.7, seed);
    SingularValueThresholder svt(seed, SvtPath::Subspace);
    svt(x.matrix(), 1.0, 1);
    x.values.tail(8).setConstant(3.0);
    expect_found(x, svt(x.matrix(), 1.0, 1), 1.0, 1e-11);
  }
}

/// Falls by a factor of 1.1 to 1.3 a call, through values that come one by one or six at a time.
TEST(WarmThreshold, FollowsAThresholdThatFallsThroughTheValues) {
  for (const Index together : {1, 6}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      KnownMatrix x(84, 72, 72, seed);
      for (Index i = 0; i < 72; ++i)
        x.values[i] = std::exp(-0.01 * static_cast<double>(i / together * together));
      const Matrix matrix = x.matrix();
      std::mt19937_64 engine(seed);
      std::uniform_real_distribution<double> fall(1.1, 1.3);
      for (const double tolerance : {1e-11, 1e-4}) {
        SingularValueThresholder svt(seed, SvtPath::Subspace, tolerance);
        double threshold = 1.1;
        for (int step = 0; step < 8; ++step) {
          threshold /= fall(engine);
          expect_found(x, svt(matrix, threshold, 1), threshold, tolerance);
        }
      }
    }
  }
}

/// On one of these LAPACK's divide and conquer (dgesdd of OpenBLAS 0.3.21) gives up.
TEST(WarmThreshold, LivesWithValuesThatManyTripletsShare) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    KnownMatrix x(84, 72, 72, seed);
    x.values.head(16).setConstant(1.0);
    for (Index i = 16; i < 64; i += 16) x.values.segment(i, 16).setConstant(x.values[i - 1] / 1.2);
    x.values.tail(8).setConstant(0.01);
    SingularValueThresholder svt(seed, SvtPath::Subspace);
    expect_found(x, svt(x.matrix(), 0.84, 1), 0.84, 1e-11);
  }
}

TEST(WarmThreshold, FindsNewValuesOnThePathItTakesByItself) {
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    KnownMatrix x = ten_triplets(320, 300, 0.9, seed);
    SingularValueThresholder svt(seed);
    svt(x.matrix(), 1.0, 1);
    for (Index i = 0; i < 4; ++i) {
      x.values[299 - i] = 1.02;
      expect_found(x, svt(x.matrix(), 1.0, 1), 1.0, 1e-11);
      EXPECT_EQ(svt.last_path(), SvtPath::Subspace);
    }
  }
}

TEST(WarmThreshold, FindsANewValueAboveNoise) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    KnownMatrix strong(200, 160, 11, seed);
    strong.values.head(10) = Vector::LinSpaced(10, 3.0, 1.5);
    const Matrix noise = random_matrix(200, 160, 50 + seed);
    const double largest = thin_svd(noise).values[0];
    SingularValueThresholder svt(seed, SvtPath::Subspace, 1e-6);
    const auto solve = [&] {
      const Matrix x = strong.matrix() + (0.95 / largest) * noise;
      const LowRank z = svt(x, 1.0, 1);
      EXPECT_EQ(z.rank(), (thin_svd(x).values.array() > 1.0).count());
    };
    solve();
    strong.values[10] = 1.1;
    solve();
  }
}

}  // namespace
}  // namespace isthmus::linalg
