#include "linalg/approximate_neighbours.h"

// hnswlib's own vector code reads past the end of a reference's links, to prefetch; distances are ours
// instead.
#define NO_MANUAL_VECTORIZATION
#include <hnswlib/hnswlib.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "core/parallel.h"
#include "isthmus/errors.h"
#include "linalg/neighbour_sieve.h"

namespace isthmus::linalg {
namespace {

// Links of a reference, and candidates kept while it is inserted: the library's usual choice. A query keeps
// as many candidates, and some beyond the neighbours it wants.
constexpr std::size_t kLinks = 16;
constexpr std::size_t kCandidates = 100;
constexpr Index kWalkBlock = 256;

/// Squared Euclidean distance, as hnswlib asks for it.
class SquaredDistance : public hnswlib::SpaceInterface<float> {
 public:
  explicit SquaredDistance(Index features) : features_(static_cast<std::size_t>(features)) {}
  size_t get_data_size() override { return features_ * sizeof(float); }
  hnswlib::DISTFUNC<float> get_dist_func() override { return distance; }
  void* get_dist_func_param() override { return &features_; }

 private:
  static float distance(const void* a, const void* b, const void* features) {
    using Sample = Eigen::Map<const Eigen::VectorXf>;
    const auto size = static_cast<Index>(*static_cast<const std::size_t*>(features));
    return (Sample(static_cast<const float*>(a), size) - Sample(static_cast<const float*>(b), size))
        .squaredNorm();
  }

  std::size_t features_;
};

}  // namespace

struct ApproximateNeighbours::Graph {
  explicit Graph(const MatrixView& references)
      : centre(central_point(references)),
        scale(usual_scale(references, centre)),
        space(references.rows()),
        index(&space, static_cast<std::size_t>(references.cols()), kLinks, kCandidates) {}

  /// The sample in single precision, where no distance may overflow.
  Eigen::VectorXf single(const Eigen::Ref<const Vector>& sample) const {
    constexpr double kLargest = 1e15;
    return (scale * (sample - centre)).cwiseMax(-kLargest).cwiseMin(kLargest).cast<float>();
  }

  Vector centre;
  double scale;
  SquaredDistance space;
  hnswlib::HierarchicalNSW<float> index;
};

ApproximateNeighbours::ApproximateNeighbours(const MatrixView& references, const Execution& run)
    : references_(references) {
  if (references.cols() == 0) throw InvalidArgument("approximate neighbour search: there are no references");
  if (!references.allFinite())
    throw NumericalError("neighbour search: a reference holds NaN or infinite values");
  graph_ = std::make_unique<Graph>(references);
  for (Index j = 0; j < references.cols(); ++j) {
    if (j % kWalkBlock == 0) run.look();
    graph_->index.addPoint(graph_->single(references.col(j)).data(), static_cast<std::size_t>(j));
  }
}

ApproximateNeighbours::~ApproximateNeighbours() = default;

Neighbours ApproximateNeighbours::nearest_k(MatrixView queries, Index k, bool exclude_self,
                                            const Execution& run) const {
  check_search(references_, queries, k, exclude_self);
  graph_->index.setEf(std::max(kCandidates, static_cast<std::size_t>(2 * k)));
  Neighbours result;
  result.index.resize(k, queries.cols());
  result.squared_distance.resize(k, queries.cols());
  parallel_ranges(run, queries.cols(), kWalkBlock, [&](Index begin, Index length) {
    for (Index q = begin; q < begin + length; ++q) search(queries, q, exclude_self, result);
  });
  return result;
}

void ApproximateNeighbours::search(const MatrixView& queries, Index query, bool exclude_self,
                                   Neighbours& result) const {
  const Index k = result.index.rows();
  auto walked = graph_->index.searchKnn(graph_->single(queries.col(query)).data(),
                                        static_cast<std::size_t>(k + (exclude_self ? 1 : 0)));
  std::vector<std::pair<double, Index>> found;
  for (; !walked.empty(); walked.pop()) {
    const auto r = static_cast<Index>(walked.top().second);
    if (exclude_self && r == query) continue;
    found.emplace_back((references_.col(r) - queries.col(query)).squaredNorm(), r);
  }
  std::sort(found.begin(), found.end());
  if (static_cast<Index>(found.size()) < k) {
    const Index wanted = k + (exclude_self ? 1 : 0);
    const Neighbours exact = linalg::nearest_k(references_, queries.col(query), wanted, false);
    found.clear();
    for (Index i = 0; i < wanted; ++i) {
      if (exclude_self && exact.index(i, 0) == query) continue;
      found.emplace_back(exact.squared_distance(i, 0), exact.index(i, 0));
    }
  }
  for (Index i = 0; i < k; ++i) {
    result.squared_distance(i, query) = found[static_cast<std::size_t>(i)].first;
    result.index(i, query) = found[static_cast<std::size_t>(i)].second;
  }
}

Recall& Recall::operator+=(const Recall& other) {
  found += other.found;
  wanted += other.wanted;
  return *this;
}

Recall measure_recall(MatrixView references, MatrixView queries, const Neighbours& found, bool exclude_self,
                      Index sample, const Execution& run) {
  const Index count = std::min(sample, queries.cols());
  const Index k = found.index.rows();
  Matrix picked(queries.rows(), count);
  for (Index s = 0; s < count; ++s) picked.col(s) = queries.col(s * queries.cols() / count);
  if (count == 0 || k == 0) return {};
  // A sample is its own nearest, or ties with its copies: one more, and the last of them is the k-th other.
  const Neighbours exact = nearest_k(references, picked, k + (exclude_self ? 1 : 0), false, run);
  Recall recall{0, count * k};
  for (Index s = 0; s < count; ++s) {
    const double farthest = exact.squared_distance(exact.index.rows() - 1, s);
    recall.found += (found.squared_distance.col(s * queries.cols() / count).array() <= farthest).count();
  }
  return recall;
}

}  // namespace isthmus::linalg
