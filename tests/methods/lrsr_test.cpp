#include "methods/lrsr.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <atomic>

#include "isthmus/adapt.h"
#include "isthmus/errors.h"
#include "linalg/eigen.h"
#include "toy_domains.h"

namespace isthmus {
namespace {

using testing::random_matrix;
using testing::toy_domains;
using testing::ToyDomains;

/// The published updates, one after the other, with explicit inverses and every variable kept.
Matrix published_projection(const DomainPair& pair, const LrsrOptions& o) {
  const Matrix xs = pair.source().view();
  const Matrix xt = pair.target().view();
  const Index d = xs.rows();
  const auto soft = [](const Matrix& x, double t) -> Matrix {
    return (x.array().sign() * (x.array().abs() - t).max(0)).matrix();
  };
  Matrix y = Matrix::Zero(pair.class_count(), xs.cols());
  for (Index i = 0; i < xs.cols(); ++i) y(pair.source_labels()[static_cast<std::size_t>(i)], i) = 1;
  const Matrix b = (2 * y.array() - 1).matrix();
  Matrix m = Matrix::Zero(y.rows(), y.cols());
  Matrix z = Matrix::Zero(xs.cols(), xt.cols());
  Matrix zl = z, zs = z, y2 = z, y3 = z, p;
  Matrix e = Matrix::Zero(y.rows(), xt.cols());
  Matrix y1 = e;
  double mu = o.penalty;
  for (int t = 0; t < o.iterations; ++t) {
    const Matrix v = xt - xs * z;
    const Matrix left = xs * xs.transpose() + 2 * o.gamma * Matrix::Identity(d, d) + mu * v * v.transpose();
    p = left.inverse() * (xs * (y + b.cwiseProduct(m)).transpose() + mu * v * (e - y1 / mu).transpose());
    const Matrix ds = p.transpose() * xs;
    const Matrix dt = p.transpose() * xt;
    z = (ds.transpose() * ds + 2 * Matrix::Identity(xs.cols(), xs.cols())).inverse() *
        (zl + zs - (y2 + y3) / mu + ds.transpose() * (dt - e + y1 / mu));
    const linalg::Svd svd = linalg::thin_svd(z + y2 / mu);
    zl = svd.u * (svd.values.array() - 1 / mu).max(0).matrix().asDiagonal() * svd.v.transpose();
    zs = soft(z + y3 / mu, o.alpha / mu);
    e = soft(dt - ds * z + y1 / mu, o.beta / mu);
    m = b.cwiseProduct(ds - y).cwiseMax(0);
    y1 += mu * (dt - ds * z - e);
    y2 += mu * (z - zl);
    y3 += mu * (z - zs);
    mu *= o.growth;
  }
  return p;
}

TEST(Lrsr, FollowsThePublishedUpdates) {
  const ToyDomains toy = toy_domains(9, 8, 3, 1);
  double last_rank = 0;
  for (const int iterations : {1, 5, 60}) {
    LrsrOptions o;
    o.iterations = iterations;
    o.penalty = 10.0;  // large enough for Z to leave zero
    o.beta = 0.1;
    o.alpha = 0.05;
    const Matrix expected = published_projection(toy.pair(), o);
    const ModelState state = fit_lrsr(toy.pair(), o, {});
    EXPECT_LT((state.branches[0].embedding.projection - expected).norm(), 1e-9 * expected.norm())
        << iterations;
    last_rank = state.report.series.at("rank").back();
  }
  EXPECT_GT(last_rank, 0);
}

TEST(Lrsr, RelaxedLabelsNeverRaiseTheRegressionOfTheSameProjection) {
  const ToyDomains toy = toy_domains(9, 10, 3, 2);
  const DomainPair pair = toy.pair();
  const ModelState state = fit_lrsr(pair, {}, {});
  const Matrix& p = state.branches[0].embedding.projection;
  Matrix y = Matrix::Zero(3, pair.source_count());
  for (Index i = 0; i < y.cols(); ++i) y(pair.source_labels()[static_cast<std::size_t>(i)], i) = 1;
  const double strict = 0.5 * (p.transpose() * pair.source().view() - y).squaredNorm() + p.squaredNorm();
  EXPECT_LE(state.report.series.at("regression").back(), strict);
  EXPECT_GE(state.report.series.at("regression").back(), p.squaredNorm());
}

TEST(Lrsr, ReportsEverySweep) {
  const ModelState state = fit_lrsr(toy_domains(6, 8, 3, 3).pair(), {}, {});
  EXPECT_EQ(state.report.status, Status::IterationLimit);
  EXPECT_EQ(state.report.iterations, 5);
  for (const char* name : {"objective", "regression", "residual_reconstruction", "residual_sparse",
                           "residual_low_rank", "residual_dual", "rank", "zero_share"}) {
    EXPECT_EQ(state.report.series.at(name).size(), 5U) << name;
  }
  EXPECT_EQ(state.target.outlier_scores.size(), 24);
}

TEST(Lrsr, AStopReturnsTheStateSoFar) {
  const ToyDomains toy = toy_domains(6, 8, 3, 4);
  Context context;
  context.on_iteration = [](const IterationInfo& info) {
    return info.iteration == 2 ? Decision::Stop : Decision::Continue;
  };
  const ModelState stopped = fit_lrsr(toy.pair(), {}, context);
  EXPECT_EQ(stopped.report.status, Status::Stopped);
  EXPECT_EQ(stopped.report.iterations, 2);
  LrsrOptions two;
  two.iterations = 2;
  EXPECT_EQ(stopped.branches[0].embedding.projection,
            fit_lrsr(toy.pair(), two, {}).branches[0].embedding.projection);
}

TEST(Lrsr, PrototypesLimitWhatMayRebuild) {
  const ToyDomains toy = toy_domains(6, 20, 3, 5);
  LrsrOptions o;
  o.prototypes = 9;
  o.penalty = 1.0;
  const ModelState few = fit_lrsr(toy.pair(), o, {});
  EXPECT_LE(few.report.series.at("rank").back(), 9);
  const std::vector<int> truth = toy.pair().target_truth();
  EXPECT_GT(accuracy_percent(few.target.labels, truth), 80.0);
}

TEST(Lrsr, HandlesMoreFeaturesThanSamplesAndASingleTargetSample) {
  ToyDomains toy = toy_domains(30, 3, 2, 6);
  toy.target = toy.target.leftCols(1).eval();
  toy.target_names.resize(1);
  const ModelState state = fit_lrsr(toy.pair(), {}, {});
  EXPECT_EQ(state.target.labels.size(), 1U);
  EXPECT_TRUE(state.branches[0].embedding.projection.allFinite());
}

TEST(Lrsr, IdenticalSamplesGiveAFiniteModel) {
  ToyDomains toy = toy_domains(4, 5, 2, 7);
  toy.source.setOnes();
  toy.target.setOnes();
  const ModelState state = fit_lrsr(toy.pair(), {}, {});
  EXPECT_TRUE(state.target.probabilities.allFinite());
}

TEST(Lrsr, AClassWithOneSampleIsKept) {
  ToyDomains toy = toy_domains(6, 10, 3, 8);
  for (std::size_t i = 3; i < toy.source_names.size(); ++i) {
    if (toy.source_names[i] == "class2") toy.source_names[i] = "class1";
  }
  const ModelState state = fit_lrsr(toy.pair(), {}, {});
  EXPECT_EQ(state.target.probabilities.rows(), 3);
}

}  // namespace
}  // namespace isthmus
