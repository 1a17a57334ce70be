#include "data/choose_preparation.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "core/parallel.h"

namespace isthmus {
namespace {

// Fewer features are taken for a table of measurements, each in its own unit.
constexpr Index kFewFeatures = 20;
// Largest magnitudes of features in one unit lie within about this factor.
constexpr double kOneScale = 10.0;
// Share of the samples' squared length in their mean, above which they look alike: images (0.44 and more on
// those of the benchmarks) and logarithms of counts (0.63) above, words (0.22) and histograms (0.14) below.
constexpr double kAlike = 1.0 / 3.0;
// Fewer samples of a domain are too few for statistics of their own.
constexpr Index kFewSamples = 20;
constexpr Index kLookedAtOnce = 512;

/// What is looked at, of some samples.
struct Look {
  Vector largest;   ///< magnitude by feature
  Vector smallest;  ///< value by feature
  Vector greatest;
  Vector sum;
  double squares = 0;
  bool whole = true;

  explicit Look(const MatrixView& samples)
      : largest(samples.cwiseAbs().rowwise().maxCoeff()),
        smallest(samples.rowwise().minCoeff()),
        greatest(samples.rowwise().maxCoeff()),
        sum(samples.rowwise().sum()),
        squares(samples.squaredNorm()),
        whole((samples.array() == samples.array().round()).all()) {}

  void operator+=(const Look& other) {
    largest = largest.cwiseMax(other.largest);
    smallest = smallest.cwiseMin(other.smallest);
    greatest = greatest.cwiseMax(other.greatest);
    sum += other.sum;
    squares += other.squares;
    whole = whole && other.whole;
  }
};

Look look_at(const FeatureMatrix& features, const Execution& run) {
  std::vector<std::optional<Look>> blocks(
      static_cast<std::size_t>(block_count(features.count(), kLookedAtOnce)));
  parallel_ranges(run, features.count(), kLookedAtOnce, [&](Index begin, Index length) {
    blocks[static_cast<std::size_t>(begin / kLookedAtOnce)].emplace(features.columns(begin, length));
  });
  Look all = *blocks.front();
  for (std::size_t i = 1; i < blocks.size(); ++i) all += *blocks[i];
  return all;
}

/// Share of the samples' squared length that lies in their mean.
double likeness(const Look& look, Index count) {
  return look.sum.squaredNorm() / static_cast<double>(count) / look.squares;
}

/// How far apart the largest magnitudes of the features are that vary: all but a tenth at either end.
double scale_ratio(const Look& both) {
  std::vector<double> magnitudes;
  for (Index i = 0; i < both.largest.size(); ++i) {
    if (both.greatest[i] > both.smallest[i]) magnitudes.push_back(both.largest[i]);
  }
  if (magnitudes.empty()) return 1.0;
  std::sort(magnitudes.begin(), magnitudes.end());
  const std::size_t tenth = magnitudes.size() / 10;
  return magnitudes[magnitudes.size() - 1 - tenth] / magnitudes[tenth];
}

}  // namespace

PreparationChoice choose_preparation(const DomainPair& pair, const Execution& run) {
  const std::string zscore =
      std::min(pair.source_count(), pair.target_count()) < kFewSamples ? "zscore:joint" : "zscore:domain";
  if (pair.dimension() < kFewFeatures) {
    return {zscore,
            fmt::format("{} features, taken for measurements in units of their own", pair.dimension())};
  }
  const Look source = look_at(pair.source(), run);
  const Look target = look_at(pair.target(), run);
  Look both = source;
  both += target;
  if (both.smallest.minCoeff() < 0) return {zscore + ",l2", "some values are negative"};
  if (scale_ratio(both) > kOneScale) return {zscore + ",l2", "the features are of different scale"};
  // Overflowing squares leave no number, which is no likeness.
  if (std::min(likeness(source, pair.source_count()), likeness(target, pair.target_count())) > kAlike) {
    return {"l2", "features of one scale, samples that have much in common, as images do"};
  }
  if (both.whole) return {"sum," + zscore + ",l2", "counts, as of a histogram"};
  return {zscore + ",l2", "features of one scale, samples that have little in common, as texts do"};
}

}  // namespace isthmus
