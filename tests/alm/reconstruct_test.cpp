#include "alm/reconstruct.h"

#include <gtest/gtest.h>

#include <atomic>

#include "isthmus/errors.h"
#include "optimum.h"
#include "random_data.h"
#include "textbook.h"

namespace isthmus {
namespace {

using testing::Optimum;
using testing::random_matrix;
using testing::TextbookAlm;

double spectral_norm(const Matrix& x) {
  return linalg::thin_svd(x).values[0];
}

struct Convex {
  Index k, ns, nt;
  ErrorNorm norm;
  double lambda1, lambda2;
  std::uint64_t seed;
};

class Optimality : public ::testing::TestWithParam<Convex> {};

/// The conditions that make (Z, E) optimal: feasible, Dsᵀ Y₁ = Y₂ + Y₃ with Y₁ ∈ λ₁∂‖E‖, Y₂ ∈ ∂‖Z‖_*,
/// Y₃ ∈ λ₂∂‖Z‖₁, each as dual feasibility and complementarity.
TEST_P(Optimality, KktConditionsHoldToSixDigitsAtConvergence) {
  const Convex p = GetParam();
  const Matrix ds = random_matrix(p.k, p.ns, p.seed);
  const Matrix dt = ds * random_matrix(p.ns, 2, p.seed + 1) * random_matrix(2, p.nt, p.seed + 2) / 5.0 +
                    0.1 * random_matrix(p.k, p.nt, p.seed + 3);
  const Optimum found(ds, dt, p.norm, {p.lambda1, p.lambda2});
  ASSERT_TRUE(found.converged) << found.measure.dual_residual;
  const auto y = found.solver.multipliers();
  const Matrix& z = found.z;
  const Matrix& e = found.solver.error();
  const Matrix z_sparse = found.solver.sparse();
  const double size = std::max(1.0, z.norm());
  EXPECT_GT(z_sparse.norm(), 0.1);

  EXPECT_LE((dt - ds * z - e).norm(), 1e-6 * dt.norm());
  EXPECT_LE((z - z_sparse).norm(), 1e-6 * size);
  EXPECT_LE((z - found.solver.low_rank().matrix(1)).norm(), 1e-6 * size);
  EXPECT_LE((ds.transpose() * y.reconstruction - y.low_rank - y.sparse).norm(),
            1e-6 * std::max(1.0, y.low_rank.norm()));

  EXPECT_LE(spectral_norm(y.low_rank), 1 + 1e-6);
  EXPECT_LE(y.sparse.cwiseAbs().maxCoeff(), p.lambda2 * (1 + 1e-6));
  const double nuclear = found.solver.low_rank().values.sum();
  EXPECT_NEAR(y.low_rank.cwiseProduct(z).sum(), nuclear, 1e-6 * std::max(1.0, nuclear));
  const double absolute = p.lambda2 * z_sparse.cwiseAbs().sum();
  EXPECT_NEAR(y.sparse.cwiseProduct(z).sum(), absolute, 1e-6 * std::max(1.0, absolute));
  const bool by_column = p.norm == ErrorNorm::L21;
  const double largest =
      by_column ? y.reconstruction.colwise().norm().maxCoeff() : y.reconstruction.cwiseAbs().maxCoeff();
  EXPECT_LE(largest, p.lambda1 * (1 + 1e-6));
  const double errors = p.lambda1 * (by_column ? e.colwise().norm().sum() : e.cwiseAbs().sum());
  EXPECT_NEAR(y.reconstruction.cwiseProduct(e).sum(), errors, 1e-6 * std::max(1.0, errors));
  // Strong duality.
  EXPECT_NEAR(found.measure.dual_objective, found.measure.objective, 1e-6 * found.measure.objective);
}

INSTANTIATE_TEST_SUITE_P(RandomInstances, Optimality,
                         ::testing::Values(Convex{6, 25, 30, ErrorNorm::L21, 1.0, 0.05, 1},
                                           Convex{6, 25, 30, ErrorNorm::L1, 0.3, 0.05, 2},
                                           Convex{4, 40, 15, ErrorNorm::L21, 2.0, 0.1, 3},
                                           Convex{12, 7, 20, ErrorNorm::L1, 1.0, 0.1, 4},
                                           Convex{5, 20, 1, ErrorNorm::L21, 2.0, 0.1, 5},
                                           Convex{5, 1, 20, ErrorNorm::L21, 2.0, 0.1, 6},
                                           Convex{6, 20, 25, ErrorNorm::L21, 1.0, 0.0, 7}));

TEST(Reconstruct, ObjectiveEqualsALongTextbookRun) {
  const Matrix ds = random_matrix(5, 20, 11);
  const Matrix dt = random_matrix(5, 24, 12);
  TextbookAlm textbook(ds, dt, ErrorNorm::L21, 1.0, 0.1);
  for (int t = 0; t < 6000; ++t) textbook.step(1.0);
  const Optimum found(ds, dt, ErrorNorm::L21, {1.0, 0.1});
  EXPECT_NEAR(found.measure.objective, textbook.objective(), 1e-6 * textbook.objective());
}

TEST(Reconstruct, PrototypeSettingsLeaveTheConstraintNearlyExactInTwelveSweeps) {
  Matrix ds = random_matrix(10, 60, 13);
  Matrix dt = random_matrix(10, 50, 14);
  ds.colwise().normalize();
  dt.colwise().normalize();
  const Reconstruction r = reconstruct(ds, dt, {}, {});
  EXPECT_EQ(r.report.status, Status::IterationLimit);
  EXPECT_EQ(r.report.iterations, 12);
  for (const char* name : {"residual_reconstruction", "residual_sparse", "residual_low_rank", "residual_dual",
                           "objective", "dual_objective", "rank", "zero_share", "penalty"}) {
    EXPECT_EQ(r.report.series.at(name).size(), 12U) << name;
  }
  EXPECT_NEAR(r.report.series.at("penalty").back(), 0.18 * std::pow(1.5, 11), 1e-12);
  EXPECT_LT(r.report.series.at("residual_reconstruction").back(), 0.05);
}

TEST(Reconstruct, ZIsZeroUpToTheRelativeWeightOneAndNotBeyond) {
  for (const ErrorNorm norm : {ErrorNorm::L1, ErrorNorm::L21}) {
    const Matrix ds = random_matrix(6, 30, 15);
    const Matrix dt = random_matrix(6, 40, 16);
    const Optimum zero(ds, dt, norm, relative_weights(ds, dt, norm, 0.99, 0.0, 1));
    EXPECT_TRUE(zero.converged);
    EXPECT_EQ(zero.solver.low_rank().rank(), 0);
    EXPECT_LT(zero.z.norm(), 1e-6);
    const Optimum beyond(ds, dt, norm, relative_weights(ds, dt, norm, 1.2, 0.0, 1));
    EXPECT_GE(beyond.solver.low_rank().rank(), 1);
  }
  const ReconstructionWeights weights =
      relative_weights(random_matrix(3, 16, 1), random_matrix(3, 25, 2), ErrorNorm::L1, 1.0, 2.0, 1);
  EXPECT_DOUBLE_EQ(weights.sparsity, 2.0 / 5.0);
}

TEST(Reconstruct, RelativeWeightIsTheSpectralNormOfItsDefinition) {
  const Matrix ds = random_matrix(4, 9, 17);
  const Matrix dt = random_matrix(4, 11, 18);
  EXPECT_NEAR(relative_weights(ds, dt, ErrorNorm::L1, 3.0, 1.0, 1).error,
              3.0 / spectral_norm(ds.transpose() * dt.cwiseSign()), 1e-12);
  EXPECT_NEAR(relative_weights(ds, dt, ErrorNorm::L21, 3.0, 1.0, 1).error,
              3.0 / spectral_norm(ds.transpose() * dt.colwise().normalized()), 1e-12);
}

TEST(Reconstruct, ZeroTargetIsRebuiltByNothing) {
  const Reconstruction r = reconstruct(random_matrix(3, 8, 19), Matrix::Zero(3, 5), {}, {});
  EXPECT_EQ(r.report.status, Status::Converged);
  EXPECT_TRUE(r.z.isZero(0.0));
  EXPECT_TRUE(r.error.isZero(0.0));
  ASSERT_EQ(r.report.notes.size(), 1U);
  EXPECT_NE(r.report.notes[0].find("Z is zero"), std::string::npos);
}

TEST(Reconstruct, ZeroSourceLeavesEverythingToTheError) {
  const Matrix dt = random_matrix(3, 5, 20);
  const Optimum found(Matrix::Zero(3, 8), dt, ErrorNorm::L21, {1.0, 0.1});
  EXPECT_TRUE(found.converged);
  EXPECT_TRUE(found.z.isZero(1e-12));
  EXPECT_TRUE(found.solver.error().isApprox(dt, 1e-6));
}

TEST(Reconstruct, IdenticalSamplesShareTheReconstructionEvenly) {
  const Vector x = random_matrix(6, 1, 21);
  const Optimum found(x.replicate(1, 9), x.replicate(1, 7), ErrorNorm::L21, {5.0, 0.01});
  EXPECT_TRUE(found.converged);
  EXPECT_EQ(found.solver.low_rank().rank(), 1);
  EXPECT_LT((found.z.array() - found.z.mean()).abs().maxCoeff(), 1e-6);
  EXPECT_LT((x.replicate(1, 9) * found.z + found.solver.error() - x.replicate(1, 7)).norm(), 1e-6);
}

TEST(Reconstruct, AnOutlyingSampleIsLeftToItsErrorColumn) {
  // The dictionary and all samples but one lie in a subspace of dimension 3.
  const Matrix basis = linalg::orthonormal_basis(random_matrix(8, 4, 22));
  const Matrix ds = basis.leftCols(3) * random_matrix(3, 20, 23);
  Matrix dt = ds.leftCols(12);
  dt.col(5) += 3.0 * basis.col(3);
  const Matrix error = Optimum(ds, dt, ErrorNorm::L21, {3.0, 0.01}).solver.error();
  Index worst = 0;
  error.colwise().norm().maxCoeff(&worst);
  EXPECT_EQ(worst, 5);
  EXPECT_GE(error.col(5).norm(), 2.9);
}

TEST(Reconstruct, StoppedByTheCallbackReturnsTheLastIteration) {
  const Matrix ds = random_matrix(4, 15, 26);
  const Matrix dt = random_matrix(4, 18, 27);
  Context context;
  context.on_iteration = [](const IterationInfo& info) {
    EXPECT_EQ(info.phase, "reconstruction");
    return info.iteration == 5 ? Decision::Stop : Decision::Continue;
  };
  const Reconstruction stopped = reconstruct(ds, dt, {}, context);
  EXPECT_EQ(stopped.report.status, Status::Stopped);
  EXPECT_EQ(stopped.report.iterations, 5);
  ReconstructionOptions five;
  five.iterations = 5;
  EXPECT_EQ(stopped.z, reconstruct(ds, dt, five, {}).z);
  Context cancelled;
  cancelled.cancel = [] { return true; };
  EXPECT_THROW(reconstruct(ds, dt, {}, cancelled), Cancelled);
}

TEST(Reconstruct, StallsWhereTheToleranceIsBelowRounding) {
  ReconstructionOptions o;
  o.weights = {1.0, 0.1};
  o.penalty = 1.0;
  o.growth = 1.0;
  o.iterations = 20000;
  o.tolerance = 1e-19;
  const Reconstruction r = reconstruct(random_matrix(3, 6, 28), random_matrix(3, 7, 29), o, {});
  EXPECT_EQ(r.report.status, Status::Stalled);
}

TEST(Reconstruct, NamesWhatIsWrongWithItsOptions) {
  const Matrix x = random_matrix(2, 3, 32);
  ReconstructionOptions o;
  o.iterations = 0;
  EXPECT_THROW(reconstruct(x, x, o, {}), InvalidArgument);
  o = {};
  o.growth = 0.5;
  EXPECT_THROW(reconstruct(x, x, o, {}), InvalidArgument);
  o = {};
  o.tolerance = -1;
  EXPECT_THROW(reconstruct(x, x, o, {}), InvalidArgument);
}

}  // namespace
}  // namespace isthmus
