#include "domain/scatter.h"

#include <fmt/format.h>

#include <algorithm>

#include "isthmus/errors.h"
#include "ops/operations.h"

namespace isthmus {

Scatter total_scatter(SampleView source, SampleView target, const Execution& run) {
  ops::Moments joint = ops::moments({source, target}, run);
  return {std::move(joint.scatter), std::move(joint.mean)};
}

Scatter total_scatter(const DomainPair& pair, const Execution& run) {
  return total_scatter(pair.source(), pair.target(), run);
}

int choose_components(std::optional<int> wanted, int usual, Index features, Index samples) {
  const Index bound = std::min(features, samples - 1);
  if (!wanted) return static_cast<int>(std::min<Index>(usual, bound));
  if (*wanted > bound) {
    throw InvalidArgument(
        fmt::format("option 'components' is {}; expected at most {} ({} features, {} samples): ask for fewer "
                    "components",
                    *wanted, bound, features, samples));
  }
  return *wanted;
}

int choose_components(std::optional<int> wanted, int usual, const DomainPair& pair) {
  return choose_components(wanted, usual, pair.dimension(), pair.source_count() + pair.target_count());
}

}  // namespace isthmus
