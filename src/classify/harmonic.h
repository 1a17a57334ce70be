#pragma once

#include <vector>

#include "classify/neighbour_graph.h"
#include "isthmus/execution.h"

namespace isthmus {

struct HarmonicLabels {
  Matrix scores;          ///< C×nt, columns sum to 1 (a sample that no label reaches has all zeros)
  int iterations = 0;     ///< conjugate-gradient iterations
  double residual = 0.0;  ///< relative
};

/// Labels that flow along the graph from the source (Zhu, Ghahramani & Lafferty 2003):
///     (D_tt − W_tt + leak·mean(D) I) G = W_ts Y_s,
/// each column then divided by its sum. Source samples come first in the graph.
/// `leak` keeps the system definite where a part of the graph has no path to the source. `seeds` (C×nt, or
/// empty) are further evidence: each column hangs a labelled vertex on its sample, with the column's sum
/// times the sample's degree as weight.
HarmonicLabels harmonic_labels(const SparseWeights& weights, const std::vector<int>& source_labels,
                               int class_count, const Execution& run, double leak = 1e-3,
                               const Matrix& seeds = {}, const GraphSolverOptions& solver = {});

}  // namespace isthmus
