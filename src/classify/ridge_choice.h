#pragma once

#include <vector>

#include "classify/logistic.h"

namespace isthmus {

/// A ridge of logistic regression chosen on labelled samples alone.
struct RidgeChoice {
  double ridge = 0.0;  ///< in units of the samples' spread
  /// What was tried, descending, and the mean loss on samples held back; both empty where there is nothing to
  /// choose by.
  std::vector<double> candidates;
  std::vector<double> losses;
  /// Share of the samples held back that the chosen ridge labels right; 0 where nothing could be held back.
  double accuracy = 0.0;
};

/// From strong to weak, the last candidate before the loss (−log of the probability of the label) on samples
/// held back rises, by five-fold cross-validation that deals the samples of each class evenly to the folds.
/// Of many samples some 4000 decide, which keep the shares of the classes. With `balanced` classes weigh
/// alike in the fits and in the loss. The order of the samples does not matter; a random direction comes from
/// context.seed. Out of time before that, 0.1; throws Cancelled when cancelled.
RidgeChoice choose_ridge(const SampleView& samples, const std::vector<int>& labels, int class_count,
                         bool balanced, const Context& context);

}  // namespace isthmus
