#include <algorithm>
#include <mutex>
#include <optional>
#include <type_traits>
#include <vector>

#include "core/parallel.h"
#include "linalg/blas.h"
#include "linalg/neighbour_sieve.h"
#include "ops/cpu/cpu.h"

namespace isthmus::ops {
namespace {

using linalg::kInfinity;

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

/// Candidates of `length` queries, after the first `seen` references, beyond which products in double are
/// cheaper than to recheck them.
std::size_t most_candidates(Index k, Index length, Index seen) {
  return static_cast<std::size_t>(length * (4 * k + kFewCandidates + seen / kRecheckShare));
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
double farthest(const linalg::Sieve<Real>& sieve, const Query& query,
                const NeighbourIndex::ConstColXpr& references) {
  double bound = -kInfinity;
  for (const Index r : references) {
    const auto score = static_cast<double>(sieve.references().col(r).dot(query));
    bound = std::max(bound, score + sieve.slack()[r]);
  }
  return bound;
}

/// What the lists of consecutive queries hold.
Candidates collect(Index first, const std::vector<CandidateList>& lists, std::size_t total) {
  Candidates found{first, {0}, {}};
  found.start.reserve(lists.size() + 1);
  found.index.reserve(total);
  for (const CandidateList& list : lists) {
    for (const Candidate& c : list.items()) found.index.push_back(c.index);
    found.start.push_back(static_cast<Index>(found.index.size()));
  }
  return found;
}

/// Candidates of queries begin … begin+length−1. Where `may_fail`, gives up and says nothing when the sieve
/// leaves too many.
template <class Real>
std::optional<Candidates> search_block(const NeighbourSearch& search, const linalg::Sieve<Real>& sieve,
                                       Index begin, Index length, bool may_fail, const Execution& run) {
  const Index count = search.references.cols();
  const Index reference_block = search.block > 0 ? search.block : kReferenceBlock;
  typename linalg::Sieve<Real>::Block extended(sieve.references().rows(), length);
  std::vector<CandidateList> lists(static_cast<std::size_t>(length));
  for (Index q = 0; q < length; ++q) {
    CandidateList& list = lists[static_cast<std::size_t>(q)];
    list.reset(search.k, sieve.extend(search.queries.col(begin + q), extended.col(q)));
    if (search.near != nullptr) {
      list.start(farthest(sieve, extended.col(q), search.near->col(begin + q)), 0.0);
    }
  }
  typename linalg::Sieve<Real>::Block scores(std::min(reference_block, count), length);
  for (Index first = 0; first < count; first += reference_block) {
    run.look();
    const Index rows = std::min(reference_block, count - first);
    linalg::gemm(linalg::Op::Transpose, linalg::Op::None, Real(1), sieve.references().middleCols(first, rows),
                 extended, Real(0), scores.topRows(rows), 1);
    std::size_t candidates = 0;
    for (Index q = 0; q < length; ++q) {
      CandidateList& list = lists[static_cast<std::size_t>(q)];
      scan(scores.col(q).data(), sieve.slack().data(), first, rows, search.exclude_self ? begin + q : -1,
           list);
      candidates += list.items().size();
    }
    const std::size_t limit = most_candidates(search.k, length, first + rows);
    if (may_fail && candidates > limit && prune(lists) > limit) return std::nullopt;
  }
  const std::size_t left = prune(lists);
  return collect(begin, lists, left);
}

/// Makes the finer sieve when the first block needs it.
class SieveInDouble {
 public:
  explicit SieveInDouble(const MatrixView& references) : references_(references) {}
  const linalg::Sieve<double>& get() {
    std::call_once(made_, [&] { sieve_.emplace(references_); });
    return *sieve_;
  }

 private:
  const MatrixView& references_;
  std::once_flag made_;
  std::optional<linalg::Sieve<double>> sieve_;
};

}  // namespace

bool CpuBackend::propose_neighbours(const NeighbourSearch& search, const Execution& run,
                                    const TakeCandidates& take) {
  std::optional<linalg::Sieve<float>> coarse;
  if (search.references.rows() <= kMostFeaturesInSingle) coarse.emplace(search.references);
  SieveInDouble fine(search.references);
  const Index block = search.block > 0 ? search.block : kQueryBlock;
  parallel_ranges(run, search.queries.cols(), block, [&](Index begin, Index length) {
    std::optional<Candidates> found;
    if (coarse) found = search_block(search, *coarse, begin, length, true, run);
    if (!found) found = search_block(search, fine.get(), begin, length, false, run);
    take(*found);
  });
  return true;
}

}  // namespace isthmus::ops
