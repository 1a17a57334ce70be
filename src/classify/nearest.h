#pragma once

#include "classify/classifier.h"

namespace isthmus {

/// Class scores of 1-NN: softmax of −d_c²/bandwidth, d_c the distance to the nearest reference of class c.
Matrix nearest_scores(const NearestReference& classifier, MatrixView embedded, int class_count,
                      int threads = 1);

}  // namespace isthmus
