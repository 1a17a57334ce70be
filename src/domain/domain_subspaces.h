#pragma once

#include <optional>
#include <string_view>

#include "isthmus/domain.h"
#include "isthmus/execution.h"
#include "isthmus/report.h"
#include "linalg/subspace.h"

namespace isthmus {

/// The PCA subspaces of the two domains, each about its own mean, of the same dimension.
struct DomainSubspaces {
  linalg::PrincipalSubspace source;
  linalg::PrincipalSubspace target;

  int dimension() const { return static_cast<int>(source.basis.cols()); }
};

/// Dimension `wanted` (the option called `option`), or none to choose it by the subspace disagreement
/// measure: the smallest at which the measure is 1 to three decimals, looked for up to 100 dimensions; the
/// largest looked at where the domains never disagree that much. The dimension, and how it was chosen, go to
/// `report`. Throws InvalidArgument naming the rank when a domain spans fewer dimensions than wanted, or
/// none.
DomainSubspaces domain_subspaces(const DomainPair& pair, std::optional<int> wanted, std::string_view option,
                                 Report& report, const Execution& run);

}  // namespace isthmus
