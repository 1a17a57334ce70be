#include "samples/choose_preparation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include "core/parallel.h"

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
constexpr double kFewSamples = 20;
// Share of the features whose mean differs between the domains by more than a deviation, from which on the
// domains were measured differently: other shares of the classes move 17 % at most, drifting sensors 30 %.
constexpr double kMoved = 0.25;
// The same for features whose deviation differs by more than a factor of two: at most 39 % of words and
// counts, whose rare ones vary by chance.
constexpr double kStretched = 0.5;
constexpr Index kLookedAtOnce = 512;

/// What is looked at, of some samples. Nothing is squared in the features' own unit, so that values of any
/// size are told apart alike.
struct Look {
  double count = 0;
  Vector smallest;  ///< value by feature
  Vector greatest;
  Vector mean;
  Vector spread;  ///< by feature, the root of the summed squares around the mean
  bool whole = true;

  explicit Look(const MatrixView& samples)
      : count(static_cast<double>(samples.cols())),
        smallest(samples.rowwise().minCoeff()),
        greatest(samples.rowwise().maxCoeff()),
        // Rounding may leave the range; inside it a constant feature has exactly its own value as mean.
        mean((samples / count).rowwise().sum().cwiseMax(smallest).cwiseMin(greatest)),
        spread(samples.rows()),
        whole((samples.array() == samples.array().round()).all()) {
    const Vector unit = (greatest - smallest).unaryExpr([](double width) {
      return width > 0 && std::isfinite(width) ? width : 1.0;
    });
    spread.setZero();
    for (Index i = 0; i < samples.cols(); ++i) {
      spread += (samples.col(i) - mean).cwiseQuotient(unit).cwiseAbs2();
    }
    spread = spread.cwiseSqrt().cwiseProduct(unit);
  }

  void operator+=(const Look& other) {
    const double all = count + other.count;
    const double between = std::sqrt(count * (other.count / all));
    for (Index i = 0; i < mean.size(); ++i) {
      const double step = other.mean[i] - mean[i];
      spread[i] = std::hypot(spread[i], other.spread[i], between * step);
      mean[i] += step * (other.count / all);
    }
    smallest = smallest.cwiseMin(other.smallest);
    greatest = greatest.cwiseMax(other.greatest);
    whole = whole && other.whole;
    count = all;
  }

  Vector deviation() const { return spread / std::sqrt(count); }
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

/// Share of the samples' squared length that lies in their mean; no number where all are zero.
double likeness(const Look& look) {
  const double mean = look.mean.stableNorm();
  const double share = mean / std::hypot(mean, look.deviation().stableNorm());
  return share * share;
}

/// How far apart the largest magnitudes of the features are that vary: all but a tenth at either end.
double scale_ratio(const Look& both) {
  std::vector<double> magnitudes;
  for (Index i = 0; i < both.mean.size(); ++i) {
    if (both.greatest[i] > both.smallest[i])
      magnitudes.push_back(std::max(std::abs(both.smallest[i]), std::abs(both.greatest[i])));
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
    moved += std::abs(source.mean[i] - target.mean[i]) > both ? 1 : 0;
    stretched += std::max(first[i], second[i]) / 2 > std::min(first[i], second[i]) ? 1 : 0;
  }
  const auto share = [&](Index features) {
    return static_cast<double>(features) / static_cast<double>(varying);
  };
  return varying > 0 && (share(moved) >= kMoved || share(stretched) >= kStretched);
}

}  // namespace

PreparationChoice choose_preparation(const DomainPair& pair, const Execution& run) {
  const Look source = look_at(pair.source(), run);
  const Look target = look_at(pair.target(), run);
  Look both = source;
  both += target;
  const bool enough = std::min(source.count, target.count) >= kFewSamples;
  const bool apart = enough && measured_differently(source, target);
  const auto standardised = [&](std::string_view after, std::string reason) -> PreparationChoice {
    if (apart) reason += "; the domains differ in offsets or units";
    return {fmt::format("zscore:{}{}", apart ? "domain" : "joint", after), std::move(reason)};
  };
  if (pair.dimension() < kFewFeatures) {
    return standardised(
        "", fmt::format("{} features, taken for measurements in units of their own", pair.dimension()));
  }
  if (both.smallest.minCoeff() < 0) return standardised(",l2", "some values are negative");
  if (scale_ratio(both) > kOneScale) return standardised(",l2", "the features are of different scale");
  if (std::min(likeness(source), likeness(target)) > kAlike) {
    return {"l2", "features of one scale, samples that have much in common, as images do"};
  }
  // Longer texts and larger images have more of everything. Statistics by domain: joint ones cost
  // RSA-CDDA 1.5 points on the histograms of the benchmark (docs/science.md). Beyond 2⁵³ every double is
  // whole.
  if (both.whole && both.greatest.maxCoeff() < 0x1p53)
    return {enough ? "sum,zscore:domain,l2" : "sum,zscore:joint,l2", "counts, as of a histogram"};
  return standardised(",l2", "features of one scale, samples that have little in common, as texts do");
}

}  // namespace isthmus
