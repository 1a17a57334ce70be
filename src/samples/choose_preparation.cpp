#include "samples/choose_preparation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "samples/summaries.h"

namespace isthmus {
namespace {

// Settings chosen while looking at the tables of docs/choosing.md.
// Fewer features are taken for a table of measurements, each in its own unit.
constexpr Index kFewFeatures = 20;
// Largest magnitudes of features in one unit lie within about this factor.
constexpr double kOneScale = 10.0;
// Share of the samples' squared length in their mean, above which they look alike: images (0.44 and more on
// those of the benchmarks) and logarithms of counts (0.63) above, words (0.22) and histograms (0.14) below.
constexpr double kAlike = 1.0 / 3.0;
// Fewer samples of a domain are too few for statistics of their own.
constexpr Index kFewSamples = 20;
// Share of the features whose mean differs between the domains by more than a deviation, from which on the
// domains were measured differently: other shares of the classes move 17 % at most, drifting sensors 30 %.
constexpr double kMoved = 0.25;
// The same for features whose deviation differs by more than a factor of two: at most 39 % of words and
// counts, whose rare ones vary by chance.
constexpr double kStretched = 0.5;
/// Whether all values are whole numbers.
struct Whole {
  void add(const MatrixView& block, Index /*first*/) {
    whole = whole && (block.array() == block.array().round()).all();
  }
  void merge(const Whole& other) { whole = whole && other.whole; }

  bool whole = true;
};

/// What is looked at, of some samples.
struct Look : Together<Extent, FeatureMoments, Whole> {
  explicit Look(Index dimension) : Together(Extent(dimension), FeatureMoments(dimension), Whole()) {}

  const Extent& extent() const { return get<Extent>(); }
  const Vector& mean() const { return get<FeatureMoments>().mean; }
  Vector deviation() const { return get<FeatureMoments>().deviation(); }
};

/// Share of the samples' squared length that lies in their mean; no number where all are zero.
double likeness(const Look& look) {
  const double mean = look.mean().stableNorm();
  const double share = mean / std::hypot(mean, look.deviation().stableNorm());
  return share * share;
}

/// How far apart the largest magnitudes of the features are that vary: all but a tenth at either end.
double scale_ratio(const Look& both) {
  const Extent& extent = both.extent();
  const Vector largest = extent.magnitude();
  std::vector<double> magnitudes;
  for (Index i = 0; i < largest.size(); ++i) {
    if (extent.greatest[i] > extent.smallest[i]) magnitudes.push_back(largest[i]);
  }
  if (magnitudes.empty()) return 1.0;
  std::sort(magnitudes.begin(), magnitudes.end());
  const std::size_t tenth = magnitudes.size() / 10;
  return magnitudes[magnitudes.size() - 1 - tenth] / magnitudes[tenth];
}

/// Whether offsets or units differ between the domains by more than other shares of the same classes explain.
bool measured_differently(const Look& source, const Look& target) {
  const Vector first = source.deviation();
  const Vector second = target.deviation();
  Index varying = 0;
  Index moved = 0;
  Index stretched = 0;
  for (Index i = 0; i < first.size(); ++i) {
    if (!(first[i] > 0 && second[i] > 0)) continue;
    ++varying;
    const double both = std::hypot(first[i], second[i]) / std::sqrt(2.0);
    moved += std::abs(source.mean()[i] - target.mean()[i]) > both ? 1 : 0;
    stretched += std::max(first[i], second[i]) / 2 > std::min(first[i], second[i]) ? 1 : 0;
  }
  const auto share = [&](Index features) {
    return static_cast<double>(features) / static_cast<double>(varying);
  };
  return varying > 0 && (share(moved) >= kMoved || share(stretched) >= kStretched);
}

}  // namespace

PreparationChoice choose_preparation(const DomainPair& pair, const Execution& run) {
  const Look source = fold(pair.source(), run, Look(pair.dimension()));
  const Look target = fold(pair.target(), run, Look(pair.dimension()));
  Look both = source;
  both.merge(target);
  const bool enough = std::min(pair.source_count(), pair.target_count()) >= kFewSamples;
  const bool apart = enough && measured_differently(source, target);
  const auto standardised = [&](std::string_view after, std::string reason) -> PreparationChoice {
    if (apart) reason += "; the domains differ in offsets or units";
    return {fmt::format("zscore:{}{}", apart ? "domain" : "joint", after), std::move(reason)};
  };
  if (pair.dimension() < kFewFeatures) {
    return standardised(
        "", fmt::format("{} features, taken for measurements in units of their own", pair.dimension()));
  }
  if (both.extent().smallest.minCoeff() < 0) return standardised(",l2", "some values are negative");
  if (scale_ratio(both) > kOneScale) return standardised(",l2", "the features are of different scale");
  if (std::min(likeness(source), likeness(target)) > kAlike) {
    return {"l2", "features of one scale, samples that have much in common, as images do"};
  }
  // Longer texts and larger images have more of everything. Statistics by domain: joint ones cost
  // RSA-CDDA 1.5 points on the histograms of the benchmark (docs/science.md). Beyond 2⁵³ every double is
  // whole.
  if (both.get<Whole>().whole && both.extent().greatest.maxCoeff() < 0x1p53)
    return {enough ? "sum,zscore:domain,l2" : "sum,zscore:joint,l2", "counts, as of a histogram"};
  return standardised(",l2", "features of one scale, samples that have little in common, as texts do");
}

}  // namespace isthmus
