#include "alm/prototypes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>

#include "isthmus/errors.h"

namespace isthmus {
namespace {

/// How many samples each class gives: as equal as the class sizes allow, `count` in all.
std::vector<Index> shares(const std::vector<Index>& sizes, Index count) {
  std::vector<Index> share(sizes.size(), 0);
  for (Index given = 0; given < count;) {
    for (std::size_t c = 0; c < sizes.size() && given < count; ++c) {
      if (share[c] == sizes[c]) continue;
      ++share[c];
      ++given;
    }
  }
  return share;
}

/// Uniform in [0, 1); the standard library's distribution differs between implementations.
double uniform(std::mt19937_64& engine) {
  return static_cast<double>(engine() >> 11) * 0x1.0p-53;
}

/// The first position where the running sum exceeds a uniform share of the total.
std::size_t draw(const std::vector<double>& weights, std::mt19937_64& engine) {
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  double left = uniform(engine) * total;
  std::size_t last = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] <= 0) continue;
    last = i;
    left -= weights[i];
    if (left < 0) break;
  }
  return last;
}

/// D² sampling of `count` members; copies of a drawn sample come last.
std::vector<Index> spread_out(const MatrixView& samples, const std::vector<Index>& members, Index count,
                              std::mt19937_64& engine) {
  std::vector<Index> chosen;
  std::vector<Index> left = members;
  std::vector<double> weights(members.size(), 1.0);
  while (static_cast<Index>(chosen.size()) < count) {
    if (std::all_of(weights.begin(), weights.end(), [](double w) { return w <= 0; })) {
      std::fill(weights.begin(), weights.end(), 1.0);
    }
    const std::size_t at = draw(weights, engine);
    const auto drawn = samples.col(left[at]);
    const bool first = chosen.empty();
    chosen.push_back(left[at]);
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(at));
    weights.erase(weights.begin() + static_cast<std::ptrdiff_t>(at));
    for (std::size_t i = 0; i < left.size(); ++i) {
      const double distance = (samples.col(left[i]) - drawn).squaredNorm();
      weights[i] = first ? distance : std::min(weights[i], distance);
    }
  }
  return chosen;
}

}  // namespace

std::vector<Index> class_balanced_prototypes(MatrixView samples, const std::vector<int>& labels, Index count,
                                             std::uint64_t seed) {
  if (count < 1)
    throw InvalidArgument(fmt::format("the number of prototypes is {}; expected at least 1", count));
  if (static_cast<Index>(labels.size()) != samples.cols()) {
    throw InvalidArgument(fmt::format("prototypes: {} labels for {} samples; expected one each",
                                      labels.size(), samples.cols()));
  }
  std::vector<Index> chosen;
  if (count >= samples.cols()) {
    chosen.resize(labels.size());
    std::iota(chosen.begin(), chosen.end(), Index{0});
    return chosen;
  }
  std::map<int, std::vector<Index>> classes;
  for (std::size_t i = 0; i < labels.size(); ++i) classes[labels[i]].push_back(static_cast<Index>(i));
  std::vector<Index> sizes;
  for (const auto& [label, members] : classes) sizes.push_back(static_cast<Index>(members.size()));
  const std::vector<Index> share = shares(sizes, count);
  std::mt19937_64 engine(seed);
  std::size_t c = 0;
  for (const auto& [label, members] : classes) {
    const std::vector<Index> picked = spread_out(samples, members, share[c++], engine);
    chosen.insert(chosen.end(), picked.begin(), picked.end());
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

Matrix reconstruction_dictionary(MatrixView samples, const std::vector<int>& labels, Index count,
                                 std::uint64_t seed) {
  if (count == 0) return samples;
  return samples(Eigen::all, class_balanced_prototypes(samples, labels, count, seed));
}

}  // namespace isthmus
