#pragma once

#include <functional>

#include "isthmus/context.h"
#include "isthmus/matrix.h"
#include "isthmus/report.h"

namespace isthmus::linalg {

/// The part of `direction` tangent to the Stiefel manifold {W : WᵀW = I} at `point`:
/// Z − W (WᵀZ + ZᵀW)/2 (Edelman, Arias, Smith 1998, eq. 2.4).
Matrix tangent_part(const Matrix& point, const Matrix& direction);

/// Back onto the manifold: the orthonormal factor of QR, with a positive diagonal of R.
Matrix retract(const Matrix& near);

/// The value at a point with orthonormal columns, and the Euclidean gradient there where it is asked for.
using StiefelObjective = std::function<double(const Matrix& point, Matrix* gradient)>;

/// An accepted step.
struct StiefelStep {
  int iteration = 0;  ///< from 1
  double objective = 0;
  double gradient_norm = 0;  ///< of the tangent gradient at the new point
};

struct StiefelSettings {
  int iterations = 100;
  /// Converged when five steps together lower the objective by less than 5 × tolerance × max(1, |objective|),
  /// or when the tangent gradient is that small.
  double tolerance = 1e-6;
};

struct StiefelResult {
  Matrix point;
  Status status = Status::IterationLimit;
  int iterations = 0;  ///< accepted steps
};

/// Gradient descent along QR retractions. Step lengths after Barzilai and Borwein, halved until Armijo's
/// condition holds, so that every accepted step lowers the objective. `observe` hears of each.
/// An objective that throws Cancelled ends it at the last step made.
StiefelResult minimize_on_stiefel(Matrix start, const StiefelObjective& objective,
                                  const StiefelSettings& settings,
                                  const std::function<Decision(const StiefelStep&)>& observe);

}  // namespace isthmus::linalg
