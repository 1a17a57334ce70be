#include "linalg/stiefel.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "random_data.h"

namespace isthmus::linalg {
namespace {

using testing::random_matrix;
using testing::random_spd;

double orthonormality_error(const Matrix& w) {
  return (w.transpose() * w - Matrix::Identity(w.cols(), w.cols())).norm();
}

/// −tr(WᵀSW): its minimum is minus the sum of the largest eigenvalues of S.
StiefelObjective negative_trace(const Matrix& s) {
  return [s](const Matrix& w, Matrix* gradient) {
    if (gradient != nullptr) *gradient = -2.0 * s * w;
    return -(w.transpose() * s * w).trace();
  };
}

const auto kGoOn = [](const StiefelStep&) { return Decision::Continue; };

TEST(Stiefel, TangentPartIsTangentAndKeepsTangentDirections) {
  const Matrix w = retract(random_matrix(8, 3, 1));
  const Matrix tangent = tangent_part(w, random_matrix(8, 3, 2));
  const Matrix overlap = w.transpose() * tangent;
  EXPECT_LT((overlap + overlap.transpose()).norm(), 1e-13);
  EXPECT_LT((tangent_part(w, tangent) - tangent).norm(), 1e-13);
}

TEST(Stiefel, RetractionIsOrthonormalAndAgreesToFirstOrder) {
  const Matrix w = retract(random_matrix(8, 3, 3));
  const Matrix direction = tangent_part(w, random_matrix(8, 3, 4));
  EXPECT_LT(orthonormality_error(retract(w + 0.7 * direction)), 1e-13);
  EXPECT_LT((retract(w) - w).norm(), 1e-13);
  const double step = 1e-6;
  EXPECT_LT((retract(w + step * direction) - w - step * direction).norm(), 100 * step * step);
}

TEST(Stiefel, DescentFindsTheLeadingEigenspace) {
  const Matrix s = random_spd(12, 5);
  std::vector<double> objective;
  const StiefelResult found =
      minimize_on_stiefel(retract(random_matrix(12, 3, 6)), negative_trace(s),
                          {.iterations = 500, .tolerance = 1e-12}, [&](const StiefelStep& step) {
                            objective.push_back(step.objective);
                            EXPECT_EQ(step.iteration, static_cast<int>(objective.size()));
                            return Decision::Continue;
                          });
  const Vector values = Eigen::SelfAdjointEigenSolver<Matrix>(s).eigenvalues();
  EXPECT_TRUE(found.status == Status::Converged || found.status == Status::Stalled);
  EXPECT_EQ(found.iterations, static_cast<int>(objective.size()));
  EXPECT_LT(orthonormality_error(found.point), 1e-12);
  EXPECT_NEAR((found.point.transpose() * s * found.point).trace(), values.tail(3).sum(), 1e-8 * values.sum());
  for (std::size_t i = 1; i < objective.size(); ++i) EXPECT_LT(objective[i], objective[i - 1]);
}

TEST(Stiefel, SaysHowItEnded) {
  const Matrix s = random_spd(10, 7);
  const Matrix start = retract(random_matrix(10, 2, 8));
  EXPECT_EQ(minimize_on_stiefel(start, negative_trace(s), {.iterations = 1, .tolerance = 0}, kGoOn).status,
            Status::IterationLimit);
  const StiefelResult none = minimize_on_stiefel(start, negative_trace(s), {.iterations = 0}, kGoOn);
  EXPECT_EQ(none.iterations, 0);
  EXPECT_EQ(none.point, start);
  const StiefelResult stopped = minimize_on_stiefel(start, negative_trace(s), {.iterations = 50},
                                                    [](const StiefelStep&) { return Decision::Stop; });
  EXPECT_EQ(stopped.status, Status::Stopped);
  EXPECT_EQ(stopped.iterations, 1);
  // At a stationary point there is nothing to do.
  const Matrix best = Eigen::SelfAdjointEigenSolver<Matrix>(s).eigenvectors().rightCols(2);
  EXPECT_EQ(minimize_on_stiefel(best, negative_trace(s), {.tolerance = 1e-9}, kGoOn).status,
            Status::Converged);
  // A gradient that points uphill leaves no step to take.
  const auto misleading = [&](const Matrix& w, Matrix* gradient) {
    const double value = negative_trace(s)(w, gradient);
    if (gradient != nullptr) *gradient = -*gradient;
    return value;
  };
  EXPECT_EQ(minimize_on_stiefel(start, misleading, {}, kGoOn).status, Status::Stalled);
}

}  // namespace
}  // namespace isthmus::linalg
