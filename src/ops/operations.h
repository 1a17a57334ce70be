#pragma once

#include "ops/backend.h"

namespace isthmus::ops {

// The operations as the library calls them: by the backend of `run`, by the CPU where there is none or it
// declines. Neighbours are in ops/neighbours.h.

/// The CPU sums in fixed blocks about the mean: the same bytes on any number of threads, and no digits lost
/// to a large mean. `parts` are not empty and of one dimension.
linalg::Moments moments(const std::vector<SampleView>& parts, const Execution& run);

/// Writes the embedding of the samples, k×n.
void embed(const AffineMap& map, const SampleView& samples, const Execution& run,
           Eigen::Ref<Matrix> embedded);

std::unique_ptr<ReconstructionState> reconstruction(const ReconstructionShape& shape,
                                                    const ReconstructionProblem& problem,
                                                    const Execution& run);

}  // namespace isthmus::ops
