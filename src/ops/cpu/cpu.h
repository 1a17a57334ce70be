#pragma once

#include "ops/backend.h"

namespace isthmus::ops {

/// The processor, by BLAS and threads. Does everything, declines nothing, and gives the same bytes on any
/// number of threads.
class CpuBackend final : public Backend {
 public:
  std::string_view name() const override { return "cpu"; }
  bool propose_neighbours(const NeighbourSearch& search, const Execution& run,
                          const TakeCandidates& take) override;
  std::optional<linalg::Moments> fold_moments(const std::vector<SampleView>& parts,
                                              const Execution& run) override;
  bool embed(const AffineMap& map, const SampleView& samples, const Execution& run,
             Eigen::Ref<Matrix> embedded) override;
  std::unique_ptr<ReconstructionState> reconstruction(const ReconstructionShape& shape,
                                                      const ReconstructionProblem& problem,
                                                      const Execution& run) override;
};

}  // namespace isthmus::ops
