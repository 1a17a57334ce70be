#include "linalg/spread_samples.h"

#include <algorithm>
#include <numeric>

namespace isthmus::linalg {
namespace {

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

}  // namespace

std::vector<Index> spread_samples(MatrixView samples, Index count, std::mt19937_64& engine,
                                  const Execution& run) {
  std::vector<Index> members(static_cast<std::size_t>(samples.cols()));
  std::iota(members.begin(), members.end(), Index{0});
  std::vector<Index> chosen;
  std::vector<double> weights(members.size(), 1.0);
  while (static_cast<Index>(chosen.size()) < count) {
    run.look();
    if (std::all_of(weights.begin(), weights.end(), [](double w) { return w <= 0; })) {
      std::fill(weights.begin(), weights.end(), 1.0);
    }
    const std::size_t at = draw(weights, engine);
    const auto drawn = samples.col(members[at]);
    const bool first = chosen.empty();
    chosen.push_back(members[at]);
    members.erase(members.begin() + static_cast<std::ptrdiff_t>(at));
    weights.erase(weights.begin() + static_cast<std::ptrdiff_t>(at));
    for (std::size_t i = 0; i < members.size(); ++i) {
      const double distance = (samples.col(members[i]) - drawn).squaredNorm();
      weights[i] = first ? distance : std::min(weights[i], distance);
    }
  }
  return chosen;
}

std::vector<Index> random_subset(Index total, Index count, std::mt19937_64& engine) {
  std::vector<Index> numbers(static_cast<std::size_t>(total));
  std::iota(numbers.begin(), numbers.end(), Index{0});
  if (total <= count) return numbers;
  // Fisher–Yates, as far as needed.
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    std::swap(numbers[i], numbers[i + engine() % (numbers.size() - i)]);
  }
  numbers.resize(static_cast<std::size_t>(count));
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

}  // namespace isthmus::linalg
