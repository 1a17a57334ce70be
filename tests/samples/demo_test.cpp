#include <gtest/gtest.h>

#include <algorithm>

#include "isthmus/data.h"
#include "isthmus/errors.h"
#include "same_bits.h"

namespace isthmus {
namespace {

using testing::same_bits;

DomainPair demo(Index source, Index target, std::uint64_t seed = 0, int threads = 1) {
  return make_demo({.source_count = source, .target_count = target, .seed = seed}, threads);
}

/// Labels of the nearest reference by cosine, one by one.
std::vector<int> nearest_by_cosine(const Matrix& references, const std::vector<int>& labels,
                                   const Matrix& samples) {
  const Matrix cosines = references.colwise().normalized().transpose() * samples.colwise().normalized();
  std::vector<int> found;
  for (Index i = 0; i < samples.cols(); ++i) {
    Index best = 0;
    cosines.col(i).maxCoeff(&best);
    found.push_back(labels[static_cast<std::size_t>(best)]);
  }
  return found;
}

TEST(Demo, DrawsTwoLabelledDomainsOfSixteenBySixteenPixels) {
  const DomainPair pair = demo(120, 80);
  EXPECT_EQ(pair.dimension(), 256);
  EXPECT_EQ(pair.source_count(), 120);
  EXPECT_EQ(pair.target_count(), 80);
  EXPECT_EQ(pair.classes().all(),
            (std::vector<std::string>{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}));
  EXPECT_EQ(pair.target_truth().size(), 80U);
  EXPECT_GE(pair.source().view().minCoeff(), 0);
  EXPECT_LE(pair.source().view().maxCoeff(), 1);
  EXPECT_GE(pair.target().view().minCoeff(), 0);
  EXPECT_LE(pair.target().view().maxCoeff(), 1);
}

TEST(Demo, EveryTenSamplesHoldEveryDigitOnce) {
  const DomainPair pair = demo(200, 130);
  for (const auto& labels : {pair.source_labels(), pair.target_truth()}) {
    for (std::size_t first = 0; first < labels.size(); first += 10) {
      std::vector<int> ten(labels.begin() + static_cast<std::ptrdiff_t>(first),
                           labels.begin() + static_cast<std::ptrdiff_t>(first) + 10);
      std::sort(ten.begin(), ten.end());
      EXPECT_EQ(ten, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
    }
  }
  EXPECT_FALSE(
      std::equal(pair.target_truth().begin(), pair.target_truth().end(), pair.source_labels().begin()));
}

TEST(Demo, TheSameSeedGivesTheSameBytesOnAnyNumberOfThreads) {
  const DomainPair one = demo(200, 150, 7, 1);
  const DomainPair four = demo(200, 150, 7, 4);
  EXPECT_TRUE(same_bits(one.source().view(), four.source().view()));
  EXPECT_TRUE(same_bits(one.target().view(), four.target().view()));
  EXPECT_EQ(one.source_labels(), four.source_labels());
  EXPECT_EQ(one.target_truth(), four.target_truth());
  EXPECT_FALSE(same_bits(one.source().view(), demo(200, 150, 8).source().view()));
}

TEST(Demo, ALargerDemoBeginsWithTheSmallerOne) {
  const DomainPair small = demo(40, 30, 3);
  const DomainPair large = demo(170, 90, 3);
  EXPECT_EQ(Matrix(large.source().view().leftCols(40)), Matrix(small.source().view()));
  EXPECT_EQ(Matrix(large.target().view().leftCols(30)), Matrix(small.target().view()));
  EXPECT_TRUE(
      std::equal(small.source_labels().begin(), small.source_labels().end(), large.source_labels().begin()));
}

TEST(Demo, SamplesOfOneDigitDiffer) {
  const DomainPair pair = demo(100, 100);
  for (Index i = 1; i < 100; ++i)
    EXPECT_GT((pair.source().view().col(i) - pair.source().view().col(0)).norm(), 0.1);
}

TEST(Demo, DigitsAreTellableWithinADomainAndHardAcrossTheDomains) {
  const DomainPair pair = demo(1000, 1000);
  const Matrix source = pair.source().view();
  const Matrix target = pair.target().view();
  const std::vector<int>& truth = pair.target_truth();
  const std::vector<int> first_half(truth.begin(), truth.begin() + 500);
  const std::vector<int> second_half(truth.begin() + 500, truth.end());

  const double across = accuracy_percent(nearest_by_cosine(source, pair.source_labels(), target), truth);
  const double within = accuracy_percent(
      nearest_by_cosine(target.leftCols(500), first_half, target.rightCols(500)), second_half);
  EXPECT_GT(within, 90);
  EXPECT_GT(across, 55);
  EXPECT_LT(across, 75);
}

TEST(Demo, RefusesCountsThatMakeNoPair) {
  EXPECT_THROW(demo(1, 10), InvalidArgument);
  EXPECT_THROW(demo(10, 0), InvalidArgument);
  EXPECT_THROW(demo(-5, 10), InvalidArgument);
  EXPECT_NO_THROW(demo(2, 1));
}

}  // namespace
}  // namespace isthmus
