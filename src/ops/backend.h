#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "isthmus/backend.h"
#include "isthmus/execution.h"
#include "isthmus/features.h"
#include "isthmus/matrix.h"
#include "linalg/moments.h"
#include "ops/reconstruction.h"

namespace isthmus {
namespace ops {

/// References of each query, by their numbers, k×m.
using NeighbourIndex = Eigen::Matrix<Index, Eigen::Dynamic, Eigen::Dynamic>;

/// A search for the k nearest references of every query, all finite and of one dimension.
struct NeighbourSearch {
  MatrixView references;
  MatrixView queries;
  Index k = 1;
  bool exclude_self = false;             ///< both are the same samples, and none is its own neighbour
  const NeighbourIndex* near = nullptr;  ///< where given, k references that are likely to be near
  Index block = 0;  ///< queries and references looked at together; 0: as the backend likes
};

/// References that may be among the k nearest of consecutive queries: those of query first + i are
/// index[start[i]] … index[start[i + 1] − 1], in any order, none of them twice.
struct Candidates {
  Index first = 0;
  std::vector<Index> start;
  std::vector<Index> index;
  /// For each query a number that the squared distance of every reference left out exceeds, as
  /// squared_distance() would sum it. A query that this leaves open is compared with all references. Empty:
  /// nothing is left out that could be among the k nearest.
  std::vector<double> left_out_beyond = {};

  Index queries() const { return static_cast<Index>(start.size()) - 1; }
};

/// Takes candidates and decides between them. May be called from several threads at once.
using TakeCandidates = std::function<void(const Candidates&)>;

/// x ↦ Pᵀx + b, then unit length if asked.
struct AffineMap {
  const Matrix& projection;  ///< P, d×k; 0×0 is the identity
  const Vector& offset;      ///< b, k; empty is zero
  bool unit_columns = false;
};

/// The size of a reconstruction: k×ns by k×nt.
struct ReconstructionShape {
  Index dimension = 0;
  Index source_count = 0;
  Index target_count = 0;
};

}  // namespace ops

/// Where the four heavy operations run. A backend does what it can and declines the rest, which the CPU then
/// does: to decline is what every operation does unless overridden, and it may depend on shapes. Operations
/// are called from several threads at once. Their arguments are valid and outlive the call only; a backend
/// that keeps samples on a device between calls must tell by their content that they are the same.
///
/// Each operation looks (`run.look()`) now and then whether to stop, and lets Cancelled pass.
class Backend {
 public:
  virtual ~Backend();
  virtual std::string_view name() const = 0;

  /// Hands over candidates of all queries, each exactly once, in any order and in blocks of any size. False,
  /// with nothing handed over: declined. It does not decide: that is done in double for all backends alike
  /// (ops/neighbours.h), so that neighbours are the same bytes from every one.
  virtual bool propose_neighbours(const ops::NeighbourSearch& search, const Execution& run,
                                  const ops::TakeCandidates& take);
  /// Of the samples of all parts together, the parts in their order.
  virtual std::optional<linalg::Moments> fold_moments(const std::vector<SampleView>& parts,
                                                      const Execution& run);
  /// Writes the embedding of the samples, k×n.
  virtual bool embed(const ops::AffineMap& map, const SampleView& samples, const Execution& run,
                     Eigen::Ref<Matrix> embedded);
  /// The start of a reconstruction, all zero; null: declined.
  virtual std::unique_ptr<ops::ReconstructionState> reconstruction(const ops::ReconstructionShape& shape,
                                                                   const ReconstructionProblem& problem,
                                                                   const Execution& run);
};

/// Makes a backend known by its name. Throws InvalidArgument where there is one of that name.
void add_backend(std::shared_ptr<Backend> backend);

}  // namespace isthmus
