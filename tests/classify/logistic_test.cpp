#include "classify/logistic.h"

#include <gtest/gtest.h>

#include <cmath>

#include "isthmus/errors.h"
#include "random_data.h"

namespace isthmus {
namespace {

using testing::random_matrix;

/// Slope of the objective by weights and offset, term by term.
Vector slope(const Logistic& fit, const Matrix& first, const Matrix& second, double ridge) {
  Vector sum = Vector::Zero(first.rows() + 1);
  sum.head(first.rows()) = ridge * fit.weights;
  const auto add = [&](const Matrix& samples, double sign) {
    for (Index i = 0; i < samples.cols(); ++i) {
      const double odds = fit.weights.dot(samples.col(i)) + fit.offset;
      const double factor =
          -sign / (1.0 + std::exp(sign * odds)) / (2.0 * static_cast<double>(samples.cols()));
      sum.head(first.rows()) += factor * samples.col(i);
      sum[first.rows()] += factor;
    }
  };
  add(first, -1.0);
  add(second, 1.0);
  return sum;
}

TEST(Logistic, TheSlopeVanishesAtTheFit) {
  const Matrix first = random_matrix(5, 40, 1);
  const Matrix second = (2.0 * random_matrix(5, 25, 2)).array() + 0.4;
  for (const double ridge : {1e-4, 0.01, 1.0}) {
    const Logistic fit = fit_logistic(first, second, ridge);
    EXPECT_LT(slope(fit, first, second, ridge).cwiseAbs().maxCoeff(), 1e-8) << ridge;
    EXPECT_GT(fit.weights.norm(), 1e-3);
  }
}

TEST(Logistic, FindsTheLogRatioOfTwoNormalDensitiesWhateverTheirNumbers) {
  // N(1, 1) against N(0, 1): x − ½.
  const Matrix first = random_matrix(1, 60000, 3);
  const Matrix second = random_matrix(1, 20000, 4).array() + 1.0;
  const Logistic fit = fit_logistic(first, second, 1e-6);
  EXPECT_NEAR(fit.weights[0], 1.0, 0.03);
  EXPECT_NEAR(fit.offset, -0.5, 0.03);
}

TEST(Logistic, SeparableKindsGetFiniteOdds) {
  const Matrix first = random_matrix(3, 20, 5).array() - 1000.0;
  const Matrix second = random_matrix(3, 30, 6).array() + 1000.0;
  const Logistic fit = fit_logistic(first, second, 0.01);
  EXPECT_LT(fit.log_odds(first).maxCoeff(), 0);
  EXPECT_GT(fit.log_odds(second).minCoeff(), 0);
  EXPECT_TRUE(fit.weights.allFinite());
  EXPECT_LT(fit.gradient, 1e-6);
}

TEST(Logistic, SameBytesOnAnyNumberOfThreads) {
  const Matrix first = random_matrix(20, 3000, 7);
  const Matrix second = random_matrix(20, 2000, 8).array() + 0.1;
  EXPECT_EQ(fit_logistic(first, second, 0.01, 1).weights, fit_logistic(first, second, 0.01, 3).weights);
}

TEST(Logistic, RefusesWhatHasNoAnswer) {
  const Matrix some = random_matrix(3, 4, 9);
  EXPECT_THROW(fit_logistic(some, Matrix(3, 0), 0.1), InvalidArgument);
  EXPECT_THROW(fit_logistic(some, random_matrix(2, 4, 1), 0.1), InvalidArgument);
  EXPECT_THROW(fit_logistic(some, some, 0.0), InvalidArgument);
}

}  // namespace
}  // namespace isthmus
