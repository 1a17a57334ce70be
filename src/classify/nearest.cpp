#include "classify/nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "isthmus/errors.h"
#include "linalg/neighbours.h"

namespace isthmus {

std::vector<int> nearest_labels(const NearestReference& classifier, MatrixView embedded, int threads) {
  const linalg::Nearest found = linalg::nearest(classifier.references, embedded, threads);
  std::vector<int> labels;
  labels.reserve(found.index.size());
  for (const Index index : found.index) labels.push_back(classifier.labels[static_cast<std::size_t>(index)]);
  return labels;
}

NearestReference make_nearest(Matrix references, std::vector<int> labels, MatrixView queries, int threads) {
  if (static_cast<Index>(labels.size()) != references.cols()) {
    throw InvalidArgument(fmt::format("1-NN: {} references but {} labels; one label each is needed",
                                      references.cols(), labels.size()));
  }
  const linalg::Nearest found = linalg::nearest(references, queries, threads);
  std::vector<double> distances(found.squared_distance.begin(), found.squared_distance.end());
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::nth_element(distances.begin(), middle, distances.end());
  // Where half of the queries coincide with a reference there is no scale to learn; any positive one will do.
  const double bandwidth = *middle > 0 ? std::min(*middle, std::numeric_limits<double>::max()) : 1.0;
  return {std::move(references), std::move(labels), bandwidth};
}

Matrix nearest_scores(const NearestReference& classifier, MatrixView embedded, int class_count, int threads) {
  Matrix scores = Matrix::Constant(class_count, embedded.cols(), -std::numeric_limits<double>::infinity());
  std::vector<std::vector<Index>> members(static_cast<std::size_t>(class_count));
  for (std::size_t i = 0; i < classifier.labels.size(); ++i) {
    members[static_cast<std::size_t>(classifier.labels[i])].push_back(static_cast<Index>(i));
  }
  for (int c = 0; c < class_count; ++c) {
    const std::vector<Index>& of_this = members[static_cast<std::size_t>(c)];
    if (of_this.empty()) continue;
    const Matrix of_class = classifier.references(Eigen::all, of_this);
    scores.row(c) =
        -linalg::nearest(of_class, embedded, threads).squared_distance.transpose() / classifier.bandwidth;
  }
  for (Index j = 0; j < scores.cols(); ++j) {
    // Squared distances beyond double do not tell which class is nearer.
    if (std::isinf(scores.col(j).maxCoeff())) scores.col(j).setZero();
    scores.col(j) = (scores.col(j).array() - scores.col(j).maxCoeff()).exp();
    scores.col(j) /= scores.col(j).sum();
  }
  return scores;
}

}  // namespace isthmus
