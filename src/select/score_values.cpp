#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "core/parallel.h"
#include "domain/kde_divergence.h"
#include "isthmus/errors.h"
#include "isthmus/scores.h"
#include "linalg/blas.h"
#include "ops/neighbours.h"
#include "samples/summaries.h"

namespace isthmus {
namespace {

constexpr Index kMaxSamples = 5000;  // of the scores that compare all pairs: 25 million of them
constexpr Index kBlock = 128;        // columns of a tile of pairs; part of the result's definition

void require_same(Index a, Index b, const char* what, const char* other) {
  if (a != b || a == 0) {
    throw InvalidArgument(
        fmt::format("a score needs as many {} as {}, at least 1; got {} and {}", what, other, a, b));
  }
}

/// All columns, or a random kMaxSamples of them.
std::vector<Index> some_columns(Index count, std::uint64_t seed) {
  return draw_numbers(count, kMaxSamples, seed);
}

/// Euclidean distances from a block of columns to all columns, n×block.
Matrix distances_to(const Matrix& all, const Vector& squares, Index begin, Index length) {
  const auto block = all.middleCols(begin, length);
  Matrix tile = linalg::multiply_transposed(all, block, 1);
  for (Index j = 0; j < length; ++j) {
    tile.col(j) = (squares.array() + squares[begin + j] - 2.0 * tile.col(j).array()).max(0.0).sqrt();
    tile(begin + j, j) = 0;
  }
  return tile;
}

/// The silhouette of a sample from its summed distances to each label's samples.
double silhouette_of(const Vector& sums, const std::vector<Index>& counts, int own) {
  const auto size = [&](int c) { return static_cast<double>(counts[static_cast<std::size_t>(c)]); };
  if (size(own) < 2) return 0;
  const double inside = sums[own] / (size(own) - 1);
  double outside = std::numeric_limits<double>::infinity();
  for (int c = 0; c < sums.size(); ++c) {
    if (c != own && size(c) > 0) outside = std::min(outside, sums[c] / size(c));
  }
  const double larger = std::max(inside, outside);
  return std::isfinite(larger) && larger > 0 ? (outside - inside) / larger : 0.0;
}

double share_equal(const std::vector<int>& a, const std::vector<int>& b) {
  return accuracy_percent(a, b) / 100.0;
}

}  // namespace

Vector leave_one_out_errors(MatrixView samples, const std::vector<int>& labels, const Context& context) {
  require_same(samples.cols(), static_cast<Index>(labels.size()), "samples", "labels");
  Vector errors = Vector::Ones(samples.cols());
  if (samples.cols() == 1) return errors;
  const ops::Neighbours found = ops::nearest_k(samples, samples, 1, true, context);
  for (Index i = 0; i < errors.size(); ++i) {
    const auto other = static_cast<std::size_t>(found.index(0, i));
    errors[i] = labels[other] == labels[static_cast<std::size_t>(i)] ? 0.0 : 1.0;
  }
  return errors;
}

double importance_weighted_error(const Vector& errors, const Vector& log_ratio) {
  require_same(errors.size(), log_ratio.size(), "errors", "ratios");
  // Only proportions count: the largest weight is 1.
  const Vector weights = (log_ratio.array() - log_ratio.maxCoeff()).exp();
  return weights.dot(errors) / weights.sum();
}

double deep_embedded_error(const Vector& errors, const Vector& log_ratio) {
  require_same(errors.size(), log_ratio.size(), "errors", "ratios");
  const Vector weights = log_ratio.array().exp();
  const Vector weighted = weights.cwiseProduct(errors);
  const Vector centred = weights.array() - weights.mean();
  const double variance = centred.squaredNorm();
  const double eta = variance > 0 ? -centred.dot(weighted) / variance : 0.0;
  return weighted.mean() + eta * weights.mean() - eta;
}

double prediction_entropy(MatrixView probabilities) {
  if (probabilities.rows() < 2 || probabilities.cols() == 0) {
    throw InvalidArgument(fmt::format("entropy of {} classes and {} samples: needs 2 classes and 1 sample",
                                      probabilities.rows(), probabilities.cols()));
  }
  double sum = 0;
  for (Index j = 0; j < probabilities.cols(); ++j) {
    for (const double p : probabilities.col(j)) sum -= p > 0 ? p * std::log(p) : 0.0;
  }
  return sum /
         (static_cast<double>(probabilities.cols()) * std::log(static_cast<double>(probabilities.rows())));
}

double soft_neighbourhood_density(MatrixView probabilities, const Context& context, double temperature) {
  if (probabilities.cols() < 2 || !(temperature > 0)) {
    throw InvalidArgument(
        fmt::format("neighbourhood density of {} samples at temperature {}: needs 2 samples and a "
                    "temperature > 0",
                    probabilities.cols(), temperature));
  }
  Matrix units = probabilities(Eigen::all, some_columns(probabilities.cols(), context.seed));
  linalg::normalize_columns(units);
  Vector sums(block_count(units.cols(), kBlock));
  parallel_ranges(context, units.cols(), kBlock, [&](Index begin, Index length) {
    const Matrix cosines = linalg::multiply_transposed(units, units.middleCols(begin, length), 1);
    double entropy = 0;
    for (Index j = 0; j < length; ++j) {
      // Of softmax(s/τ) over the others: log Σe − Σ e·s/τ / Σe, e = exp((s − 1)/τ), s ≤ 1.
      const auto logits = (cosines.col(j).array() - 1.0) / temperature;
      Vector values = logits.exp();
      values[begin + j] = 0;
      const double total = values.sum();
      entropy += std::log(total) - (values.array() * logits).sum() / total;
    }
    sums[begin / kBlock] = entropy;
  });
  return sums.sum() / static_cast<double>(units.cols());
}

double silhouette(MatrixView samples, const std::vector<int>& labels, const Context& context) {
  require_same(samples.cols(), static_cast<Index>(labels.size()), "samples", "labels");
  const std::vector<Index> chosen = some_columns(samples.cols(), context.seed);
  const Matrix points = samples(Eigen::all, chosen);
  const Vector squares = points.colwise().squaredNorm();
  std::vector<int> own;
  for (const Index i : chosen) own.push_back(labels[static_cast<std::size_t>(i)]);
  const int classes = *std::max_element(own.begin(), own.end()) + 1;
  std::vector<Index> counts(static_cast<std::size_t>(classes), 0);
  for (const int label : own) ++counts[static_cast<std::size_t>(label)];

  Vector sums(block_count(points.cols(), kBlock));
  parallel_ranges(context, points.cols(), kBlock, [&](Index begin, Index length) {
    const Matrix distances = distances_to(points, squares, begin, length);
    double sum = 0;
    for (Index j = 0; j < length; ++j) {
      Vector by_label = Vector::Zero(classes);
      for (Index i = 0; i < points.cols(); ++i) by_label[own[static_cast<std::size_t>(i)]] += distances(i, j);
      sum += silhouette_of(by_label, counts, own[static_cast<std::size_t>(begin + j)]);
    }
    sums[begin / kBlock] = sum;
  });
  return sums.sum() / static_cast<double>(points.cols());
}

double embedded_mmd(MatrixView source, MatrixView target, const Context& context) {
  const Matrix from = source(Eigen::all, some_columns(source.cols(), context.seed));
  const Matrix to = target(Eigen::all, some_columns(target.cols(), context.seed));
  const double width = median_distance(from, to, context);
  // Where most samples coincide any width will do.
  return kde_divergence(from, to, width > 0 ? width : 1.0, context);
}

double reverse_accuracy(const DomainPair& pair, const std::vector<int>& target_labels, const Refit& refit) {
  require_same(pair.target_count(), static_cast<Index>(target_labels.size()), "target samples", "labels");
  std::vector<std::string> names;
  for (const int label : target_labels) names.push_back(pair.classes()[label]);
  Labels labels = encode_labels(std::move(names));
  // From one class only, that class comes back for every sample.
  const bool collapsed = labels.classes.size() < 2;
  const ClassNames classes = labels.classes;
  std::vector<int> back(pair.source_labels().size(), 0);
  if (!collapsed) {
    const DomainPair reversed({pair.target(), std::move(labels)}, {pair.source(), {}});
    back = refit(reversed);
  }
  for (int& label : back) label = *pair.classes().find(classes[label]);
  return accuracy_percent(back, pair.source_labels());
}

std::vector<double> agreement(const std::vector<std::vector<int>>& labels,
                              const std::vector<std::string>& groups) {
  require_same(static_cast<Index>(labels.size()), static_cast<Index>(groups.size()), "candidates", "groups");
  const bool one_group = std::all_of(groups.begin(), groups.end(),
                                     [&](const std::string& group) { return group == groups.front(); });
  std::vector<double> result;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    std::map<std::string, std::pair<double, int>> by_group;  // sum of shares, candidates
    for (std::size_t j = 0; j < labels.size(); ++j) {
      if (j == i || (!one_group && groups[j] == groups[i])) continue;
      auto& [sum, count] = by_group[groups[j]];
      sum += share_equal(labels[i], labels[j]);
      ++count;
    }
    double mean = by_group.empty() ? 1.0 : 0.0;
    for (const auto& [group, shares] : by_group) {
      mean += shares.first / shares.second / static_cast<double>(by_group.size());
    }
    result.push_back(mean);
  }
  return result;
}

}  // namespace isthmus
