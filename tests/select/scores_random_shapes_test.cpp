#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "isthmus/scores.h"
#include "random_cases.h"

// Label-free scores against double loops, on random shapes.
namespace isthmus {
namespace {

using testing::for_random_cases;
using testing::RandomCase;

std::string off(const std::string& what, double found, double expected, double tolerance = 1e-9) {
  if (std::abs(found - expected) <= tolerance * std::max(1.0, std::abs(expected))) return {};
  return what + " is " + std::to_string(found) + ", expected " + std::to_string(expected);
}

double distance(const Matrix& x, Index i, Index j) {
  return (x.col(i) - x.col(j)).norm();
}

double naive_silhouette(const Matrix& x, const std::vector<int>& labels) {
  double sum = 0;
  for (Index i = 0; i < x.cols(); ++i) {
    std::map<int, std::pair<double, double>> of_label;  // sum of distances, count
    for (Index j = 0; j < x.cols(); ++j) {
      if (i == j) continue;
      auto& [total, count] = of_label[labels[static_cast<std::size_t>(j)]];
      total += distance(x, i, j);
      count += 1;
    }
    const int own = labels[static_cast<std::size_t>(i)];
    if (!of_label.contains(own) || of_label.size() < 2) continue;
    const double inside = of_label[own].first / of_label[own].second;
    double outside = std::numeric_limits<double>::infinity();
    for (const auto& [label, part] : of_label) {
      if (label != own) outside = std::min(outside, part.first / part.second);
    }
    const double larger = std::max(inside, outside);
    sum += larger > 0 ? (outside - inside) / larger : 0.0;
  }
  return sum / static_cast<double>(x.cols());
}

double naive_density(const Matrix& p) {
  double sum = 0;
  for (Index i = 0; i < p.cols(); ++i) {
    Vector weights = Vector::Zero(p.cols());
    for (Index j = 0; j < p.cols(); ++j) {
      if (i != j) weights[j] = std::exp(p.col(i).normalized().dot(p.col(j).normalized()) / 0.05);
    }
    weights /= weights.sum();
    for (const double w : weights) sum -= w > 0 ? w * std::log(w) : 0.0;
  }
  return sum / static_cast<double>(p.cols());
}

double naive_mmd(const Matrix& source, const Matrix& target) {
  std::vector<double> squares;
  for (Index i = 0; i < source.cols(); ++i) {
    for (Index j = 0; j < target.cols(); ++j)
      squares.push_back((source.col(i) - target.col(j)).squaredNorm());
  }
  std::sort(squares.begin(), squares.end());
  const double middle = squares[squares.size() / 2];
  const auto mean = [&](const Matrix& a, const Matrix& b) {
    double sum = 0;
    for (Index i = 0; i < a.cols(); ++i) {
      for (Index j = 0; j < b.cols(); ++j)
        sum += std::exp(-(a.col(i) - b.col(j)).squaredNorm() / (2 * middle));
    }
    return sum / static_cast<double>(a.cols() * b.cols());
  };
  return mean(source, source) + mean(target, target) - 2 * mean(source, target);
}

TEST(RandomShapes, ScoresEqualTheDoubleLoops) {
  for_random_cases(400, 100, [](RandomCase& c) -> std::string {
    const Index d = c.size("features", 1, 6);
    const Index n = c.size("samples", 2, 40);
    const Index m = c.size("other samples", 1, 30);
    const Index classes = c.size("classes", 2, 5);
    const Matrix x = c.matrix(d, n);
    const Matrix y = c.matrix(d, m).array() + 0.5;
    const std::vector<int> labels = c.labels(n, classes);
    Matrix p = c.matrix(classes, n).cwiseAbs();
    for (Index j = 0; j < n; ++j) p.col(j) /= p.col(j).sum();
    double entropy = 0;
    Vector errors(n);
    for (Index i = 0; i < n; ++i) {
      for (const double share : p.col(i)) entropy -= share * std::log(share);
      Index nearest = i == 0 ? 1 : 0;
      for (Index j = 0; j < n; ++j) {
        if (j != i && distance(x, i, j) < distance(x, i, nearest)) nearest = j;
      }
      errors[i] =
          labels[static_cast<std::size_t>(i)] == labels[static_cast<std::size_t>(nearest)] ? 0.0 : 1.0;
    }
    entropy /= std::log(static_cast<double>(classes)) * static_cast<double>(n);
    for (const std::string& gap :
         {off("silhouette", silhouette(x, labels), naive_silhouette(x, labels)),
          off("snd", soft_neighbourhood_density(p), naive_density(p)),
          off("entropy", prediction_entropy(p), entropy), off("mmd", embedded_mmd(x, y), naive_mmd(x, y)),
          off("leave-one-out", (leave_one_out_errors(x, labels) - errors).norm(), 0.0)}) {
      if (!gap.empty()) return gap;
    }
    return {};
  });
}

}  // namespace
}  // namespace isthmus
