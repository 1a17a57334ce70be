#include "alm/reconstructor.h"

#include <gtest/gtest.h>

#include "isthmus/errors.h"
#include "random_data.h"
#include "textbook.h"

namespace isthmus {
namespace {

using testing::random_matrix;
using testing::TextbookAlm;

struct Instance {
  Index k, ns, nt;
  ErrorNorm norm;
  double lambda1, lambda2;
};

class AgainstTextbook : public ::testing::TestWithParam<Instance> {};

TEST_P(AgainstTextbook, HundredsOfFusedStepsGiveTheSameIterates) {
  const Instance p = GetParam();
  const Matrix ds = random_matrix(p.k, p.ns, 1);
  const Matrix dt = random_matrix(p.k, p.nt, 2);
  TextbookAlm textbook(ds, dt, p.norm, p.lambda1, p.lambda2);
  double mu = 0.3;
  Reconstructor solver(p.k, p.ns, p.nt, {p.norm, {p.lambda1, p.lambda2}, 0}, mu, 1);
  Matrix z;
  for (int t = 0; t < 300; ++t) {
    textbook.step(mu);
    solver.step(ds, dt, 1, &z);
    mu *= t < 100 ? 1.02 : 1.0;
    solver.set_penalty(mu);
  }
  EXPECT_LE((z - textbook.z).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_LE((solver.low_rank().matrix(1) - textbook.zl).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_LE((solver.sparse() - textbook.zs).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_LE((solver.error() - textbook.e).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_LE((solver.multipliers().reconstruction - textbook.y1).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LE((solver.multipliers().low_rank - textbook.y2).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LE((solver.scaled_multiplier() - textbook.y1 / mu).cwiseAbs().maxCoeff(), 1e-9);
  const ReconstructionMeasure m = solver.measure(ds, dt, 1);
  EXPECT_NEAR(m.objective, textbook.objective(), 1e-9 * textbook.objective());
}

INSTANTIATE_TEST_SUITE_P(Shapes, AgainstTextbook,
                         ::testing::Values(Instance{6, 30, 45, ErrorNorm::L21, 1.0, 0.1},
                                           Instance{6, 40, 25, ErrorNorm::L1, 0.3, 0.05},
                                           Instance{20, 8, 33, ErrorNorm::L21, 1.0, 0.2},  // k > ns
                                           Instance{5, 30, 1, ErrorNorm::L21, 2.0, 0.1},   // nt = 1
                                           Instance{5, 1, 30, ErrorNorm::L1, 1.0, 0.1},    // ns = 1
                                           Instance{6, 30, 40, ErrorNorm::L21, 1.0, 0.0}   // no sparse copy
                                           ));

TEST(Reconstructor, EachBlockOfAStepLowersTheAugmentedLagrangian) {
  const Matrix ds = random_matrix(6, 30, 8);
  const Matrix dt = random_matrix(6, 45, 9);
  const double mu = 0.7;
  const double lambda1 = 1.0;
  const double lambda2 = 0.1;
  Reconstructor solver(6, 30, 45, {ErrorNorm::L21, {lambda1, lambda2}, 0}, mu, 1);
  Matrix z;
  solver.step(ds, dt, 1, &z);
  for (int t = 0; t < 20; ++t) {
    const ReconstructionMultipliers y = solver.multipliers();
    const auto lagrangian = [&](const Matrix& zz, const linalg::LowRank& zl, const Matrix& zs,
                                const Matrix& e) {
      const Matrix low = zl.matrix(1);
      const Matrix gap = dt - ds * zz - e;
      return zl.values.sum() + lambda2 * zs.cwiseAbs().sum() + lambda1 * e.colwise().norm().sum() +
             y.reconstruction.cwiseProduct(gap).sum() + y.low_rank.cwiseProduct(zz - low).sum() +
             y.sparse.cwiseProduct(zz - zs).sum() +
             0.5 * mu * (gap.squaredNorm() + (zz - low).squaredNorm() + (zz - zs).squaredNorm());
    };
    const Matrix z_before = z;
    const linalg::LowRank low_before = solver.low_rank();
    const Matrix sparse_before = solver.sparse();
    const Matrix error_before = solver.error();
    solver.step(ds, dt, 1, &z);
    const double start = lagrangian(z_before, low_before, sparse_before, error_before);
    const double after_z = lagrangian(z, low_before, sparse_before, error_before);
    const double after_low = lagrangian(z, solver.low_rank(), sparse_before, error_before);
    const double after_sparse = lagrangian(z, solver.low_rank(), solver.sparse(), error_before);
    const double after_error = lagrangian(z, solver.low_rank(), solver.sparse(), solver.error());
    EXPECT_LE(after_z, start + 1e-9);
    EXPECT_LE(after_low, after_z + 1e-9);
    EXPECT_LE(after_sparse, after_low + 1e-9);
    EXPECT_LE(after_error, after_sparse + 1e-9);
    EXPECT_LT(after_error, start);
  }
}

TEST(Reconstructor, FollowsDictionariesThatChangeFromStepToStep) {
  TextbookAlm textbook(random_matrix(4, 12, 1), random_matrix(4, 17, 2), ErrorNorm::L1, 0.5, 0.1);
  Reconstructor solver(4, 12, 17, {ErrorNorm::L1, {0.5, 0.1}, 0}, 0.1, 1);
  Matrix z;
  double mu = 0.1;
  for (int t = 0; t < 20; ++t) {
    const Matrix ds =
        random_matrix(4, 12, 1) + 0.1 * random_matrix(4, 12, static_cast<std::uint64_t>(100 + t));
    const Matrix dt =
        random_matrix(4, 17, 2) + 0.1 * random_matrix(4, 17, static_cast<std::uint64_t>(200 + t));
    textbook.ds = ds;
    textbook.dt = dt;
    textbook.inverse = (ds.transpose() * ds + 2.0 * Matrix::Identity(12, 12)).inverse();
    textbook.step(mu);
    solver.step(ds, dt, 1, &z);
    mu *= 1.1;
    solver.set_penalty(mu);
    ASSERT_LE((z - textbook.z).cwiseAbs().maxCoeff(), 1e-11) << "step " << t;
  }
}

TEST(Reconstructor, MeasuresTheResidualsOfItsDefinition) {
  const Matrix ds = random_matrix(5, 20, 3);
  const Matrix dt = random_matrix(5, 70, 4);
  Reconstructor solver(5, 20, 70, {ErrorNorm::L21, {1.0, 0.1}, 0}, 0.5, 1);
  Matrix z;
  for (int t = 0; t < 7; ++t) solver.step(ds, dt, 1, &z);
  const ReconstructionMeasure m = solver.measure(ds, dt, 1);
  const Matrix zl = solver.low_rank().matrix(1);
  const Matrix zs = solver.sparse();
  const auto y = solver.multipliers();
  const double size = std::max({zl.norm(), zs.norm(), dt.norm() / ds.norm()});
  EXPECT_NEAR(m.reconstruction_residual, (dt - ds * z - solver.error()).norm() / dt.norm(), 1e-13);
  EXPECT_NEAR(m.sparse_residual, (z - zs).norm() / size, 1e-13);
  EXPECT_NEAR(m.low_rank_residual, (zl - zs).norm() / size, 1e-13);
  const Matrix image = ds.transpose() * y.reconstruction;
  EXPECT_NEAR(m.dual_residual, (y.low_rank + y.sparse - image).norm() / std::max(1.0, image.norm()), 1e-12);
  EXPECT_NEAR(m.dual_objective, y.reconstruction.cwiseProduct(dt).sum(), 1e-11);
  EXPECT_DOUBLE_EQ(m.zero_share,
                   static_cast<double>((zs.array() == 0).count()) / static_cast<double>(zs.size()));
}

TEST(Reconstructor, GivesTheSameBytesOnAnyNumberOfThreads) {
  const Matrix ds = random_matrix(6, 50, 5);
  const Matrix dt = random_matrix(6, 131, 6);
  const auto run = [&](int threads) {
    Reconstructor solver(6, 50, 131, {ErrorNorm::L21, {1.0, 0.1}, 3}, 0.2, 1);
    Matrix z;
    for (int t = 0; t < 25; ++t) {
      solver.step(ds, dt, threads, &z);
      solver.set_penalty(1.1 * solver.penalty());
    }
    const ReconstructionMeasure m = solver.measure(ds, dt, threads);
    return std::pair(z, m.objective + m.dual_residual);
  };
  const auto one = run(1);
  EXPECT_EQ(one, run(1));
  EXPECT_EQ(one, run(2));
  EXPECT_EQ(one, run(3));
}

TEST(Reconstructor, NamesWhatIsWrongWithItsArguments) {
  EXPECT_THROW(Reconstructor(0, 1, 1, {}, 1.0, 1), InvalidArgument);
  EXPECT_THROW(Reconstructor(1, 1, 1, {ErrorNorm::L1, {0.0, 0.1}, 0}, 1.0, 1), InvalidArgument);
  EXPECT_THROW(Reconstructor(1, 1, 1, {ErrorNorm::L1, {1.0, -0.1}, 0}, 1.0, 1), InvalidArgument);
  EXPECT_THROW(Reconstructor(1, 1, 1, {}, 0.0, 1), InvalidArgument);
  Reconstructor solver(2, 3, 4, {}, 1.0, 1);
  EXPECT_THROW(solver.step(Matrix::Zero(2, 4), Matrix::Zero(2, 4), 1), InvalidArgument);
}

}  // namespace
}  // namespace isthmus
