#pragma once

#include "classify/classifier.h"
#include "isthmus/execution.h"

namespace isthmus {

/// Kernel smoothing of the vertices' scores onto new samples, C×m, columns sum to 1.
Matrix graph_scores(const GraphScores& classifier, MatrixView embedded, const Execution& run);

}  // namespace isthmus
