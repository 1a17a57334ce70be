#include "domain/flow_kernel.h"

#include <algorithm>
#include <cmath>

namespace isthmus {
namespace {

/// 1 − sin x / x; its series where the difference would cancel.
double one_minus_sinc(double x) {
  const double square = x * x;
  if (x < 1e-2) return square / 6.0 * (1.0 - square / 20.0 * (1.0 - square / 42.0));
  return 1.0 - std::sin(x) / x;
}

/// (1 − cos x) / x without cancellation.
double one_minus_cos_over(double x) {
  if (x == 0.0) return 0.0;
  const double sine = std::sin(x / 2.0);
  return 2.0 * sine * sine / x;
}

}  // namespace

// The Cholesky factor of each 2×2 block of the kernel, whose corner ½(1 + sin x / x) is at least ½.
Matrix flow_kernel_factor(const linalg::PrincipalAngles& flow) {
  const Index q = flow.angles.size();
  Matrix factor(flow.first.rows(), 2 * q);
  for (Index i = 0; i < q; ++i) {
    const double x = 2.0 * flow.angles[i];
    const double outside = one_minus_sinc(x) / 2.0;
    const double corner = std::sqrt(1.0 - outside);
    const double mixed = one_minus_cos_over(x) / (2.0 * corner);
    factor.col(2 * i) = corner * flow.first.col(i) + mixed * flow.complement.col(i);
    factor.col(2 * i + 1) = std::sqrt(std::max(0.0, outside - mixed * mixed)) * flow.complement.col(i);
  }
  return factor;
}

}  // namespace isthmus
