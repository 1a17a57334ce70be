#pragma once

#include "classify/classifier.h"

namespace isthmus {

/// Kernel smoothing of the vertices' scores onto new samples, C×m, columns sum to 1.
Matrix graph_scores(const GraphScores& classifier, MatrixView embedded, int threads = 1);

}  // namespace isthmus
