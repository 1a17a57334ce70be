#pragma once

#include <vector>

#include "isthmus/domain.h"
#include "isthmus/execution.h"

namespace isthmus {

/// The source samples that count, ascending: the first of each set equal in class and, but for rounding, in
/// all features. All of them where fewer than a tenth are copies.
std::vector<Index> distinct_source_samples(const DomainPair& pair, const Execution& run);

/// The pair with these source samples only.
DomainPair with_source_samples(const DomainPair& pair, const std::vector<Index>& samples);

}  // namespace isthmus
