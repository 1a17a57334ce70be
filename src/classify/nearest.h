#pragma once

#include <vector>

#include "classify/classifier.h"
#include "isthmus/execution.h"

namespace isthmus {

/// What 1-NN says of samples.
struct NearestClasses {
  std::vector<int> labels;  ///< as nearest_labels()
  Matrix scores;  ///< softmax of −d_c²/bandwidth, d_c the distance to the nearest reference of class c
};
/// Both from one search for the nearest reference of each class: as many comparisons as for the labels alone.
NearestClasses nearest_classes(const NearestReference& classifier, MatrixView embedded, int class_count,
                               const Execution& run);

}  // namespace isthmus
