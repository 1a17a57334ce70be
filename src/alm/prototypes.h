#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "isthmus/execution.h"
#include "isthmus/features.h"
#include "isthmus/matrix.h"

namespace isthmus {

/// Picks `count` of the samples as a class-balanced dictionary: every class gives the same number, or all of
/// its samples where it has fewer (others then give more). Within a class samples are drawn far from those
/// drawn before (probability ∝ squared distance, as k-means++ starts), so that a few cover it; a large class
/// is first thinned at random to twenty times what it gives. Returns ascending indices, all of them when
/// count ≥ samples. Throws InvalidArgument when count < 1.
std::vector<Index> class_balanced_prototypes(SampleView samples, const std::vector<int>& labels, Index count,
                                             std::uint64_t seed, const Execution& run);

/// The samples that may rebuild others: `count` prototypes as columns, or all samples where no count is
/// given.
Matrix reconstruction_dictionary(SampleView samples, const std::vector<int>& labels, std::optional<int> count,
                                 std::uint64_t seed, const Execution& run);

}  // namespace isthmus
