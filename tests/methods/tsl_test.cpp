#include "methods/tsl.h"

#include <gtest/gtest.h>

#include "isthmus/adapt.h"
#include "isthmus/errors.h"
#include "toy_domains.h"

namespace isthmus {
namespace {

using testing::labels_of;
using testing::random_matrix;
using testing::toy_domains;
using testing::ToyDomains;

class TslCriteria : public ::testing::TestWithParam<TransferCriterion> {};

TEST_P(TslCriteria, EveryAcceptedStepLowersTheObjective) {
  const ToyDomains toy = toy_domains(10, 30, 3, 1);
  const TslOptions options{.criterion = GetParam(), .components = 3, .iterations = 40, .tolerance = 0};
  const Report report = fit_tsl(toy.pair(), options, {}).report;
  ASSERT_GT(report.iterations, 5);
  double last = report.facts.at("objective_start");
  for (int i = 0; i < report.iterations; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const double objective = report.series.at("objective")[at];
    EXPECT_LT(objective, last);
    EXPECT_NEAR(objective,
                report.series.at("criterion")[at] + options.lambda * report.series.at("divergence")[at],
                1e-13);
    last = objective;
  }
  EXPECT_EQ(report.series.at("gradient_norm").size(), static_cast<std::size_t>(report.iterations));
}

TEST_P(TslCriteria, TheSubspaceStaysOrthonormal) {
  const ToyDomains toy = toy_domains(10, 30, 3, 2);
  const ModelState state =
      fit_tsl(toy.pair(), {.criterion = GetParam(), .components = 4, .iterations = 60}, {});
  const Matrix& w = state.branches[0].embedding.projection;
  EXPECT_LT((w.transpose() * w - Matrix::Identity(4, 4)).norm(), 1e-12);
}

TEST_P(TslCriteria, ResultsAreTheSameBytesOnAnyNumberOfThreads) {
  const ToyDomains toy = toy_domains(8, 120, 3, 3);
  const TslOptions options{.criterion = GetParam(), .components = 3, .iterations = 10};
  const ModelState one = fit_tsl(toy.pair(), options, {.threads = 1});
  const ModelState two = fit_tsl(toy.pair(), options, {.threads = 2});
  EXPECT_EQ(one.branches[0].embedding.projection, two.branches[0].embedding.projection);
  EXPECT_EQ(one.report.series, two.report.series);
  EXPECT_EQ(one.target.labels, two.target.labels);
}

INSTANTIATE_TEST_SUITE_P(Both, TslCriteria,
                         ::testing::Values(TransferCriterion::Fisher, TransferCriterion::Pca));

TEST(Tsl, TheDivergenceTermBringsTheDomainsTogether) {
  const ToyDomains toy = toy_domains(10, 40, 3, 4);
  const auto divergence = [&](double lambda) {
    return fit_tsl(toy.pair(), {.components = 2, .lambda = lambda}, {}).report.series.at("divergence").back();
  };
  EXPECT_LT(divergence(100.0), divergence(0.0));
}

TEST(Tsl, WithoutStepsItIsTheJointPrincipalSubspace) {
  const ToyDomains toy = toy_domains(10, 20, 3, 5);
  const AdaptRequest tsl{.method = "tsl",
                         .options = {{"components", "4"}, {"iterations", "0"}, {"normalize", "false"}},
                         .preprocessing = {}};
  const AdaptRequest pca{.method = "pca", .options = {{"components", "4"}}, .preprocessing = {}};
  const Model model = adapt(toy.pair(), tsl);
  EXPECT_EQ(model.target().labels, labels_of(toy, pca));
  EXPECT_EQ(model.report().status, Status::IterationLimit);
}

TEST(Tsl, DrawsSamplesBeyondTheLimitAndSaysSo) {
  const ToyDomains toy = toy_domains(6, 40, 3, 6);
  const TslOptions options{.components = 2, .max_samples = 50};
  const Report first = fit_tsl(toy.pair(), options, {.seed = 1}).report;
  EXPECT_EQ(first.facts.at("divergence_source_samples"), 50);
  EXPECT_EQ(first.facts.at("divergence_target_samples"), 50);
  ASSERT_EQ(first.notes.size(), 1U);
  EXPECT_NE(first.notes[0].find("50 of 120 source"), std::string::npos) << first.notes[0];
  EXPECT_EQ(first.series, fit_tsl(toy.pair(), options, {.seed = 1}).report.series);
  EXPECT_NE(first.series, fit_tsl(toy.pair(), options, {.seed = 2}).report.series);
  const Report whole = fit_tsl(toy.pair(), {.components = 2, .max_samples = 120}, {}).report;
  EXPECT_TRUE(whole.notes.empty());
}

TEST(Tsl, ReportsEachStepAndStopsWhenAsked) {
  const ToyDomains toy = toy_domains(6, 20, 3, 7);
  int heard = 0;
  Context context;
  context.on_iteration = [&](const IterationInfo& info) {
    EXPECT_EQ(info.iteration, ++heard);
    EXPECT_EQ(info.limit, 50);
    return heard == 3 ? Decision::Stop : Decision::Continue;
  };
  const ModelState state = fit_tsl(toy.pair(), {.components = 2, .tolerance = 0}, context);
  EXPECT_EQ(heard, 3);
  EXPECT_EQ(state.report.status, Status::Stopped);
  EXPECT_EQ(state.target.labels.size(), 60U);
}

TEST(Tsl, ConvergesByItsTolerance) {
  const ToyDomains toy = toy_domains(6, 20, 3, 8);
  const Report report =
      fit_tsl(toy.pair(), {.components = 2, .iterations = 1000, .tolerance = 1e-4}, {}).report;
  EXPECT_EQ(report.status, Status::Converged);
  EXPECT_LT(report.iterations, 1000);
}

TEST(Tsl, TakesTheGivenBandwidthOrTheMedianDistance) {
  const ToyDomains toy = toy_domains(6, 20, 3, 9);
  EXPECT_EQ(fit_tsl(toy.pair(), {.components = 2, .bandwidth = 3.5}, {}).report.facts.at("bandwidth"), 3.5);
  EXPECT_GT(fit_tsl(toy.pair(), {.components = 2}, {}).report.facts.at("bandwidth"), 0.0);
}

TEST(Tsl, TakesSmallAndFlatDomains) {
  ToyDomains wide = toy_domains(50, 4, 2, 10);  // more features than samples
  EXPECT_NO_THROW(fit_tsl(wide.pair(), {.components = 5}, {}));
  EXPECT_THROW(fit_tsl(wide.pair(), {.components = 16}, {}), InvalidArgument)
      << "16 samples span 15 dimensions";
  wide.target = wide.target.leftCols(1).eval();
  wide.target_names = {"class0"};
  EXPECT_EQ(fit_tsl(wide.pair(), {.components = 3}, {}).target.labels.size(), 1U);

  ToyDomains flat = toy_domains(6, 10, 2, 11);
  flat.target.setZero();
  flat.source.leftCols(12).setZero();  // most samples coincide: the median distance is zero
  EXPECT_NO_THROW(fit_tsl(flat.pair(), {.components = 2}, {}));
  flat.source.setZero();
  EXPECT_THROW(fit_tsl(flat.pair(), {.components = 2}, {}), InvalidArgument) << "nothing varies";
  flat.target = random_matrix(6, 20, 12);
  EXPECT_THROW(fit_tsl(flat.pair(), {.components = 2}, {}), InvalidArgument) << "the source does not vary";
}

}  // namespace
}  // namespace isthmus
