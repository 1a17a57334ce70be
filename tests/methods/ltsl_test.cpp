#include "methods/ltsl.h"

#include <gtest/gtest.h>

#include "isthmus/adapt.h"
#include "isthmus/errors.h"
#include "methods/pca.h"
#include "toy_domains.h"

namespace isthmus {
namespace {

using testing::random_matrix;
using testing::toy_domains;
using testing::ToyDomains;

LtslOptions options(LtslCriterion criterion, int components = 3) {
  LtslOptions o;
  o.criterion = criterion;
  o.components = components;
  return o;
}

class EitherCriterion : public ::testing::TestWithParam<LtslCriterion> {};

TEST_P(EitherCriterion, TheProjectionStepNeverRaisesTheEnergy) {
  for (std::uint64_t seed = 1; seed < 6; ++seed) {
    LtslOptions o = options(GetParam());
    o.rounds = 8;
    o.tolerance = 0;
    const ModelState state = fit_ltsl(toy_domains(8, 12, 4, 10 * seed).pair(), o, {});
    const auto& before = state.report.series.at("energy_before_projection");
    const auto& after = state.report.series.at("energy");
    ASSERT_EQ(before.size(), after.size());
    ASSERT_GE(before.size(), 2U);
    for (std::size_t t = 0; t < before.size(); ++t) {
      EXPECT_LE(after[t], before[t] + 1e-9 * std::abs(before[t])) << "seed " << seed << " round " << t;
    }
  }
}

TEST_P(EitherCriterion, ReportsEveryRound) {
  const ModelState state = fit_ltsl(toy_domains(8, 10, 4, 3).pair(), options(GetParam()), {});
  for (const char* name : {"energy", "criterion", "nuclear_norm", "rank", "residual_reconstruction"}) {
    EXPECT_EQ(state.report.series.at(name).size(), static_cast<std::size_t>(state.report.iterations)) << name;
  }
  EXPECT_EQ(state.report.facts.at("components"), 3);
  EXPECT_EQ(state.target.outlier_scores.size(), 40);
}

TEST_P(EitherCriterion, AStopReturnsTheStateSoFar) {
  const ToyDomains toy = toy_domains(6, 8, 4, 4);
  Context context;
  context.on_iteration = [](const IterationInfo&) { return Decision::Stop; };
  const ModelState stopped = fit_ltsl(toy.pair(), options(GetParam()), context);
  EXPECT_EQ(stopped.report.status, Status::Stopped);
  LtslOptions one = options(GetParam());
  one.rounds = 1;
  EXPECT_EQ(stopped.branches[0].embedding.projection,
            fit_ltsl(toy.pair(), one, {}).branches[0].embedding.projection);
}

TEST_P(EitherCriterion, HandlesMoreFeaturesThanSamplesAndASingleTargetSample) {
  ToyDomains toy = toy_domains(30, 3, 4, 6);
  toy.target = toy.target.leftCols(1).eval();
  toy.target_names.resize(1);
  const ModelState state = fit_ltsl(toy.pair(), options(GetParam()), {});
  EXPECT_EQ(state.target.labels.size(), 1U);
  EXPECT_TRUE(state.branches[0].embedding.projection.allFinite());
}

TEST_P(EitherCriterion, IdenticalSamplesGiveAFiniteModel) {
  ToyDomains toy = toy_domains(4, 5, 2, 7);
  toy.source.setOnes();
  toy.target.setOnes();
  const ModelState state = fit_ltsl(toy.pair(), options(GetParam(), 1), {});
  EXPECT_TRUE(state.target.probabilities.allFinite());
}

TEST_P(EitherCriterion, PrototypesLimitWhatMayRebuild) {
  const ToyDomains toy = toy_domains(6, 20, 3, 5);
  LtslOptions o = options(GetParam(), 2);
  o.prototypes = 6;
  const ModelState state = fit_ltsl(toy.pair(), o, {});
  EXPECT_LE(state.report.series.at("rank").back(), 6);
  EXPECT_GT(accuracy_percent(state.target.labels, toy.pair().target_truth()), 60.0);
}

INSTANTIATE_TEST_SUITE_P(Ltsl, EitherCriterion, ::testing::Values(LtslCriterion::Pca, LtslCriterion::Lda));

TEST(Ltsl, WithTheErrorNearlyFreePcaRules) {
  const ToyDomains toy = toy_domains(8, 12, 4, 8);
  LtslOptions o = options(LtslCriterion::Pca);
  o.lambda = 1e-9;
  const Matrix p = fit_ltsl(toy.pair(), o, {}).branches[0].embedding.projection;
  const Matrix q = fit_pca(toy.pair(), {.components = 3}, {}).branches[0].embedding.projection;
  EXPECT_LT((p * p.transpose() - q * q.transpose()).norm(), 1e-6);
}

TEST(Ltsl, LdaNormalisesTheProjectionInTheSourceMetric) {
  const ToyDomains toy = toy_domains(8, 12, 4, 9);
  LtslOptions o = options(LtslCriterion::Lda);
  o.ridge = 0;
  const Matrix p = fit_ltsl(toy.pair(), o, {}).branches[0].embedding.projection;
  const Matrix centred = toy.source.colwise() - toy.source.rowwise().mean();
  const Matrix metric =
      p.transpose() * centred * centred.transpose() * p / static_cast<double>(toy.source.cols());
  EXPECT_LT((metric - Matrix::Identity(3, 3)).norm(), 1e-8);
}

TEST(Ltsl, AZeroReconstructionIsTold) {
  LtslOptions o = options(LtslCriterion::Pca);
  o.lambda = 1e-9;
  o.growth = 1.0;  // a penalty that grows fast stops the reconstruction before it has shrunk to zero
  o.sweeps = 300;
  const ModelState state = fit_ltsl(toy_domains(8, 12, 4, 8).pair(), o, {});
  ASSERT_FALSE(state.report.notes.empty());
  EXPECT_NE(state.report.notes[0].find("Z is zero"), std::string::npos);
}

}  // namespace
}  // namespace isthmus
