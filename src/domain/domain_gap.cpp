#include "domain/domain_gap.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/parallel.h"
#include "samples/summaries.h"

namespace isthmus {
namespace {

/// The tasks of Table 1 and the demo have gaps up to 1.2 with their preparation, the demo more than 2.3 where
/// only its source was scaled.
constexpr double kWideGap = 2.0;

/// Centre, deviation and sums by class of all samples or, where they are many, of evenly spaced ones; without
/// labels there is one class.
using Cloud = Together<FeatureMoments, ClassSums>;

Cloud look_through(const FeatureMatrix& features, const std::vector<int>& labels, int classes) {
  constexpr Index kBlock = 64;
  constexpr Index kBlocks = 64;
  const Index count = features.count();
  const Index blocks = std::min(block_count(count, kBlock), kBlocks);
  Cloud cloud(FeatureMoments(features.dimension()), ClassSums(features.dimension(), classes, labels));
  for (Index i = 0; i < blocks; ++i) {
    const Index begin = count > kBlock * kBlocks ? i * count / blocks : i * kBlock;
    cloud.add(features.columns(begin, std::min(kBlock, count - begin)), begin, 1);
  }
  return cloud;
}

/// Root mean square distance from the centre; 0 where there is one sample only.
double radius(const FeatureMoments& moments) {
  return moments.count > 1 ? moments.spread.norm() / std::sqrt(static_cast<double>(moments.count - 1)) : 0.0;
}

/// From a point to the nearest centre of a class.
double distance_to_classes(const ClassSums& classes, const Vector& point) {
  const Matrix means = classes.means();
  double nearest = std::numeric_limits<double>::infinity();
  for (Index label = 0; label < classes.counts.size(); ++label) {
    if (classes.counts[label] > 0) nearest = std::min(nearest, (point - means.col(label)).norm());
  }
  return nearest;
}

}  // namespace

double domain_gap(const DomainPair& pair) {
  const std::vector<int> one_class(static_cast<std::size_t>(pair.target_count()), 0);
  const Cloud source_cloud = look_through(pair.source(), pair.source_labels(), pair.class_count());
  const Cloud target_cloud = look_through(pair.target(), one_class, 1);
  const auto& source = source_cloud.get<FeatureMoments>();
  const auto& target = target_cloud.get<FeatureMoments>();
  // Samples that are all alike have no deviation to measure with.
  const double unit = radius(target) > 0 ? std::min(radius(source), radius(target)) : radius(source);
  if (!(unit > 0)) return 0;
  double distance = (target.mean - source.mean).norm();
  if (distance > kWideGap * unit)
    distance = std::min(distance, distance_to_classes(source_cloud.get<ClassSums>(), target.mean));
  return distance / unit;
}

void warn_of_gap(const DomainPair& pair, Report& report) {
  const double gap = domain_gap(pair);
  if (!(gap > kWideGap)) return;
  report.warnings.push_back(fmt::format(
      "the target lies far from the source: the centres of the prepared domains are {:.3g} times as far "
      "apart as "
      "samples lie from their own; if one domain was scaled before, scale the other alike, or let the "
      "preparation do it for both (zscore)",
      gap));
}

}  // namespace isthmus
