#include "domain/scatter.h"

#include <fmt/format.h>

#include <algorithm>

#include "isthmus/errors.h"
#include "ops/operations.h"

namespace isthmus {

linalg::Moments joint_moments(SampleView source, SampleView target, const Execution& run) {
  return ops::moments({source, target}, run);
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
