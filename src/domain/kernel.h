#pragma once

#include "isthmus/execution.h"
#include "isthmus/matrix.h"
#include "isthmus/methods.h"

namespace isthmus {

/// Kernel values against a fixed set of samples: x ↦ (κ(z₁, x), …, κ(z_m, x)).
///   rbf         exp(−‖z − x‖² / (2 width²))
///   laplace     exp(−‖z − x‖₁ / width)
///   polynomial  (zᵀx / width² + 1)^degree
struct KernelMap {
  Kernel kernel = Kernel::Rbf;
  double width = 1.0;
  int degree = 2;
  Matrix landmarks;  ///< d×m

  /// m×n values for n samples (d×n).
  Matrix evaluate(MatrixView samples, const Execution& run) const;
};

/// Samples that take part in the median heuristic: half a million pairs.
inline constexpr Index kMedianSamples = 1000;

/// The median heuristic: the median distance between samples, in the norm the kernel measures with (ℓ₁ for
/// laplace, Euclidean otherwise). 1 when more than half of the pairs coincide.
double median_width(Kernel kernel, MatrixView samples, const Execution& run);

}  // namespace isthmus
