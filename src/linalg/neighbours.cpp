#include "linalg/neighbours.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "core/parallel.h"
#include "isthmus/errors.h"
#include "linalg/blas.h"

namespace isthmus::linalg {
namespace {

constexpr Index kQueryBlock = 256;
constexpr Index kReferenceBlock = 1024;

/// [-2 R; ‖r‖²]: with a query extended by 1, one product gives ‖r − q‖² − ‖q‖² for a whole block.
Matrix extended_references(const MatrixView& references) {
  Matrix extended(references.rows() + 1, references.cols());
  extended.topRows(references.rows()) = -2.0 * references;
  extended.bottomRows(1) = references.colwise().squaredNorm();
  return extended;
}

struct Candidate {
  double score;  // from the matrix product, off by at most the tolerance
  Index index;
};

/// Keeps every reference that may be among the k nearest once rounding is allowed for.
class CandidateList {
 public:
  void reset(Index k, double tolerance) {
    k_ = static_cast<std::size_t>(k);
    tolerance_ = tolerance;
    bound_ = std::numeric_limits<double>::infinity();
    items_.clear();
  }
  double bound() const { return bound_; }
  void add(double score, Index index) {
    items_.push_back({score, index});
    if (items_.size() >= 4 * k_ + 16) prune();
  }
  /// Drops what lies beyond the k-th best score by more than twice the rounding error.
  void prune() {
    if (items_.size() < k_) return;
    std::nth_element(items_.begin(), items_.begin() + static_cast<std::ptrdiff_t>(k_ - 1), items_.end(),
                     [](const Candidate& a, const Candidate& b) { return a.score < b.score; });
    bound_ = items_[k_ - 1].score + tolerance_;
    std::erase_if(items_, [&](const Candidate& c) { return c.score > bound_; });
  }
  const std::vector<Candidate>& items() const { return items_; }

 private:
  std::size_t k_ = 1;
  double tolerance_ = 0;
  double bound_ = 0;
  std::vector<Candidate> items_;
};

}  // namespace

Neighbours nearest_k(MatrixView references, MatrixView queries, Index k, bool exclude_self, int threads,
                     Index block) {
  const Index available = references.cols() - (exclude_self ? 1 : 0);
  if (references.rows() != queries.rows()) {
    throw InvalidArgument(fmt::format("neighbour search: references have {} features and queries {}",
                                      references.rows(), queries.rows()));
  }
  if (k < 1 || k > available) {
    throw InvalidArgument(
        fmt::format("neighbour search: {} neighbours wanted; expected 1 … {}", k, available));
  }
  const Index query_block = block > 0 ? block : kQueryBlock;
  const Index reference_block = block > 0 ? block : kReferenceBlock;
  const Matrix extended = extended_references(references);
  const double largest = references.cols() > 0 ? extended.bottomRows(1).maxCoeff() : 0.0;
  // Rounding of a dot product of length d+1 of terms bounded by the norms, for both sides of a comparison.
  const double unit =
      4.0 * static_cast<double>(references.rows() + 8) * std::numeric_limits<double>::epsilon();

  Neighbours result;
  result.index.resize(k, queries.cols());
  result.squared_distance.resize(k, queries.cols());
  parallel_ranges(threads, queries.cols(), query_block, [&](Index begin, Index length) {
    Matrix extended_queries(queries.rows() + 1, length);
    extended_queries.topRows(queries.rows()) = queries.middleCols(begin, length);
    extended_queries.bottomRows(1).setOnes();
    std::vector<CandidateList> lists(static_cast<std::size_t>(length));
    for (Index q = 0; q < length; ++q) {
      const double norm = queries.col(begin + q).squaredNorm();
      lists[static_cast<std::size_t>(q)].reset(k, unit * (largest + norm));
    }
    Matrix scores;
    for (Index first = 0; first < references.cols(); first += reference_block) {
      const Index count = std::min(reference_block, references.cols() - first);
      scores.resize(count, length);
      gemm(Op::Transpose, Op::None, 1.0, extended.middleCols(first, count), extended_queries, 0.0, scores);
      for (Index q = 0; q < length; ++q) {
        CandidateList& list = lists[static_cast<std::size_t>(q)];
        const double* column = scores.col(q).data();
        if (scores.col(q).minCoeff() > list.bound()) continue;
        for (Index r = 0; r < count; ++r) {
          if (column[r] > list.bound() || (exclude_self && first + r == begin + q)) continue;
          list.add(column[r], first + r);
        }
        list.prune();
      }
    }
    // The few that are left are compared by their distances summed feature by feature.
    std::vector<std::pair<double, Index>> exact;
    for (Index q = 0; q < length; ++q) {
      exact.clear();
      for (const Candidate& c : lists[static_cast<std::size_t>(q)].items()) {
        exact.emplace_back((references.col(c.index) - queries.col(begin + q)).squaredNorm(), c.index);
      }
      std::partial_sort(exact.begin(), exact.begin() + k, exact.end());
      for (Index i = 0; i < k; ++i) {
        result.squared_distance(i, begin + q) = exact[static_cast<std::size_t>(i)].first;
        result.index(i, begin + q) = exact[static_cast<std::size_t>(i)].second;
      }
    }
  });
  return result;
}

Nearest nearest(MatrixView references, MatrixView queries, int threads, Index block) {
  const Neighbours found = nearest_k(references, queries, 1, false, threads, block);
  return {std::vector<Index>(found.index.data(), found.index.data() + found.index.size()),
          found.squared_distance.row(0).transpose()};
}

}  // namespace isthmus::linalg
