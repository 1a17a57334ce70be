#include "ops/operations.h"

#include "ops/cpu/cpu.h"

namespace isthmus::ops {

linalg::Moments moments(const std::vector<SampleView>& parts, const Execution& run) {
  if (run.backend) {
    if (auto found = run.backend->fold_moments(parts, run)) return *std::move(found);
  }
  return *CpuBackend().fold_moments(parts, run);
}

void embed(const AffineMap& map, const SampleView& samples, const Execution& run,
           Eigen::Ref<Matrix> embedded) {
  if (run.backend && run.backend->embed(map, samples, run, embedded)) return;
  CpuBackend().embed(map, samples, run, embedded);
}

std::unique_ptr<ReconstructionState> reconstruction(const ReconstructionShape& shape,
                                                    const ReconstructionProblem& problem,
                                                    const Execution& run) {
  if (run.backend) {
    if (auto made = run.backend->reconstruction(shape, problem, run)) return made;
  }
  return CpuBackend().reconstruction(shape, problem, run);
}

}  // namespace isthmus::ops
