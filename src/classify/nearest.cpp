#include "classify/nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "isthmus/errors.h"
#include "ops/neighbours.h"

namespace isthmus {

std::vector<int> nearest_labels(const NearestReference& classifier, MatrixView embedded,
                                const Execution& run) {
  const ops::Nearest found = ops::nearest(classifier.references, embedded, run);
  std::vector<int> labels;
  labels.reserve(found.index.size());
  for (const Index index : found.index) labels.push_back(classifier.labels[static_cast<std::size_t>(index)]);
  return labels;
}

NearestReference make_nearest(Matrix references, std::vector<int> labels, MatrixView queries,
                              const Execution& run) {
  // A median needs no more, and all of them would take as long as labelling them.
  constexpr Index kEnough = 16384;
  if (static_cast<Index>(labels.size()) != references.cols()) {
    throw InvalidArgument(fmt::format("1-NN: {} references but {} labels; one label each is needed",
                                      references.cols(), labels.size()));
  }
  const Index step = (queries.cols() + kEnough - 1) / kEnough;
  const Matrix thinned = step > 1 ? Matrix(queries(Eigen::all, Eigen::seq(0, Eigen::last, step))) : Matrix();
  const ops::Nearest found = ops::nearest(references, step > 1 ? MatrixView(thinned) : queries, run);
  std::vector<double> distances(found.squared_distance.begin(), found.squared_distance.end());
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::nth_element(distances.begin(), middle, distances.end());
  // Where half of the queries coincide with a reference there is no scale to learn; any positive one will do.
  const double bandwidth = *middle > 0 ? std::min(*middle, std::numeric_limits<double>::max()) : 1.0;
  return {std::move(references), std::move(labels), bandwidth};
}

NearestClasses nearest_classes(const NearestReference& classifier, MatrixView embedded, int class_count,
                               const Execution& run) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::vector<std::vector<Index>> members(static_cast<std::size_t>(class_count));
  for (std::size_t i = 0; i < classifier.labels.size(); ++i) {
    members[static_cast<std::size_t>(classifier.labels[i])].push_back(static_cast<Index>(i));
  }
  const auto count = static_cast<std::size_t>(embedded.cols());
  NearestClasses result{std::vector<int>(count), Matrix::Constant(class_count, embedded.cols(), -kInfinity)};
  std::vector<std::pair<double, Index>> best(count, {kInfinity, 0});  // squared distance and reference
  for (int c = 0; c < class_count; ++c) {
    const std::vector<Index>& of_this = members[static_cast<std::size_t>(c)];
    if (of_this.empty()) continue;
    const ops::Nearest found = ops::nearest(classifier.references(Eigen::all, of_this), embedded, run);
    for (std::size_t j = 0; j < count; ++j) {
      const double distance = found.squared_distance[static_cast<Index>(j)];
      result.scores(c, static_cast<Index>(j)) = -distance / classifier.bandwidth;
      const std::pair here(distance, of_this[static_cast<std::size_t>(found.index[j])]);
      if (here >= best[j]) continue;
      best[j] = here;
      result.labels[j] = c;
    }
  }
  for (std::size_t j = 0; j < count; ++j) {
    auto scores = result.scores.col(static_cast<Index>(j));
    // Squared distances out of the range of double do not tell which class is nearer, only the search among
    // all does. Beyond it they differ by far more than the bandwidth.
    if (std::isinf(best[j].first) || best[j].first < ops::kSmallestSquare) {
      result.labels[j] = nearest_labels(classifier, embedded.col(static_cast<Index>(j)), 1).front();
    }
    if (std::isinf(scores.maxCoeff())) {
      scores.setConstant(-kInfinity);
      scores[result.labels[j]] = 0.0;
    }
    scores = (scores.array() - scores.maxCoeff()).exp();
    scores /= scores.sum();
  }
  return result;
}

}  // namespace isthmus
