#include "samples/fold.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>

#include "random_data.h"
#include "samples/summaries.h"

namespace isthmus {
namespace {

using testing::random_matrix;

/// A summary that needs nothing but its own type: the order in which it saw blocks, and how they were merged.
struct Trace {
  void add(const MatrixView& block, Index first) { text += fmt::format("{}+{}", first, block.cols()); }
  void merge(const Trace& other) { text = fmt::format("({} {})", text, other.text); }

  std::string text;
};

/// All that a pass over labelled samples may ask for.
using All = Together<Extent, FeatureMoments, ClassSums, Draw>;

All nothing(Index dimension, const std::vector<int>& labels) {
  return All(Extent(dimension), FeatureMoments(dimension), ClassSums(dimension, 3, labels),
             Draw(dimension, 40, 7));
}

std::vector<int> labels_of(Index count) {
  std::vector<int> labels;
  for (Index i = 0; i < count; ++i) labels.push_back(static_cast<int>((7 * i + i / 5) % 3));
  return labels;
}

/// The parts of all samples that processes might hold: cut at random block borders, in random order.
std::vector<std::pair<Index, Index>> random_parts(Index count, std::mt19937_64& engine) {
  std::vector<std::pair<Index, Index>> parts;
  for (Index first = 0; first < count;) {
    const Index blocks = 1 + static_cast<Index>(engine() % 4);
    const Index length = std::min(blocks * kFoldBlock, count - first);
    parts.emplace_back(first, length);
    first += length;
  }
  std::shuffle(parts.begin(), parts.end(), engine);
  return parts;
}

TEST(Fold, MergesFixedBlocksAsInABinaryTree) {
  const Matrix samples(1, 6 * kFoldBlock + 1);
  const std::string expected = "(((0+1024 1024+1024) (2048+1024 3072+1024)) ((4096+1024 5120+1024) 6144+1))";
  for (const int threads : {1, 2, 3, 8}) EXPECT_EQ(fold(samples, threads, Trace()).text, expected);
  EXPECT_EQ(fold(Matrix(1, 0), 1, Trace()).text, "");
}

TEST(Fold, GivesTheSameBytesOnAnyNumberOfThreads) {
  const Matrix samples = random_matrix(5, 13 * kFoldBlock + 77, 1);
  const std::vector<int> labels = labels_of(samples.cols());
  const std::string one = to_bytes(fold(samples, 1, nothing(5, labels)));
  for (int threads = 2; threads <= 8; ++threads) {
    EXPECT_EQ(to_bytes(fold(samples, threads, nothing(5, labels))), one) << threads << " threads";
  }
}

TEST(Fold, GivesTheSameBytesHoweverProcessesSharedTheBlocks) {
  const Matrix samples = random_matrix(4, 21 * kFoldBlock + 5, 2);
  const std::vector<int> labels = labels_of(samples.cols());
  const std::string one = to_bytes(fold(samples, 1, nothing(4, labels)));
  std::mt19937_64 engine(3);
  for (int trial = 0; trial < 20; ++trial) {
    Fold<All> everything(nothing(4, labels));
    for (const auto& [first, length] : random_parts(samples.cols(), engine)) {
      // Each process knows its own samples and labels, and sends bytes.
      const std::vector<int> own(labels.begin() + first, labels.begin() + first + length);
      Fold<All> process(All(Extent(4), FeatureMoments(4), ClassSums(4, 3, own, first), Draw(4, 40, 7)));
      process.add(samples.middleCols(first, length), first, 1 + trial % 3);
      Fold<All> received(nothing(4, {}));
      from_bytes(to_bytes(process), received);
      everything.merge(received);
    }
    EXPECT_EQ(to_bytes(everything.finish()), one) << "trial " << trial;
  }
}

TEST(Fold, RefusesPartsThatDoNotFitTogether) {
  const Matrix block(1, kFoldBlock);
  const auto refused = [](const auto& act) { EXPECT_THROW(act(), InvalidArgument); };
  Fold<Trace> pass{Trace()};
  refused([&] { pass.add(block, 17, 1); });
  refused([&] { pass.add(block, -kFoldBlock, 1); });
  pass.add(block, kFoldBlock, 1);
  refused([&] { pass.add(block, kFoldBlock, 1); });  // twice
  refused([&] { pass.finish(); });                   // the first block is missing
  pass.add(block, 0, 1);
  pass.add(block.leftCols(3), 2 * kFoldBlock, 1);
  refused([&] { pass.add(block.leftCols(3), 4 * kFoldBlock, 1); });  // a second end
  pass.add(block, 3 * kFoldBlock, 1);
  refused([&] { pass.finish(); });  // samples after the end
}

TEST(Fold, PassesOnWhatABlockThrows) {
  struct Throws {
    void add(const MatrixView&, Index first) {
      if (first == 2 * kFoldBlock) throw InvalidArgument("the third");
    }
    void merge(const Throws&) {}
  };
  EXPECT_THROW(fold(Matrix(1, 5 * kFoldBlock), 3, Throws()), InvalidArgument);
  Execution stopped(2);
  stopped.cancel = [] { return true; };
  EXPECT_THROW(fold(Matrix(1, 5 * kFoldBlock), stopped, Trace()), Cancelled);
}

TEST(Extent, FindsEndsLargestValueAndTheFirstThatIsNoNumber) {
  Matrix samples = random_matrix(3, 3000, 4);
  samples(1, 2500) = -1000;
  samples(2, 2700) = 1000;
  const Extent clean = fold(samples, 2, Extent(3));
  EXPECT_EQ(clean.smallest, samples.rowwise().minCoeff());
  EXPECT_EQ(clean.greatest, samples.rowwise().maxCoeff());
  EXPECT_EQ(clean.largest.sample, 2500);
  EXPECT_EQ(clean.largest.value, -1000);
  EXPECT_TRUE(clean.finite());
  EXPECT_FALSE(clean.constant());
  samples(2, 2000) = std::numeric_limits<double>::infinity();
  samples(0, 1999) = std::numeric_limits<double>::quiet_NaN();
  samples(1, 1999) = std::numeric_limits<double>::quiet_NaN();
  const Extent broken = fold(samples, 2, Extent(3));
  EXPECT_EQ(broken.not_finite.sample, 1999);
  EXPECT_EQ(broken.not_finite.feature, 0);
  EXPECT_EQ(broken.smallest, clean.smallest);
  EXPECT_EQ(broken.largest.sample, 2500);
  try {
    broken.require_finite("target");
    FAIL() << "accepted";
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find("the target holds nan at sample 2000, feature 1"),
              std::string::npos)
        << error.what();
  }
  EXPECT_TRUE(fold(Matrix::Constant(2, 5, 3.0), 1, Extent(2)).constant());
}

TEST(FeatureMoments, EqualTwoPassesInLongDoubleAtAnyOffsetAndScale) {
  for (const double offset : {0.0, 1e8, -1e8}) {
    for (const double scale : {1.0, 1e-150, 1e180}) {
      const Matrix samples = (random_matrix(3, 5000, 5).array() + offset) * scale;
      const FeatureMoments found = fold(samples, 2, FeatureMoments(3));
      for (Index i = 0; i < 3; ++i) {
        long double sum = 0;
        for (Index j = 0; j < 5000; ++j) sum += samples(i, j);
        const long double mean = sum / 5000;
        long double squares = 0;
        for (Index j = 0; j < 5000; ++j) squares += (samples(i, j) - mean) * (samples(i, j) - mean);
        const auto deviation = static_cast<double>(std::sqrt(squares / 5000));
        EXPECT_NEAR(found.deviation()[i] / deviation, 1.0, 1e-12) << offset << " " << scale;
        EXPECT_NEAR(static_cast<double>((found.mean[i] - mean) / (std::abs(offset) + 1) / scale), 0.0, 1e-15);
      }
    }
  }
  const FeatureMoments equal = fold(Matrix::Constant(2, 3333, 0.1), 1, FeatureMoments(2));
  EXPECT_EQ(equal.mean, Vector::Constant(2, 0.1));
  EXPECT_EQ(equal.spread, Vector::Zero(2));
}

TEST(ClassSums, EqualTheLoopAndRefuseWhatHasNoLabel) {
  const Matrix samples = random_matrix(4, 2500, 6);
  const std::vector<int> labels = labels_of(2500);
  const ClassSums found = fold(samples, 2, ClassSums(4, 4, labels));
  Matrix sums = Matrix::Zero(4, 4);
  Vector counts = Vector::Zero(4);
  for (Index j = 0; j < 2500; ++j) {
    sums.col(labels[static_cast<std::size_t>(j)]) += samples.col(j);
    counts[labels[static_cast<std::size_t>(j)]] += 1;
  }
  EXPECT_LT((found.sums - sums).cwiseAbs().maxCoeff(), 1e-11);
  EXPECT_EQ(found.counts, counts);
  EXPECT_EQ(found.means().col(3), Vector::Zero(4));
  EXPECT_THROW(fold(samples, 1, ClassSums(4, 2, labels)), InvalidArgument);
  EXPECT_THROW(fold(samples, 1, ClassSums(4, 4, std::span(labels).first(2000))), InvalidArgument);
}

TEST(Draw, HoldsTheSamplesOfTheNumbersItDrew) {
  const Matrix samples = random_matrix(3, 7000, 8);
  const Draw drawn = fold(samples, 3, Draw(3, 1500, 9));
  const std::vector<Index> numbers = drawn.numbers();
  EXPECT_EQ(numbers.size(), 1500U);
  EXPECT_EQ(numbers, draw_numbers(7000, 1500, 9));
  EXPECT_NE(numbers, draw_numbers(7000, 1500, 10));
  EXPECT_EQ(drawn.samples(), SampleView(samples).pick(numbers));
  EXPECT_EQ(draw_numbers(5, 9, 1), (std::vector<Index>{0, 1, 2, 3, 4}));
  EXPECT_TRUE(draw_numbers(5, 0, 1).empty());
}

TEST(Draw, TakesEverySampleEquallyOften) {
  constexpr int kDraws = 4000;
  Vector often = Vector::Zero(60);
  Matrix pairs = Matrix::Zero(60, 60);
  for (int seed = 0; seed < kDraws; ++seed) {
    Vector drawn = Vector::Zero(60);
    for (const Index i : draw_numbers(60, 15, static_cast<std::uint64_t>(seed))) drawn[i] = 1;
    often += drawn;
    pairs += drawn * drawn.transpose();
  }
  // χ² with 59 degrees of freedom, made for draws without replacement; 110 is beyond 1 in 10,000.
  const double expected = kDraws * 0.25;
  EXPECT_LT((often.array() - expected).square().sum() / (expected * 0.75) * 59.0 / 60.0, 110);
  // Two samples are drawn together with probability 15·14 / (60·59), within five deviations.
  const double together = kDraws * 15.0 * 14.0 / (60.0 * 59.0);
  pairs.diagonal().setConstant(together);
  EXPECT_LT((pairs.array() - together).abs().maxCoeff(), 5 * std::sqrt(together));
}

TEST(SummaryBytes, ComeBackAsTheyWereAndAreRefusedWhenDamaged) {
  const Matrix samples = random_matrix(3, 1500, 11);
  const std::vector<int> labels = labels_of(1500);
  const std::string bytes = to_bytes(fold(samples, 1, nothing(3, labels)));
  All back = nothing(3, {});
  from_bytes(bytes, back);
  EXPECT_EQ(to_bytes(back), bytes);
  const auto refused = [](const std::string& damaged) {
    All into = nothing(3, {});
    EXPECT_THROW(from_bytes(damaged, into), InvalidArgument);
  };
  for (std::size_t length = 0; length < bytes.size(); length += 7) refused(bytes.substr(0, length));
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    refused(damaged);
  }
  refused(bytes + "x");
  Extent other(3);
  EXPECT_THROW(from_bytes(to_bytes(FeatureMoments(3)), other), InvalidArgument);  // of another kind
}

TEST(SummaryBytes, OfAnotherDimensionOrDrawAreNotMerged) {
  Extent extent(3);
  EXPECT_THROW(extent.merge(Extent(4)), InvalidArgument);
  FeatureMoments moments(3);
  EXPECT_THROW(moments.merge(FeatureMoments(4)), InvalidArgument);
  ClassSums sums(3, 2, {});
  EXPECT_THROW(sums.merge(ClassSums(3, 4, {})), InvalidArgument);
  Draw draw(3, 10, 1);
  EXPECT_THROW(draw.merge(Draw(3, 10, 2)), InvalidArgument);
  EXPECT_THROW(draw.merge(Draw(3, 11, 1)), InvalidArgument);
  EXPECT_THROW(Draw(3, -1, 1), InvalidArgument);
}

}  // namespace
}  // namespace isthmus
