#include "ops/neighbours.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <tuple>

#include "isthmus/errors.h"
#include "ops/cpu/cpu.h"

namespace isthmus::ops {
namespace {

using Features = Eigen::Map<const Eigen::ArrayXd>;

/// In the order of squared_distance().
template <class Gaps>
double sum_of_squares(const Gaps& gaps) {
  const Index d = gaps.size();
  const Index fours = d - d % 4;
  Eigen::Array4d sums = Eigen::Array4d::Zero();
  for (Index i = 0; i < fours; i += 4) sums += gaps.template segment<4>(i).square();
  Eigen::Array2d halves = sums.head<2>() + sums.tail<2>();
  if (d % 4 >= 2) halves += gaps.template segment<2>(fours).square();
  const double even = halves[0] + halves[1];
  return d % 2 == 0 ? even : even + gaps[d - 1] * gaps[d - 1];
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

Exact exact_distance(const Features& reference, const Features& query, Index index) {
  const double squared = sum_of_squares(reference - query);
  if (squared < kSmallestSquare) {
    constexpr double kUp = 0x1p600;
    return {squared, Exact::Range::Below, sum_of_squares(kUp * (reference - query)), index};
  }
  if (squared <= std::numeric_limits<double>::max()) return {squared, Exact::Range::Within, squared, index};
  constexpr double kDown = 0x1p-600;
  return {squared, Exact::Range::Beyond, sum_of_squares(kDown * reference - kDown * query), index};
}

/// Decides between what a backend proposes, and looks whether it can be what was promised.
class Decider {
 public:
  Decider(const NeighbourSearch& search, const Execution& run, Neighbours& result)
      : search_(search), run_(run), result_(result) {
    result.index.setConstant(search.k, search.queries.cols(), kOpen);
    result.squared_distance.resize(search.k, search.queries.cols());
  }

  /// Candidates of some queries, from any thread.
  void take(const Candidates& candidates) const {
    if (candidates.first < 0 || candidates.queries() < 0 ||
        candidates.first + candidates.queries() > search_.queries.cols()) {
      refuse(fmt::format("candidates of queries {} … {} where there are {}", candidates.first,
                         candidates.first + candidates.queries() - 1, search_.queries.cols()));
    }
    if (!candidates.left_out_beyond.empty() &&
        static_cast<Index>(candidates.left_out_beyond.size()) != candidates.queries()) {
      refuse(
          fmt::format("{} bounds for {} queries", candidates.left_out_beyond.size(), candidates.queries()));
    }
    std::vector<Exact> found;
    for (Index i = 0; i < candidates.queries(); ++i) {
      const Index query = candidates.first + i;
      measure(query, candidates, i, found);
      if (!proved(candidates, i, found)) measure_all(query, found);
      write(query, found);
    }
  }
  /// Throws where a query is still open.
  void require_all() const {
    for (Index q = 0; q < result_.index.cols(); ++q) {
      if (result_.index(0, q) == kOpen) refuse(fmt::format("no candidates of query {}", q));
    }
  }

 private:
  static constexpr Index kOpen = -1;

  [[noreturn]] void refuse(const std::string& what) const {
    throw Error(fmt::format("backend '{}' proposed {}: its neighbours cannot be trusted; run on the CPU",
                            run_.backend ? run_.backend->name() : "cpu", what));
  }
  Exact exact(Index query, Index reference) const {
    const Index d = search_.references.rows();
    return exact_distance(Features(search_.references.col(reference).data(), d),
                          Features(search_.queries.col(query).data(), d), reference);
  }
  /// The distances of a query's candidates, the k nearest first.
  void measure(Index query, const Candidates& candidates, Index i, std::vector<Exact>& found) const {
    const Index begin = candidates.start[static_cast<std::size_t>(i)];
    const Index end = candidates.start[static_cast<std::size_t>(i) + 1];
    if (begin < 0 || end < begin || end > static_cast<Index>(candidates.index.size())) {
      refuse(fmt::format("a list of candidates of query {} that ends before it begins", query));
    }
    found.clear();
    for (Index at = begin; at < end; ++at) {
      const Index reference = candidates.index[static_cast<std::size_t>(at)];
      if (reference < 0 || reference >= search_.references.cols()) {
        refuse(fmt::format("reference {} where there are {}", reference, search_.references.cols()));
      }
      if (!(search_.exclude_self && reference == query)) found.push_back(exact(query, reference));
    }
    if (static_cast<Index>(found.size()) < search_.k) {
      if (!candidates.left_out_beyond.empty()) return;
      refuse(fmt::format("{} candidates of query {} for its {} nearest", found.size(), query, search_.k));
    }
    sort(found);
    const auto twice = [](const Exact& a, const Exact& b) { return a.index == b.index; };
    if (std::adjacent_find(found.begin(), found.begin() + search_.k, twice) != found.begin() + search_.k) {
      refuse(fmt::format("a candidate of query {} twice", query));
    }
  }
  void measure_all(Index query, std::vector<Exact>& found) const {
    run_.look();
    found.clear();
    for (Index r = 0; r < search_.references.cols(); ++r) {
      if (!(search_.exclude_self && r == query)) found.push_back(exact(query, r));
    }
    sort(found);
  }
  /// Whether none that was left out can be among the k nearest.
  bool proved(const Candidates& candidates, Index i, const std::vector<Exact>& found) const {
    if (candidates.left_out_beyond.empty()) return true;
    if (static_cast<Index>(found.size()) < search_.k) return false;
    const Exact& last = found[static_cast<std::size_t>(search_.k) - 1];
    return last.range != Exact::Range::Below &&
           last.squared <= candidates.left_out_beyond[static_cast<std::size_t>(i)];
  }
  void sort(std::vector<Exact>& found) const {
    std::partial_sort(found.begin(), found.begin() + search_.k, found.end());
  }
  void write(Index query, const std::vector<Exact>& found) const {
    for (Index i = 0; i < search_.k; ++i) {
      result_.squared_distance(i, query) = found[static_cast<std::size_t>(i)].squared;
      result_.index(i, query) = found[static_cast<std::size_t>(i)].index;
    }
  }

  const NeighbourSearch& search_;
  const Execution& run_;
  Neighbours& result_;
};

/// Throws as nearest_k does.
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
  if (!references.allFinite())
    throw NumericalError("neighbour search: a reference holds NaN or infinite values");
}

}  // namespace

double squared_distance(const double* a, const double* b, Index d) {
  return sum_of_squares(Features(a, d) - Features(b, d));
}

Neighbours nearest_k(MatrixView references, MatrixView queries, Index k, bool exclude_self,
                     const Execution& run, Index block, const NeighbourIndex* near) {
  check_search(references, queries, k, exclude_self);
  if (near != nullptr && (near->rows() != k || near->cols() != queries.cols())) {
    throw InvalidArgument(fmt::format("neighbour search: starts from {}×{} references; expected {}×{}",
                                      near->rows(), near->cols(), k, queries.cols()));
  }
  Neighbours result;
  const NeighbourSearch search{references, queries, k, exclude_self, near, block};
  const Decider decider(search, run, result);
  const auto take = [&](const Candidates& candidates) { decider.take(candidates); };
  if (!run.backend || !run.backend->propose_neighbours(search, run, take)) {
    CpuBackend().propose_neighbours(search, run, take);
  }
  decider.require_all();
  return result;
}

Nearest nearest(MatrixView references, MatrixView queries, const Execution& run, Index block) {
  const Neighbours found = nearest_k(references, queries, 1, false, run, block);
  return {std::vector<Index>(found.index.data(), found.index.data() + found.index.size()),
          found.squared_distance.row(0).transpose()};
}

}  // namespace isthmus::ops
