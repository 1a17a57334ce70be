#pragma once

#include "isthmus/execution.h"
#include "isthmus/matrix.h"

namespace isthmus {

/// Quadratic divergence ∫(p − q)² between the Gaussian kernel density estimates p and q of two sets of
/// samples (Si, Tao, Geng 2010, eq. 8), up to the constant factor of the Gaussians:
///     D = mean_ss G + mean_tt G − 2 mean_st G,   G(y, z) = exp(−‖y − z‖² / (2 width²)),
/// where width² is twice the square of the density estimates' window. 0 ≤ D ≤ 2.
/// O(n²k) time by blocks of products, O(nk) memory; the same bytes on any number of threads.
double kde_divergence(MatrixView source, MatrixView target, double width, const Execution& run);

/// The divergence and its derivative by the samples.
struct KdeGradient {
  double value = 0;
  Matrix source;  ///< k×ns
  Matrix target;  ///< k×nt
};
KdeGradient kde_divergence_gradient(MatrixView source, MatrixView target, double width, const Execution& run);

/// Median distance between a source and a target sample, over at most 1000 evenly spaced samples of each.
double median_distance(MatrixView source, MatrixView target, const Execution& run);

}  // namespace isthmus
