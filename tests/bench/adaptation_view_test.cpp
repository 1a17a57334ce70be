#include "bench/adaptation_view.h"

#include <gtest/gtest.h>

#include <set>

#include "isthmus/adapt.h"
#include "isthmus/data.h"
#include "toy_domains.h"

namespace isthmus {
namespace {

using nlohmann::ordered_json;

double sum_of(const ordered_json& numbers) {
  double sum = 0;
  for (const ordered_json& number : numbers) sum += number.get<double>();
  return sum;
}

TEST(AdaptationView, KnowsTheDistanceOfTheMeans) {
  // Two classes on a line at ±1, the target 3 further: by hand, the means are 3 apart, and the variance of
  // all four samples is that of {-1, 1, 2, 4}.
  Matrix source(2, 2);
  source << -1, 1, 0, 0;
  Matrix target(2, 2);
  target << 2, 4, 0, 0;
  const DomainPair pair({source, encode_labels({"a", "b"})}, {target, {}});
  const Model model = adapt(pair, {.method = "nn", .preprocessing = {}});
  const ordered_json view = adaptation_view(pair, model, {});
  const double variance = (1 + 1 + 4 + 16) / 4.0 - 1.5 * 1.5;
  EXPECT_NEAR(view.at("mmd").at("before").at("marginal").get<double>(), 9 / variance, 1e-12);
  // 1-NN gives both targets the label b: (3 − 1)² for the one class that both have.
  EXPECT_NEAR(view.at("mmd").at("after").at("conditional").get<double>(), 4 / variance, 1e-12);
  EXPECT_FALSE(view.contains("confusion"));
}

TEST(AdaptationView, CountsEverySampleOnce) {
  const DomainPair pair = testing::toy_domains(6, 20, 3, 1).pair();
  const Model model = adapt(pair, {.method = "jda", .options = {{"components", "3"}}, .preprocessing = {}});
  const ordered_json view = adaptation_view(pair, model, {});
  EXPECT_EQ(sum_of(view.at("per_class").at("source")), 60);
  EXPECT_EQ(sum_of(view.at("per_class").at("predicted")), 60);
  double confused = 0;
  for (const ordered_json& row : view.at("confusion")) confused += sum_of(row);
  EXPECT_EQ(confused, 60);
  EXPECT_EQ(view.at("points").at("after").size(), 120U);
}

TEST(AdaptationView, DrawsAtMostTwoThousandSamplesOfEveryClass) {
  const DomainPair pair = make_demo({.source_count = 3000, .target_count = 500});
  const Model model = adapt(pair, {.method = "pca", .options = {{"components", "5"}}, .preprocessing = {}});
  const ordered_json points = adaptation_view(pair, model, {}).at("points");
  EXPECT_EQ(points.at("sample").size(), 2000U);
  EXPECT_EQ(points.at("before").size(), 2000U);
  const auto labels = points.at("label").get<std::vector<int>>();
  EXPECT_EQ(std::set<int>(labels.begin(), labels.begin() + 1500).size(), 10U);
}

TEST(AdaptationView, ShowsTheReconstructionByClasses) {
  const DomainPair pair = testing::toy_domains(6, 10, 2, 3).pair();
  const Model model = adapt(
      pair,
      {.method = "rsa-cdda", .options = {{"components", "3"}, {"explain", "true"}}, .preprocessing = {}});
  const ordered_json view = adaptation_view(pair, model, {});
  const ordered_json& z = view.at("reconstruction");
  for (int d = 0; d < 2; ++d) {
    EXPECT_NEAR(z.at("blocks")[0][d].get<double>() + z.at("blocks")[1][d].get<double>(), 1, 1e-4);
  }
  EXPECT_GT(z.at("blocks")[0][0], 0.5);
  EXPECT_EQ(view.at("outliers").size(), 20U);
  EXPECT_GE(view.at("outliers")[0].at("score"), view.at("outliers")[1].at("score"));
}

}  // namespace
}  // namespace isthmus
