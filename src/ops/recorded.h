#pragma once

#include <array>
#include <atomic>
#include <string>
#include <vector>

#include "ops/backend.h"

namespace isthmus::ops {

/// A backend that counts what another one does and declines, for the report of one fit.
class RecordedBackend final : public Backend {
 public:
  explicit RecordedBackend(std::shared_ptr<Backend> backend) : backend_(std::move(backend)) {}

  std::string_view name() const override { return backend_->name(); }
  bool propose_neighbours(const NeighbourSearch& search, const Execution& run,
                          const TakeCandidates& take) override;
  std::optional<linalg::Moments> fold_moments(const std::vector<SampleView>& parts,
                                              const Execution& run) override;
  bool embed(const AffineMap& map, const SampleView& samples, const Execution& run,
             Eigen::Ref<Matrix> embedded) override;
  std::unique_ptr<ReconstructionState> reconstruction(const ReconstructionShape& shape,
                                                      const ReconstructionProblem& problem,
                                                      const Execution& run) override;

  /// A sentence for each operation that was asked for.
  std::vector<std::string> sentences() const;

 private:
  enum Operation { Neighbours, Folding, Embedding, Reconstruction, Count };
  struct Calls {
    std::atomic<int> asked = 0;
    std::atomic<int> declined = 0;
  };
  template <class Answer>
  Answer count(Operation operation, Answer answer);

  std::shared_ptr<Backend> backend_;
  std::array<Calls, Count> calls_;
};

}  // namespace isthmus::ops
