#include "methods/drawn_by_class.h"

#include <algorithm>
#include <cmath>

#include "linalg/spread_samples.h"

namespace isthmus {

std::vector<Index> drawn_by_class(const std::vector<int>& labels, int class_count, Index wanted,
                                  std::mt19937_64& engine) {
  std::vector<std::vector<Index>> of_class(static_cast<std::size_t>(class_count));
  for (std::size_t i = 0; i < labels.size(); ++i)
    of_class[static_cast<std::size_t>(labels[i])].push_back(static_cast<Index>(i));
  const double share = static_cast<double>(wanted) / static_cast<double>(labels.size());
  std::vector<Index> drawn;
  for (const std::vector<Index>& samples : of_class) {
    const auto count = static_cast<Index>(samples.size());
    const auto fair = static_cast<Index>(std::lround(share * static_cast<double>(count)));
    for (const Index i : linalg::random_subset(count, std::max<Index>(fair, 2), engine))
      drawn.push_back(samples[static_cast<std::size_t>(i)]);
  }
  std::sort(drawn.begin(), drawn.end());
  return drawn;
}

}  // namespace isthmus
