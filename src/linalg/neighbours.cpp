#include "linalg/neighbours.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

#include "core/parallel.h"
#include "isthmus/errors.h"
#include "linalg/blas.h"

namespace isthmus::linalg {
namespace {

// A block of scores (1 MiB) stays in the second-level cache between the product and the scan.
constexpr Index kQueryBlock = 256;
constexpr Index kReferenceBlock = 512;
// Scores looked at together: one packed minimum decides that none of them matters.
constexpr Index kChunk = 32;
// Samples with an entry beyond this have squares near the end of double. They are set aside from the products
// and compared directly.
constexpr double kHuge = 0x1p480;

/// A point amid the references: the smaller the norms around it, the fewer near-ties to recheck. The median
/// of a few samples per feature, so that a handful of outliers cannot drag it away. Any point would do.
Vector central_point(const MatrixView& references) {
  constexpr Index kSamples = 33;
  const Index count = std::min(kSamples, references.cols());
  std::vector<double> values(static_cast<std::size_t>(count));
  const auto middle = values.begin() + count / 2;
  Vector centre(references.rows());
  for (Index i = 0; i < references.rows(); ++i) {
    for (Index s = 0; s < count; ++s) {
      values[static_cast<std::size_t>(s)] = references(i, s * references.cols() / count);
    }
    std::nth_element(values.begin(), middle, values.end());
    centre[i] = std::abs(*middle) < kHuge ? *middle : 0.0;
  }
  return centre;
}

double largest_magnitude(const Eigen::Ref<const Vector>& sample) {
  return sample.size() == 0 ? 0.0 : sample.cwiseAbs().maxCoeff();
}

/// The references as the product wants them, and what rounding can do to it.
///
/// With r, q taken from the centre, one product with the query extended by 1 gives for a whole block
///
///   score = −2 r·q + (1 − 3w)‖r‖²,   w = (d + 8)ε,
///
/// a lower bound, up to 2w‖q‖², of ‖r − q‖² − ‖q‖²: the rounding of the product, of the norm, of the
/// centring and of the directly summed distance that decides in the end is below 3w‖r‖² + 2w‖q‖² altogether
/// (each is at most (d + 3)ε/2 times sums of |r_i||q_i|, r_i² and q_i²). The upper bound is higher by
/// 6w‖r‖² + 4w‖q‖². The first part belongs to the reference: one far outlier does not blur the others.
/// A huge sample has no score: its bounds are −∞ and ∞, in finite numbers where they enter the product.
struct Sieve {
  Vector centre;
  Matrix extended;  // (d+1)×n
  Vector slack;     // 6w‖r‖²
  double unit;      // w
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  explicit Sieve(const MatrixView& references)
      : centre(central_point(references)),
        extended(references.rows() + 1, references.cols()),
        slack(references.cols()),
        unit(static_cast<double>(references.rows() + 8) * std::numeric_limits<double>::epsilon()) {
    const Index d = references.rows();
    for (Index j = 0; j < references.cols(); ++j) {
      auto column = extended.col(j);
      if (largest_magnitude(references.col(j)) > kHuge) {
        column.setZero();
        column[d] = std::numeric_limits<double>::lowest();
        slack[j] = kInfinity;
        continue;
      }
      column.head(d) = references.col(j) - centre;
      const double norm = column.head(d).squaredNorm();
      column.head(d) *= -2.0;
      column[d] = norm * (1.0 - 3.0 * unit);
      slack[j] = 6.0 * unit * norm;
    }
  }

  /// Writes the query as the product wants it; returns its part of the distance between the bounds. The last
  /// term stands for underflow.
  double extend(const Eigen::Ref<const Vector>& query, Eigen::Ref<Vector> column) const {
    const Index d = query.size();
    column[d] = 1.0;
    if (largest_magnitude(query) > kHuge) {
      column.head(d).setZero();
      return kInfinity;
    }
    column.head(d) = query - centre;
    return 4.0 * unit * column.head(d).squaredNorm() +
           static_cast<double>(d + 8) * std::numeric_limits<double>::min();
  }
};

struct Candidate {
  double lower;  // bound of ‖r − q‖² up to a constant of the query
  Index index;
};

/// Keeps every reference that may be among the k nearest once rounding is allowed for.
class CandidateList {
 public:
  void reset(Index k, double query_slack) {
    k_ = static_cast<std::size_t>(k);
    query_slack_ = query_slack;
    bound_ = Sieve::kInfinity;
    smallest_.clear();
    items_.clear();
    pruned_ = 0;
  }
  /// Lowers the bound before the first reference is added, by k scores known to be at or below `kth`: without
  /// this nearly every early score would be added, only to be dropped again.
  void start(double kth, double slack) { bound_ = kth + slack + query_slack_; }
  Index wanted() const { return static_cast<Index>(k_); }
  bool empty() const { return items_.empty(); }
  /// At most the k-th smallest upper bound: a reference whose lower bound is above it is not among the k
  /// nearest.
  double bound() const { return bound_; }
  void add(double lower, double slack, Index index) {
    const double upper = lower + slack + query_slack_;
    items_.push_back({lower, index});
    if (upper <= bound_) {
      if (smallest_.size() == k_) {
        std::pop_heap(smallest_.begin(), smallest_.end());
        smallest_.back() = upper;
      } else {
        smallest_.push_back(upper);
      }
      std::push_heap(smallest_.begin(), smallest_.end());
      if (smallest_.size() == k_) bound_ = std::min(bound_, smallest_.front());
    }
    if (items_.size() >= 2 * std::max(pruned_, k_ + 8)) prune();
  }
  /// Drops what lies above the bound.
  void prune() {
    std::erase_if(items_, [&](const Candidate& c) { return c.lower > bound_; });
    pruned_ = items_.size();
  }
  const std::vector<Candidate>& items() const { return items_; }

 private:
  std::size_t k_ = 1;
  double query_slack_ = 0;
  double bound_ = 0;
  std::vector<double> smallest_;  // a heap of the k smallest upper bounds, the largest in front
  std::vector<Candidate> items_;
  std::size_t pruned_ =
      0;  // size after the last prune: lists of many exact ties grow without being looked through again
};

/// The k-th smallest minimum of groups of eight scores: at least k scores are at or below it, nearly as few
/// as can be told without sorting. Infinite when there are fewer groups.
double kth_smallest_group(const double* scores, Index count, Index k) {
  constexpr Index kGroup = 8;
  const Index groups = std::min(count, kReferenceBlock) / kGroup;
  if (groups < k) return Sieve::kInfinity;
  Eigen::Array<double, Eigen::Dynamic, 1, 0, kReferenceBlock / kGroup, 1> minima =
      Eigen::Map<const Eigen::Array<double, kGroup, Eigen::Dynamic>>(scores, kGroup, groups)
          .colwise()
          .minCoeff()
          .transpose();
  std::nth_element(minima.data(), minima.data() + k - 1, minima.data() + groups);
  return minima[k - 1];
}

/// Offers the scores of references first … first+count−1, without `skip`, to the list.
void scan(const double* scores, const double* slack, Index first, Index count, Index skip,
          CandidateList& list) {
  if (list.empty()) {
    const bool among = skip >= first && skip < first + count;
    list.start(kth_smallest_group(scores, count, list.wanted() + (among ? 1 : 0)),
               Eigen::Map<const Vector>(slack + first, count).maxCoeff());
  }
  const auto offer = [&](Index begin, Index end) {
    for (Index r = begin; r < end; ++r) {
      if (scores[r] <= list.bound() && first + r != skip) list.add(scores[r], slack[first + r], first + r);
    }
  };
  const Index whole = count - count % kChunk;
  for (Index r = 0; r < whole; r += kChunk) {
    const Eigen::Map<const Eigen::Array<double, kChunk, 1>> chunk(scores + r);
    if (chunk.minCoeff() <= list.bound()) offer(r, r + kChunk);
  }
  offer(whole, count);
}

/// A distance summed feature by feature. Where its square is beyond double, `beyond` tells the order.
struct Exact {
  double squared;
  double beyond;
  Index index;
  bool operator<(const Exact& other) const {
    return std::tie(squared, beyond, index) < std::tie(other.squared, other.beyond, other.index);
  }
};

template <class Sample>
Exact exact_distance(const Sample& reference, const Sample& query, Index index) {
  const double squared = (reference - query).squaredNorm();
  const bool finite = squared <= std::numeric_limits<double>::max();
  constexpr double kScale = 0x1p-60;
  return {squared, finite ? 0.0 : (kScale * reference - kScale * query).stableNorm(), index};
}

/// Neighbours of queries begin … begin+length−1.
void search_block(const MatrixView& references, const MatrixView& queries, const Sieve& sieve, Index begin,
                  Index length, bool exclude_self, Index reference_block, Neighbours& result) {
  const Index k = result.index.rows();
  Matrix extended(references.rows() + 1, length);
  std::vector<CandidateList> lists(static_cast<std::size_t>(length));
  for (Index q = 0; q < length; ++q) {
    lists[static_cast<std::size_t>(q)].reset(k, sieve.extend(queries.col(begin + q), extended.col(q)));
  }
  Matrix scores(std::min(reference_block, references.cols()), length);
  for (Index first = 0; first < references.cols(); first += reference_block) {
    const Index count = std::min(reference_block, references.cols() - first);
    gemm(Op::Transpose, Op::None, 1.0, sieve.extended.middleCols(first, count), extended, 0.0,
         scores.topRows(count));
    for (Index q = 0; q < length; ++q) {
      scan(scores.col(q).data(), sieve.slack.data(), first, count, exclude_self ? begin + q : -1,
           lists[static_cast<std::size_t>(q)]);
    }
  }
  std::vector<Exact> exact;
  for (Index q = 0; q < length; ++q) {
    exact.clear();
    lists[static_cast<std::size_t>(q)].prune();
    for (const Candidate& c : lists[static_cast<std::size_t>(q)].items()) {
      exact.push_back(exact_distance(references.col(c.index), queries.col(begin + q), c.index));
    }
    std::partial_sort(exact.begin(), exact.begin() + k, exact.end());
    for (Index i = 0; i < k; ++i) {
      result.squared_distance(i, begin + q) = exact[static_cast<std::size_t>(i)].squared;
      result.index(i, begin + q) = exact[static_cast<std::size_t>(i)].index;
    }
  }
}

void check(const MatrixView& references, const MatrixView& queries, Index k, bool exclude_self) {
  if (references.rows() != queries.rows()) {
    throw InvalidArgument(fmt::format("neighbour search: references have {} features and queries {}",
                                      references.rows(), queries.rows()));
  }
  if (exclude_self && references.cols() != queries.cols()) {
    throw InvalidArgument(
        fmt::format("neighbour search among one set of samples: {} references and {} queries",
                    references.cols(), queries.cols()));
  }
  const Index available = references.cols() - (exclude_self ? 1 : 0);
  if (k < 1 || k > available) {
    throw InvalidArgument(
        fmt::format("neighbour search: {} neighbours wanted; expected 1 … {}", k, available));
  }
  if (!references.allFinite())
    throw NumericalError("neighbour search: a reference holds NaN or infinite values");
  if (!queries.allFinite()) throw NumericalError("neighbour search: a query holds NaN or infinite values");
}

}  // namespace

Neighbours nearest_k(MatrixView references, MatrixView queries, Index k, bool exclude_self, int threads,
                     Index block) {
  check(references, queries, k, exclude_self);
  const Sieve sieve(references);
  Neighbours result;
  result.index.resize(k, queries.cols());
  result.squared_distance.resize(k, queries.cols());
  const Index reference_block = block > 0 ? block : kReferenceBlock;
  parallel_ranges(threads, queries.cols(), block > 0 ? block : kQueryBlock, [&](Index begin, Index length) {
    search_block(references, queries, sieve, begin, length, exclude_self, reference_block, result);
  });
  return result;
}

Nearest nearest(MatrixView references, MatrixView queries, int threads, Index block) {
  const Neighbours found = nearest_k(references, queries, 1, false, threads, block);
  return {std::vector<Index>(found.index.data(), found.index.data() + found.index.size()),
          found.squared_distance.row(0).transpose()};
}

}  // namespace isthmus::linalg
