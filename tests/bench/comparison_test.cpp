#include "bench/comparison.h"

#include <gtest/gtest.h>

#include <cmath>

namespace isthmus {
namespace {

TEST(MeanAndDeviation, DividesByOneLessThanTheCount) {
  const MeanAndDeviation of = mean_and_deviation({2, 4, 4, 4, 5, 5, 7, 9});
  EXPECT_EQ(of.mean, 5);
  EXPECT_NEAR(of.deviation, std::sqrt(32.0 / 7), 1e-14);
  EXPECT_EQ(mean_and_deviation({3}).deviation, 0);
}

TEST(Wilcoxon, AgreesWithTheExactTable) {
  // Darwin's cross- and self-fertilised maize, in eighths of an inch: W = 24 of n = 15, p = 1352 / 2^15.
  EXPECT_NEAR(wilcoxon_signed_rank({6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75}),
              0.041259765625, 1e-15);
  // Five gains of five: 2 of the 2^5 sign patterns are as extreme.
  EXPECT_NEAR(wilcoxon_signed_rank({1, 2, 3, 4, 5}), 0.0625, 1e-15);
}

TEST(Wilcoxon, LeavesZerosOutAndSharesTheRanksOfEqualSizes) {
  EXPECT_EQ(wilcoxon_signed_rank({0, 0, 0}), 1);
  EXPECT_EQ(wilcoxon_signed_rank({}), 1);
  // Sizes 1, 1, 2 have ranks 1.5, 1.5, 3. Of the 8 sign patterns only the empty one has a sum ≤ 0 and three
  // have a sum ≤ 1.5.
  EXPECT_NEAR(wilcoxon_signed_rank({1, 1, 2, 0}), 0.25, 1e-15);
  EXPECT_NEAR(wilcoxon_signed_rank({-1, 1, 2}), 0.75, 1e-15);
  EXPECT_EQ(wilcoxon_signed_rank({0.3, 0.1 + 0.2, -0.5}), wilcoxon_signed_rank({0.3, 0.3, -0.5}));
  EXPECT_EQ(wilcoxon_signed_rank({0.1 + 0.2 - 0.3}), 1);
}

TEST(Wilcoxon, TheApproximationMeetsTheExactValueWhereItTakesOver) {
  std::vector<double> differences;
  for (int i = 1; i <= 200; ++i) differences.push_back(i % 5 < 3 ? i : -i);
  const double exact = wilcoxon_signed_rank(differences);
  differences.push_back(0.5);  // hardly matters, but is one too many
  EXPECT_NEAR(wilcoxon_signed_rank(differences) / exact, 1, 0.05);
}

TEST(Holm, MultipliesByWhatIsLeftAndNeverFalls) {
  const std::vector<double> adjusted = holm_adjusted({0.01, 0.04, 0.03, 0.005});
  const std::vector<double> expected{0.03, 0.06, 0.06, 0.02};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(adjusted[i], expected[i], 1e-15);
  EXPECT_EQ(holm_adjusted({0.7, 0.6}), (std::vector<double>{1, 1}));
}

TEST(Ranks, OneIsTheBestAndEqualOnesShare) {
  Matrix values(2, 3);
  values << 80, 90, 90, 70, 60, 50;
  const Vector ranks = mean_ranks(values);
  EXPECT_EQ(ranks[0], 2.0);   // 3 and 1
  EXPECT_EQ(ranks[1], 1.75);  // 1.5 and 2
  EXPECT_EQ(ranks[2], 2.25);
}

TEST(CriticalDifference, AgreesWithDemsarsTable) {
  // q(0.05) of Demšar 2006, Table 5a, printed with three decimals.
  const std::vector<std::pair<int, double>> table{
      {2, 1.960}, {3, 2.343}, {4, 2.569}, {5, 2.728}, {10, 3.164}};
  for (const auto& [methods, q] : table) {
    EXPECT_NEAR(critical_difference(methods, 1) / std::sqrt(methods * (methods + 1) / 6.0), q, 0.0011)
        << methods;
  }
  // His example: 4 classifiers on 14 data sets.
  EXPECT_NEAR(critical_difference(4, 14), 1.25, 0.005);
}

TEST(Comparison, AdjustsOverAllPairs) {
  Matrix values(5, 3);
  values << 1, 2, 9, 2, 3, 8, 3, 4, 7, 4, 5, 9, 5, 6, 8;
  const Comparison comparison = compare_methods({"a", "b", "c"}, values, "tasks");
  EXPECT_EQ(comparison.blocks, 5);
  EXPECT_EQ(comparison.ranks[2], 1);
  EXPECT_NEAR(comparison.p(0, 1), 3 * 0.0625, 1e-15);
  EXPECT_EQ(comparison.p(1, 0), comparison.p(0, 1));
}

}  // namespace
}  // namespace isthmus
