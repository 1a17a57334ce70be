#include "domain/domain_gap.h"

#include <gtest/gtest.h>

#include "isthmus/adapt.h"
#include "isthmus/data.h"
#include "toy_domains.h"

namespace isthmus {
namespace {

using testing::toy_domains;

/// The pair with source features at mean 0 and deviation 1, as a scaler fitted on the source leaves it.
DomainPair with_scaled_source(const DomainPair& pair, bool target_too) {
  Matrix source = pair.source().view();
  Matrix target = pair.target().view();
  const Vector mean = source.rowwise().mean();
  Vector spread =
      ((source.colwise() - mean).rowwise().squaredNorm() / static_cast<double>(source.cols())).cwiseSqrt();
  spread = (spread.array() > 0).select(spread, 1.0);
  const auto scale = [&](Matrix& samples) {
    samples = spread.cwiseInverse().asDiagonal() * (samples.colwise() - mean);
  };
  scale(source);
  if (target_too) scale(target);
  return {{source, Labels{pair.classes(), pair.source_labels()}}, {target, {}}};
}

std::vector<std::string> warnings(DomainPair pair, const std::string& method,
                                  const std::string& preparation) {
  return adapt(std::move(pair), {.method = method, .preprocessing = Preprocessing::parse(preparation)})
      .report()
      .warnings;
}

TEST(DomainGap, WarnsOfATargetThatWasNotScaledLikeTheSource) {
  const DomainPair demo = make_demo({300, 300});
  EXPECT_TRUE(warnings(demo, "nn", "l2").empty());
  EXPECT_TRUE(warnings(with_scaled_source(demo, true), "nn", "l2").empty());
  EXPECT_TRUE(warnings(with_scaled_source(demo, false), "nn", "zscore,l2").empty());
  for (const char* preparation : {"none", "l2"}) {
    const auto found = warnings(with_scaled_source(demo, false), "nn", preparation);
    ASSERT_EQ(found.size(), 1U) << preparation;
    EXPECT_NE(found[0].find("the target lies far from the source"), std::string::npos);
  }
}

TEST(DomainGap, EveryMethodWarns) {
  auto toy = toy_domains(5, 30, 3, 7);
  for (const MethodInfo& method : methods()) {
    EXPECT_TRUE(warnings(toy.pair(), std::string(method.name), "none").empty()) << method.name;
  }
  toy.target.array() += 100.0;
  for (const MethodInfo& method : methods()) {
    EXPECT_EQ(warnings(toy.pair(), std::string(method.name), "none").size(), 1U) << method.name;
  }
}

TEST(DomainGap, DoesNotCountOtherSharesOfTheClasses) {
  // Three tight classes far apart; targets of one class, of two, of one sample.
  Matrix source(2, 90);
  std::vector<int> labels;
  for (Index j = 0; j < 90; ++j) {
    labels.push_back(static_cast<int>(j % 3));
    source.col(j) << 50.0 * static_cast<double>(j % 3) + 0.1 * static_cast<double>(j % 7),
        20.0 * static_cast<double>(j % 3 == 1) + 0.1 * static_cast<double>(j % 5);
  }
  const Labels named{ClassNames({"a", "b", "c"}), labels};
  const auto gap = [&](const std::vector<Index>& chosen) {
    return domain_gap(DomainPair({source, named}, {Matrix(source(Eigen::all, chosen)), {}}));
  };
  EXPECT_LT(gap({0, 3, 6, 9, 12, 15, 18, 21, 24, 27}), 1.0);
  EXPECT_LE(gap({0, 1, 3, 4, 6, 7, 9, 10}), 1.0);
  EXPECT_LT(gap({5}), 2.0);
  EXPECT_LT(gap({4, 4, 4}), 2.0);
}

}  // namespace
}  // namespace isthmus
