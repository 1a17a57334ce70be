#pragma once

#include <vector>

#include "random_data.h"

namespace isthmus::testing {

/// Samples of unit length around one random direction a class; target samples shifted, labels in order.
struct LabelledSamples {
  Matrix samples;  ///< k×(ns+nt), source first
  std::vector<int> source_labels;
  std::vector<int> target_labels;

  Index source_count() const { return static_cast<Index>(source_labels.size()); }
  Index target_count() const { return static_cast<Index>(target_labels.size()); }
};

inline LabelledSamples labelled_samples(Index dimension, Index ns, Index nt, int classes,
                                        std::uint64_t seed) {
  const Matrix centres = random_matrix(dimension, classes, seed);
  const Vector shift = 0.3 * random_matrix(dimension, 1, seed + 1);
  LabelledSamples result{0.6 * random_matrix(dimension, ns + nt, seed + 2), {}, {}};
  for (Index j = 0; j < ns + nt; ++j) {
    const int label = static_cast<int>(j % classes);
    result.samples.col(j) += centres.col(label);
    if (j >= ns) result.samples.col(j) += shift;
    (j < ns ? result.source_labels : result.target_labels).push_back(label);
  }
  result.samples.colwise().normalize();
  return result;
}

}  // namespace isthmus::testing
