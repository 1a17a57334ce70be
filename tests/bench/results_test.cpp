#include "bench/results.h"

#include <gtest/gtest.h>

namespace isthmus {
namespace {

Prediction two_samples() {
  Prediction prediction;
  prediction.labels = {1, 0};
  prediction.probabilities = Matrix(2, 2);
  prediction.probabilities << 0.25, 0.5, 0.75, 0.5;
  return prediction;
}

TEST(LabelsCsv, CountsSamplesFromOneAndQuotesNames) {
  const ClassNames classes({"cat, striped", "dog"});
  EXPECT_EQ(labels_csv(two_samples(), classes),
            "sample,label,confidence\n1,dog,0.75\n2,\"cat, striped\",0.5\n");
  EXPECT_EQ(labels_csv(two_samples(), classes, {}, '\t'),
            "sample\tlabel\tconfidence\n1\tdog\t0.75\n2\tcat, striped\t0.5\n");
}

TEST(Results, CountClassesInTheirOrderWithEmptyOnes) {
  const ClassNames classes({"10", "9", "8"});
  const auto counts = class_counts({2, 2, 0}, classes);
  EXPECT_EQ(counts, (std::vector<std::pair<std::string, Index>>{{"10", 1}, {"9", 0}, {"8", 2}}));
}

TEST(Results, ScoreComparesByNameAndIsNoneWithoutTruth) {
  const ClassNames classes({"a", "b"});
  EXPECT_EQ(score(two_samples(), classes, std::nullopt), std::nullopt);
  EXPECT_EQ(score(two_samples(), classes, encode_labels({"b", "zebra"})), 50.0);
}

}  // namespace
}  // namespace isthmus
