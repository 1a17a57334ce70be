#include "ops/recorded.h"

#include <fmt/format.h>

namespace isthmus::ops {

template <class Answer>
Answer RecordedBackend::count(Operation operation, Answer answer) {
  ++calls_[operation].asked;
  if (!answer) ++calls_[operation].declined;
  return answer;
}

bool RecordedBackend::propose_neighbours(const NeighbourSearch& search, const Execution& run,
                                         const TakeCandidates& take) {
  return count(Neighbours, backend_->propose_neighbours(search, run, take));
}

std::optional<linalg::Moments> RecordedBackend::fold_moments(const std::vector<SampleView>& parts,
                                                             const Execution& run) {
  return count(Folding, backend_->fold_moments(parts, run));
}

bool RecordedBackend::embed(const AffineMap& map, const SampleView& samples, const Execution& run,
                            Eigen::Ref<Matrix> embedded) {
  return count(Embedding, backend_->embed(map, samples, run, embedded));
}

std::unique_ptr<ReconstructionState> RecordedBackend::reconstruction(const ReconstructionShape& shape,
                                                                     const ReconstructionProblem& problem,
                                                                     const Execution& run) {
  return count(Reconstruction, backend_->reconstruction(shape, problem, run));
}

std::vector<std::string> RecordedBackend::sentences() const {
  constexpr std::array<std::string_view, Count> kNames{"neighbours", "moments", "embedding",
                                                       "reconstruction"};
  std::vector<std::string> told;
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    const int asked = calls_[i].asked;
    const int declined = calls_[i].declined;
    if (asked == 0) continue;
    if (declined == 0) {
      told.push_back(fmt::format("{} by {}", kNames[i], name()));
    } else if (declined == asked) {
      told.push_back(fmt::format("{} by the CPU: {} declined", kNames[i], name()));
    } else {
      told.push_back(
          fmt::format("{} by {}, {} of {} by the CPU: declined", kNames[i], name(), declined, asked));
    }
  }
  return told;
}

}  // namespace isthmus::ops
