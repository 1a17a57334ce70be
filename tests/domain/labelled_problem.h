#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "domain/class_means.h"
#include "isthmus/matrix.h"
#include "random_data.h"

namespace isthmus::testing {

/// Random samples with classes of given sizes in each domain (0 and 1 among them), in shuffled order.
struct LabelledProblem {
  Matrix source, target;
  std::vector<int> source_labels, target_labels;
  int classes = 0;

  LabelledProblem(Index dimension, const std::vector<int>& source_sizes, const std::vector<int>& target_sizes,
                  std::uint64_t seed)
      : classes(static_cast<int>(source_sizes.size())) {
    source_labels = shuffled_labels(source_sizes, seed);
    target_labels = shuffled_labels(target_sizes, seed + 1);
    source = random_matrix(dimension, static_cast<Index>(source_labels.size()), seed + 2);
    target = random_matrix(dimension, static_cast<Index>(target_labels.size()), seed + 3).array() + 0.3;
  }

  ClassMeans class_means(int threads = 1) const {
    return {source, source_labels, target, target_labels, classes, threads};
  }
  /// [Xs Xt]
  Matrix samples() const {
    Matrix x(source.rows(), source.cols() + target.cols());
    x << source, target;
    return x;
  }

  static std::vector<int> shuffled_labels(const std::vector<int>& sizes, std::uint64_t seed) {
    std::vector<int> labels;
    for (std::size_t c = 0; c < sizes.size(); ++c) labels.insert(labels.end(), sizes[c], static_cast<int>(c));
    std::mt19937_64 engine(seed);
    std::shuffle(labels.begin(), labels.end(), engine);
    return labels;
  }
};

/// Unbalanced classes, one empty in the target, one with a single sample on each side.
inline LabelledProblem awkward_problem(Index dimension, std::uint64_t seed) {
  return {dimension, {7, 1, 12, 4}, {9, 3, 0, 1}, seed};
}

}  // namespace isthmus::testing
