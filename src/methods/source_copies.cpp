#include "methods/source_copies.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/parallel.h"

namespace isthmus {
namespace {

/// In single precision, so that copies which differ by rounding share their hash.
std::vector<std::size_t> hashes_of(const SampleView& samples, const Execution& run) {
  constexpr Index kHashedAtOnce = 512;
  std::vector<std::size_t> hashes(static_cast<std::size_t>(samples.cols()));
  parallel_ranges(run, samples.cols(), kHashedAtOnce, [&](Index begin, Index length) {
    const Eigen::MatrixXf block = samples.columns(begin, length).cast<float>().array() + 0.0F;  // −0 is 0
    const std::size_t bytes = sizeof(float) * static_cast<std::size_t>(block.rows());
    for (Index i = 0; i < length; ++i) {
      const auto* values = reinterpret_cast<const char*>(block.col(i).data());
      hashes[static_cast<std::size_t>(begin + i)] =
          std::hash<std::string_view>{}(std::string_view(values, bytes));
    }
  });
  return hashes;
}

bool are_copies(const Columns& a, const Columns& b) {
  // A preparation rounds copies otherwise where they lie otherwise in memory.
  constexpr double kRounding = 1e-14;
  return ((a - b).array().abs() <= kRounding * (a.array().abs() + b.array().abs())).all();
}

}  // namespace

std::vector<Index> distinct_source_samples(const DomainPair& pair, const Execution& run) {
  // So few take hardly a place in a graph of neighbours, and the fit stays that of the table as it is.
  constexpr double kFew = 0.1;
  const SampleView samples(pair.source());
  const std::vector<int>& labels = pair.source_labels();
  const std::vector<std::size_t> hashes = hashes_of(samples, run);
  std::unordered_multimap<std::size_t, Index> seen;
  std::vector<Index> distinct;
  for (Index i = 0; i < samples.cols(); ++i) {
    const auto number = static_cast<std::size_t>(i);
    const auto [first, last] = seen.equal_range(hashes[number]);
    const bool copied = std::any_of(first, last, [&](const auto& earlier) {
      return labels[static_cast<std::size_t>(earlier.second)] == labels[number] &&
             are_copies(samples.sample(earlier.second), samples.sample(i));
    });
    if (copied) continue;
    seen.emplace(hashes[number], i);
    distinct.push_back(i);
  }
  const auto copies = samples.cols() - static_cast<Index>(distinct.size());
  if (static_cast<double>(copies) >= kFew * static_cast<double>(samples.cols())) return distinct;
  distinct.resize(labels.size());
  std::iota(distinct.begin(), distinct.end(), Index{0});
  return distinct;
}

DomainPair with_source_samples(const DomainPair& pair, const std::vector<Index>& samples) {
  std::vector<int> ids;
  for (const Index i : samples) ids.push_back(pair.source_labels()[static_cast<std::size_t>(i)]);
  return {
      {.features = SampleView(pair.source()).pick(samples), .labels = Labels{pair.classes(), std::move(ids)}},
      {.features = pair.target()}};
}

}  // namespace isthmus
