#include "bench/comparison.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace isthmus {
namespace {

/// Ranks from 1 of the values, smallest first; equal ones share their mean rank.
std::vector<double> shared_ranks(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin;
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    for (std::size_t i = begin; i < end; ++i) ranks[order[i]] = static_cast<double>(begin + end + 1) / 2;
    begin = end;
  }
  return ranks;
}

double normal_cdf(double x) {
  return std::erfc(-x / std::numbers::sqrt2) / 2;
}

/// P(sum of a random half of the ranks ≤ low), by counting subsets; ranks are halves, so doubled.
double exact_tail(const std::vector<double>& ranks, double low) {
  const auto doubled = [](double rank) { return static_cast<std::size_t>(std::lround(2 * rank)); };
  std::vector<double> share{1.0};  // probability of each doubled sum
  for (const double rank : ranks) {
    const std::size_t step = doubled(rank);
    std::vector<double> next(share.size() + step, 0.0);
    for (std::size_t sum = 0; sum < share.size(); ++sum) {
      next[sum] += share[sum] / 2;
      next[sum + step] += share[sum] / 2;
    }
    share = std::move(next);
  }
  return std::accumulate(share.begin(), share.begin() + static_cast<std::ptrdiff_t>(doubled(low)) + 1, 0.0);
}

double normal_tail(const std::vector<double>& ranks, double low) {
  const double mean = std::accumulate(ranks.begin(), ranks.end(), 0.0) / 2;
  const double variance = std::inner_product(ranks.begin(), ranks.end(), ranks.begin(), 0.0) / 4;
  return normal_cdf((low + 0.5 - mean) / std::sqrt(variance));
}

/// P(range of k standard normals ≤ q) = k ∫ φ(z) (Φ(z) − Φ(z − q))^(k−1) dz, by the trapezoid rule, which
/// converges geometrically for such an integrand.
double range_cdf(double q, int k) {
  constexpr double kStep = 1.0 / 64;
  double sum = 0;
  for (double z = -8; z <= 8 + q; z += kStep) {
    const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
    sum += density * std::pow(normal_cdf(z) - normal_cdf(z - q), k - 1);
  }
  return k * sum * kStep;
}

}  // namespace

MeanAndDeviation mean_and_deviation(const std::vector<double>& values) {
  if (values.empty()) return {};
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {mean, values.size() > 1 ? std::sqrt(squares / (count - 1)) : 0.0, static_cast<int>(values.size())};
}

double wilcoxon_signed_rank(const std::vector<double>& differences) {
  std::vector<double> sizes;
  std::vector<bool> positive;
  for (const double difference : differences) {
    const double size = std::round(std::abs(difference) * 1e9) / 1e9;
    if (size == 0) continue;
    sizes.push_back(size);
    positive.push_back(difference > 0);
  }
  const std::vector<double> ranks = shared_ranks(sizes);
  double plus = 0;
  double minus = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i) (positive[i] ? plus : minus) += ranks[i];
  constexpr std::size_t kExactLimit = 200;
  const double low = std::min(plus, minus);
  const double tail = ranks.size() <= kExactLimit ? exact_tail(ranks, low) : normal_tail(ranks, low);
  return std::min(1.0, 2 * tail);
}

std::vector<double> holm_adjusted(const std::vector<double>& p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
  std::vector<double> adjusted(p.size());
  double largest = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    largest = std::max(largest, p[order[i]] * static_cast<double>(order.size() - i));
    adjusted[order[i]] = std::min(1.0, largest);
  }
  return adjusted;
}

Vector mean_ranks(const Matrix& values) {
  Vector ranks = Vector::Zero(values.cols());
  for (Index i = 0; i < values.rows(); ++i) {
    const Vector lost = -values.row(i).transpose();
    const std::vector<double> row = shared_ranks({lost.data(), lost.data() + lost.size()});
    ranks += Eigen::Map<const Vector>(row.data(), lost.size());
  }
  return ranks / static_cast<double>(values.rows());
}

double critical_difference(int methods, int blocks) {
  double low = 0;
  double high = 20;
  while (high - low > 1e-9) {
    const double middle = (low + high) / 2;
    (range_cdf(middle, methods) < 0.95 ? low : high) = middle;
  }
  return low / std::numbers::sqrt2 * std::sqrt(methods * (methods + 1.0) / (6.0 * blocks));
}

double Comparison::p(int a, int b) const {
  const auto at = std::find_if(pairs.begin(), pairs.end(), [&](const Pair& pair) {
    return (pair.first == a && pair.second == b) || (pair.first == b && pair.second == a);
  });
  return at == pairs.end() ? 1.0 : at->p;
}

Comparison compare_methods(std::vector<std::string> methods, const Matrix& values, std::string over) {
  Comparison comparison;
  comparison.methods = std::move(methods);
  comparison.over = std::move(over);
  comparison.blocks = static_cast<int>(values.rows());
  comparison.ranks = mean_ranks(values);
  const int count = static_cast<int>(values.cols());
  comparison.critical = critical_difference(count, comparison.blocks);
  std::vector<double> p;
  for (int a = 0; a < count; ++a) {
    for (int b = a + 1; b < count; ++b) {
      const Vector difference = values.col(a) - values.col(b);
      p.push_back(wilcoxon_signed_rank({difference.data(), difference.data() + difference.size()}));
      comparison.pairs.push_back({a, b, 1.0});
    }
  }
  p = holm_adjusted(p);
  for (std::size_t i = 0; i < p.size(); ++i) comparison.pairs[i].p = p[i];
  return comparison;
}

}  // namespace isthmus
