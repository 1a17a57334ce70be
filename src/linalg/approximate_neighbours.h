#pragma once

#include <memory>

#include "isthmus/execution.h"
#include "linalg/neighbours.h"

namespace isthmus::linalg {

/// Neighbours found by a walk through a hierarchy of small-world graphs (Malkov & Yashunin 2018, by hnswlib):
/// time grows more slowly than n², and now and then a neighbour is missed. Slower than the exact search below
/// some 300,000 references (docs/performance.md).
///
/// References enter one by one in their order, so that the same references give the same graph, and a query
/// looks at nothing else: the same bytes on any number of threads.
class ApproximateNeighbours {
 public:
  /// `references` must outlive this. Throws NumericalError when a value is not finite.
  explicit ApproximateNeighbours(const MatrixView& references, const Execution& run = {});
  ~ApproximateNeighbours();
  ApproximateNeighbours(const ApproximateNeighbours&) = delete;
  ApproximateNeighbours& operator=(const ApproximateNeighbours&) = delete;

  /// As linalg::nearest_k, distances exact, but of neighbours that may not be the nearest. A query whose walk
  /// meets fewer than k references is searched exactly.
  Neighbours nearest_k(MatrixView queries, Index k, bool exclude_self, const Execution& run = {}) const;

 private:
  struct Graph;
  void search(const MatrixView& queries, Index query, bool exclude_self, Neighbours& result) const;

  MatrixView references_;
  std::unique_ptr<Graph> graph_;
};

/// Of how many neighbours looked at, how many are as near as the exact search's.
struct Recall {
  Index found = 0;
  Index wanted = 0;

  double share() const {
    return wanted == 0 ? 1.0 : static_cast<double>(found) / static_cast<double>(wanted);
  }
  Recall& operator+=(const Recall& other);
};

/// Queries on which recall is measured: enough for a percent or so, at a cost that does not count.
constexpr Index kRecallSample = 256;

/// The recall of neighbours `found` of at most `sample` of the queries, evenly over all.
Recall measure_recall(MatrixView references, MatrixView queries, const Neighbours& found, bool exclude_self,
                      Index sample, const Execution& run = {});

}  // namespace isthmus::linalg
