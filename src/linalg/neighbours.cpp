#include "linalg/neighbours.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <optional>
#include <tuple>
#include <vector>

#include "core/parallel.h"
#include "isthmus/errors.h"
#include "linalg/blas.h"
#include "linalg/neighbour_sieve.h"

namespace isthmus::linalg {
namespace {

// A block of scores (512 KiB in single precision) stays in the second-level cache between the product and the
// scan.
constexpr Index kQueryBlock = 256;
constexpr Index kReferenceBlock = 512;
// Scores looked at together: one packed minimum decides that none of them matters.
constexpr Index kChunk = 32;
constexpr Index kPart = 8;
// To recheck one reference in this many costs about as much as products in double; a few cost nothing.
constexpr Index kRecheckShare = 32;
constexpr Index kFewCandidates = 128;

// Beyond, the rounding of a product in single precision nears the size of the distances.
constexpr Index kMostFeaturesInSingle = 65536;

// Candidates beyond the k nearest before a list is looked through.
constexpr std::size_t kSpare = 8;

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
    bound_ = kInfinity;
    smallest_.clear();
    smallest_.reserve(k_);
    items_.clear();
    items_.reserve(2 * (k_ + kSpare));
    pruned_ = 0;
  }
  /// Lowers the bound before the first reference is added, by k scores known to be at or below `kth`: without
  /// this nearly every early score would be added, only to be dropped again.
  void start(double kth, double slack) { bound_ = kth + slack + query_slack_; }
  Index wanted() const { return static_cast<Index>(k_); }
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
    if (items_.size() >= 2 * std::max(pruned_, k_ + kSpare)) prune();
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
template <class Real>
double kth_smallest_group(const Real* scores, Index count, Index k) {
  constexpr Index kGroup = 8;
  const Index groups = std::min(count, kReferenceBlock) / kGroup;
  if (groups < k) return kInfinity;
  Eigen::Array<Real, Eigen::Dynamic, 1, 0, kReferenceBlock / kGroup, 1> minima =
      Eigen::Map<const Eigen::Array<Real, kGroup, Eigen::Dynamic>>(scores, kGroup, groups)
          .colwise()
          .minCoeff()
          .transpose();
  std::nth_element(minima.data(), minima.data() + k - 1, minima.data() + groups);
  return static_cast<double>(minima[k - 1]);
}

/// Offers the scores of references first … first+count−1, without `skip`, to the list.
template <class Real>
void scan(const Real* scores, const double* slack, Index first, Index count, Index skip,
          CandidateList& list) {
  if (list.bound() == kInfinity) {
    const bool among = skip >= first && skip < first + count;
    list.start(kth_smallest_group(scores, count, list.wanted() + (among ? 1 : 0)),
               Eigen::Map<const Vector>(slack + first, count).maxCoeff());
  }
  const auto offer = [&](Index begin, Index end) {
    for (Index r = begin; r < end; ++r) {
      const auto score = static_cast<double>(scores[r]);
      if (score <= list.bound() && first + r != skip) list.add(score, slack[first + r], first + r);
    }
  };
  const auto smallest = [&]<Index kSize>(Index begin, std::integral_constant<Index, kSize>) {
    return static_cast<double>(Eigen::Map<const Eigen::Array<Real, kSize, 1>>(scores + begin).minCoeff());
  };
  const Index whole = count - count % kChunk;
  for (Index begin = 0; begin < whole; begin += kChunk) {
    if (smallest(begin, std::integral_constant<Index, kChunk>()) > list.bound()) continue;
    for (Index r = begin; r < begin + kChunk; r += kPart) {
      if (smallest(r, std::integral_constant<Index, kPart>()) <= list.bound()) offer(r, r + kPart);
    }
  }
  offer(whole, count);
}

/// A distance summed feature by feature. Where its square is out of the range of double, that in another
/// unit tells the order.
struct Exact {
  enum class Range { Below, Within, Beyond };

  double squared;
  Range range;
  double ordered;
  Index index;
  bool operator<(const Exact& other) const {
    return std::tie(range, ordered, index) < std::tie(other.range, other.ordered, other.index);
  }
};

template <class Sample>
Exact exact_distance(const Sample& reference, const Sample& query, Index index) {
  const double squared = (reference - query).squaredNorm();
  if (squared < kSmallestSquare) {
    constexpr double kUp = 0x1p600;
    return {squared, Exact::Range::Below, (kUp * (reference - query)).squaredNorm(), index};
  }
  if (squared <= std::numeric_limits<double>::max()) return {squared, Exact::Range::Within, squared, index};
  constexpr double kDown = 0x1p-60;
  return {squared, Exact::Range::Beyond, (kDown * reference - kDown * query).stableNorm(), index};
}

/// One search: what to look for, and where it is written.
struct Search {
  const MatrixView& references;
  const MatrixView& queries;
  bool exclude_self;
  Index reference_block;
  const Execution& run;
  const NeighbourIndex* near;
  Neighbours& result;

  /// Candidates of `length` queries, after the first `seen` references, beyond which products in double are
  /// cheaper than to recheck them.
  std::size_t most_candidates(Index length, Index seen) const {
    return static_cast<std::size_t>(length *
                                    (4 * result.index.rows() + kFewCandidates + seen / kRecheckShare));
  }
  void decide(Index query, const CandidateList& candidates) const;
};

/// Writes the k nearest of the candidates, by their directly summed distances.
void Search::decide(Index query, const CandidateList& candidates) const {
  const Index k = result.index.rows();
  std::vector<Exact> exact;
  exact.reserve(candidates.items().size());
  for (const Candidate& c : candidates.items()) {
    exact.push_back(exact_distance(references.col(c.index), queries.col(query), c.index));
  }
  std::partial_sort(exact.begin(), exact.begin() + k, exact.end());
  for (Index i = 0; i < k; ++i) {
    result.squared_distance(i, query) = exact[static_cast<std::size_t>(i)].squared;
    result.index(i, query) = exact[static_cast<std::size_t>(i)].index;
  }
}

/// Drops what lies above the bounds, and says how much is left.
std::size_t prune(std::vector<CandidateList>& lists) {
  std::size_t left = 0;
  for (CandidateList& list : lists) {
    list.prune();
    left += list.items().size();
  }
  return left;
}

/// The largest of the upper bounds of some references, but for the query's own part.
template <class Real, class Query>
double farthest(const Sieve<Real>& sieve, const Query& query, const NeighbourIndex::ConstColXpr& references) {
  double bound = -kInfinity;
  for (const Index r : references) {
    const auto score = static_cast<double>(sieve.references().col(r).dot(query));
    bound = std::max(bound, score + sieve.slack()[r]);
  }
  return bound;
}

/// Neighbours of queries begin … begin+length−1. Where `may_fail`, gives up and says false when the sieve
/// leaves too many candidates.
template <class Real>
bool search_block(const Search& search, const Sieve<Real>& sieve, Index begin, Index length, bool may_fail) {
  const Index count = search.references.cols();
  typename Sieve<Real>::Block extended(sieve.references().rows(), length);
  std::vector<CandidateList> lists(static_cast<std::size_t>(length));
  for (Index q = 0; q < length; ++q) {
    CandidateList& list = lists[static_cast<std::size_t>(q)];
    list.reset(search.result.index.rows(), sieve.extend(search.queries.col(begin + q), extended.col(q)));
    if (search.near != nullptr) {
      list.start(farthest(sieve, extended.col(q), search.near->col(begin + q)), 0.0);
    }
  }
  typename Sieve<Real>::Block scores(std::min(search.reference_block, count), length);
  for (Index first = 0; first < count; first += search.reference_block) {
    search.run.look();
    const Index rows = std::min(search.reference_block, count - first);
    gemm(Op::Transpose, Op::None, Real(1), sieve.references().middleCols(first, rows), extended, Real(0),
         scores.topRows(rows), 1);
    std::size_t candidates = 0;
    for (Index q = 0; q < length; ++q) {
      CandidateList& list = lists[static_cast<std::size_t>(q)];
      scan(scores.col(q).data(), sieve.slack().data(), first, rows, search.exclude_self ? begin + q : -1,
           list);
      candidates += list.items().size();
    }
    const std::size_t limit = search.most_candidates(length, first + rows);
    if (may_fail && candidates > limit && prune(lists) > limit) return false;
  }
  prune(lists);
  for (Index q = 0; q < length; ++q) search.decide(begin + q, lists[static_cast<std::size_t>(q)]);
  return true;
}

/// Makes the finer sieve when the first block needs it.
class SieveInDouble {
 public:
  explicit SieveInDouble(const MatrixView& references) : references_(references) {}
  const Sieve<double>& get() {
    std::call_once(made_, [&] { sieve_.emplace(references_); });
    return *sieve_;
  }

 private:
  const MatrixView& references_;
  std::once_flag made_;
  std::optional<Sieve<double>> sieve_;
};

/// Throws as nearest_k does, but for references that are not finite.
void check_search(const MatrixView& references, const MatrixView& queries, Index k, bool exclude_self) {
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
  if (!queries.allFinite()) throw NumericalError("neighbour search: a query holds NaN or infinite values");
}

}  // namespace

Neighbours nearest_k(MatrixView references, MatrixView queries, Index k, bool exclude_self,
                     const Execution& run, Index block, const NeighbourIndex* near) {
  check_search(references, queries, k, exclude_self);
  if (near != nullptr && (near->rows() != k || near->cols() != queries.cols())) {
    throw InvalidArgument(fmt::format("neighbour search: starts from {}×{} references; expected {}×{}",
                                      near->rows(), near->cols(), k, queries.cols()));
  }
  if (!references.allFinite())
    throw NumericalError("neighbour search: a reference holds NaN or infinite values");
  Neighbours result;
  result.index.resize(k, queries.cols());
  result.squared_distance.resize(k, queries.cols());
  const Search search{references, queries, exclude_self, block > 0 ? block : kReferenceBlock,
                      run,        near,    result};
  std::optional<Sieve<float>> coarse;
  if (references.rows() <= kMostFeaturesInSingle) coarse.emplace(references);
  SieveInDouble fine(references);
  parallel_ranges(run, queries.cols(), block > 0 ? block : kQueryBlock, [&](Index begin, Index length) {
    if (coarse && search_block(search, *coarse, begin, length, true)) return;
    search_block(search, fine.get(), begin, length, false);
  });
  return result;
}

Nearest nearest(MatrixView references, MatrixView queries, const Execution& run, Index block) {
  const Neighbours found = nearest_k(references, queries, 1, false, run, block);
  return {std::vector<Index>(found.index.data(), found.index.data() + found.index.size()),
          found.squared_distance.row(0).transpose()};
}

}  // namespace isthmus::linalg
