#include "classify/neighbour_graph.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/parallel.h"
#include "ops/neighbours.h"

namespace isthmus {
namespace {

using Edge = Eigen::Triplet<double>;

/// Neighbours of one sample: squared distance and index, nearest first, ties to the lowest index.
using NeighbourList = std::vector<std::pair<double, Index>>;

/// Up to k neighbours per query, fewer where fewer references exist.
ops::Neighbours search(MatrixView references, MatrixView queries, Index k, bool exclude_self,
                       const Execution& run, const ops::NeighbourIndex* near = nullptr) {
  const Index available = references.cols() - (exclude_self ? 1 : 0);
  if (available < 1 || queries.cols() == 0)
    return {ops::NeighbourIndex(0, queries.cols()), Matrix(0, queries.cols())};
  return ops::nearest_k(references, queries, std::min(k, available), exclude_self, run, 0, near);
}

void append(const ops::Neighbours& found, Index query, const std::vector<Index>& names, NeighbourList& list) {
  for (Index r = 0; r < found.index.rows(); ++r) {
    list.emplace_back(found.squared_distance(r, query),
                      names[static_cast<std::size_t>(found.index(r, query))]);
  }
}

std::vector<Index> consecutive(Index first, Index count) {
  std::vector<Index> names(static_cast<std::size_t>(count));
  for (Index i = 0; i < count; ++i) names[static_cast<std::size_t>(i)] = first + i;
  return names;
}

void keep_nearest(NeighbourList& list, Index k) {
  std::sort(list.begin(), list.end());
  if (static_cast<Index>(list.size()) > k) list.resize(static_cast<std::size_t>(k));
}

/// Allowed neighbours of every sample: source samples see their own class and the target, target samples all.
std::vector<NeighbourList> class_aware_neighbours(MatrixView source, const std::vector<int>& source_labels,
                                                  MatrixView target, Index k, const Execution& run) {
  const Index ns = source.cols();
  const Index nt = target.cols();
  std::vector<NeighbourList> lists(static_cast<std::size_t>(ns + nt));
  const std::vector<Index> target_names = consecutive(ns, nt);
  const int class_count = 1 + *std::max_element(source_labels.begin(), source_labels.end());
  std::vector<std::vector<Index>> members(static_cast<std::size_t>(class_count));
  for (Index i = 0; i < ns; ++i)
    members[static_cast<std::size_t>(source_labels[static_cast<std::size_t>(i)])].push_back(i);
  for (const std::vector<Index>& names : members) {
    const auto count = static_cast<Index>(names.size());
    Matrix own(source.rows(), count);
    for (Index i = 0; i < count; ++i) own.col(i) = source.col(names[static_cast<std::size_t>(i)]);
    const ops::Neighbours same = search(own, own, k, true, run);
    const ops::Neighbours across = search(target, own, k, false, run);
    for (Index i = 0; i < count; ++i) {
      NeighbourList& list = lists[static_cast<std::size_t>(names[static_cast<std::size_t>(i)])];
      append(same, i, names, list);
      append(across, i, target_names, list);
    }
  }
  const ops::Neighbours to_source = search(source, target, k, false, run);
  const ops::Neighbours to_target = search(target, target, k, true, run);
  const std::vector<Index> source_names = consecutive(0, ns);
  for (Index j = 0; j < nt; ++j) {
    NeighbourList& list = lists[static_cast<std::size_t>(ns + j)];
    append(to_source, j, source_names, list);
    append(to_target, j, target_names, list);
  }
  for (NeighbourList& list : lists) keep_nearest(list, k);
  return lists;
}

}  // namespace

double self_tuning_weight(double squared_distance, double scale_i, double scale_j, Index rank,
                          double rank_decay) {
  return std::exp(-squared_distance / (scale_i * scale_j + 1e-12)) *
         std::exp(-static_cast<double>(rank) / rank_decay);
}

NeighbourGraph self_tuning_graph(MatrixView samples, const GraphOptions& options, const Execution& run,
                                 const ops::NeighbourIndex* near) {
  const Index n = samples.cols();
  NeighbourGraph graph{SparseWeights(n, n), Vector::Zero(n), {}};
  ops::Neighbours found = search(samples, samples, options.neighbours, true, run, near);
  const Index k = found.index.rows();
  if (k == 0) return graph;
  graph.local_scale = found.squared_distance.row(std::min<Index>(options.local_scale, k) - 1).cwiseSqrt();
  std::vector<Edge> edges;
  edges.reserve(static_cast<std::size_t>(2 * k * n));
  for (Index i = 0; i < n; ++i) {
    for (Index rank = 0; rank < k; ++rank) {
      const Index j = found.index(rank, i);
      const double weight = self_tuning_weight(found.squared_distance(rank, i), graph.local_scale[i],
                                               graph.local_scale[j], rank, options.rank_decay);
      edges.emplace_back(static_cast<int>(i), static_cast<int>(j), weight);
      edges.emplace_back(static_cast<int>(j), static_cast<int>(i), weight);
    }
  }
  graph.weights.setFromTriplets(edges.begin(), edges.end(),
                                [](double a, double b) { return std::max(a, b); });
  graph.neighbours = std::move(found.index);
  return graph;
}

SparseWeights class_aware_graph(MatrixView source, const std::vector<int>& source_labels, MatrixView target,
                                int neighbours, const Execution& run) {
  const Index n = source.cols() + target.cols();
  const std::vector<NeighbourList> lists =
      class_aware_neighbours(source, source_labels, target, neighbours, run);
  double sum = 0.0;
  double count = 0.0;
  for (const NeighbourList& list : lists) {
    for (const auto& [distance, index] : list) sum += distance;
    count += static_cast<double>(list.size());
  }
  const double width = std::max(sum / std::max(count, 1.0), 1e-12);
  std::vector<Edge> edges;
  for (Index i = 0; i < n; ++i) {
    for (const auto& [distance, j] : lists[static_cast<std::size_t>(i)]) {
      const double weight = 0.5 * std::exp(-distance / width);
      edges.emplace_back(static_cast<int>(i), static_cast<int>(j), weight);
      edges.emplace_back(static_cast<int>(j), static_cast<int>(i), weight);
    }
  }
  SparseWeights weights(n, n);
  weights.setFromTriplets(edges.begin(), edges.end());
  return weights;
}

void add_reconstruction_edges(SparseWeights& weights, const Matrix& z, int count, double share) {
  const Index ns = z.rows();
  const Vector degree = degrees(weights);
  std::vector<Edge> edges;
  for (Index j = 0; j < z.cols(); ++j) {
    NeighbourList strongest;
    double total = 0.0;
    for (Index i = 0; i < ns; ++i) {
      if (z(i, j) > 0.0) strongest.emplace_back(-z(i, j), i);
    }
    keep_nearest(strongest, count);
    for (const auto& [negative, i] : strongest) total -= negative;
    for (const auto& [negative, i] : strongest) {
      const double weight = share * degree[ns + j] * -negative / total;
      edges.emplace_back(static_cast<int>(i), static_cast<int>(ns + j), weight);
      edges.emplace_back(static_cast<int>(ns + j), static_cast<int>(i), weight);
    }
  }
  SparseWeights added(weights.rows(), weights.cols());
  added.setFromTriplets(edges.begin(), edges.end());
  weights += added;
}

Vector degrees(const SparseWeights& weights) {
  Vector sums = Vector::Zero(weights.rows());
  for (Index i = 0; i < weights.rows(); ++i) {
    for (SparseWeights::InnerIterator entry(weights, i); entry; ++entry) sums[i] += entry.value();
  }
  return sums;
}

Matrix multiply_weights(MatrixView samples, const SparseWeights& weights, const Execution& run) {
  Matrix product(samples.rows(), weights.rows());
  // W is symmetric: column i of the product gathers along row i.
  parallel_ranges(run, weights.rows(), 256, [&](Index begin, Index length) {
    for (Index i = begin; i < begin + length; ++i) {
      product.col(i).setZero();
      for (SparseWeights::InnerIterator entry(weights, i); entry; ++entry) {
        product.col(i).noalias() += entry.value() * samples.col(entry.col());
      }
    }
  });
  return product;
}

}  // namespace isthmus
