#pragma once

#include "isthmus/matrix.h"

namespace isthmus {

/// A linear classifier of two kinds of samples: log-odds wᵀx + b of the second kind.
struct Logistic {
  Vector weights;  ///< w
  double offset = 0;
  int iterations = 0;   ///< Newton steps taken
  double gradient = 0;  ///< largest entry of the objective's gradient at the end

  Vector log_odds(MatrixView samples) const;
};

/// Ridge logistic regression: the minimum of
///     Σ_i c_i log(1 + exp(−y_i (wᵀx_i + b))) + ridge/2·‖w‖²,   y_i = −1 for `first`, +1 for `second`,
/// c_i = 1/(2·samples of the kind), so that both kinds weigh alike whatever their numbers and the log-odds
/// are those of the two densities. By Newton steps (IRLS), halved where the objective would not fall:
/// strictly convex for ridge > 0, also where the kinds are separable. O(nk² + k³) a step.
/// Throws InvalidArgument on unequal dimensions, an empty kind or ridge ≤ 0.
Logistic fit_logistic(MatrixView first, MatrixView second, double ridge, int threads = 1);

}  // namespace isthmus
