#pragma once

#include <vector>

#include "classify/axis_samples.h"
#include "classify/classifier.h"
#include "isthmus/context.h"
#include "isthmus/report.h"

namespace isthmus {

struct LogisticFit {
  LogisticScores classifier;
  int iterations = 0;  ///< Newton steps taken
  int products = 0;    ///< with the Hessian: one reading of the samples each
  double objective = 0;
  Status status = Status::IterationLimit;  ///< Stalled: as near to the minimum as rounding allows
};

/// What becomes of a fit that is cancelled between its first step and its last.
enum class WhenCancelled {
  Throw,         ///< Cancelled, as of other work: what uses the fit ends with it
  KeepLastStep,  ///< for a fit that is itself the result
};

/// What a fit is asked for.
struct LogisticProblem {
  double ridge = 1.0;
  Vector weights = {};                    ///< c_i ≥ 0, one per sample; empty: 1 each
  const LogisticScores* start = nullptr;  ///< a fit nearby, which saves steps
  double tolerance = 1e-15;  ///< of what the objective has above its minimum, relative to that of equal odds
  WhenCancelled when_cancelled = WhenCancelled::Throw;
};

/// Multinomial ridge logistic regression: the minimum of
///     Σ_i c_i (log Σ_c exp(s_ci) − s_{y_i,i}) + ridge/2·‖W‖²,   s_i = Wᵀx_i + b,
/// the offsets b free of the ridge. Classes without a sample get none of the probability; over the others W
/// and b sum to zero. Of two classes, the weights w₁ − w₀ of the log-odds feel ridge/4·‖w₁ − w₀‖².
///
/// Newton steps, each by conjugate gradients on exact products with the Hessian. Along the principal axes of
/// the samples its diagonal preconditions well: a few dozen products a fit, O(n·d·C) each.
class LogisticRegression {
 public:
  /// Finds the axes. `samples` must outlive this. Throws InvalidArgument on another number of labels than
  /// samples, on none and on a label out of range.
  LogisticRegression(const SampleView& samples, const std::vector<int>& labels, int class_count,
                     const Execution& run);

  /// Mean squared distance of the samples from their mean (1 where they are all equal): in this unit a ridge
  /// means the same on features of any scale.
  double spread() const { return spread_; }
  /// c_i = n/(classes·samples of the class): every class weighs the same, all samples together n.
  Vector balanced_weights() const;

  /// Throws InvalidArgument unless ridge > 0. Tells `context` of every step; its callback or deadline may end
  /// it early, with the classifier of the last step done. Cancelled, it does what the problem says, and
  /// throws Cancelled where no step is done.
  LogisticFit fit(const LogisticProblem& problem, const Context& context) const;

 private:
  LogisticScores classifier_of(const Matrix& parameters) const;
  Matrix parameters_of(const LogisticScores& classifier) const;

  int class_count_;
  std::vector<int> present_;   ///< classes with samples
  std::vector<int> position_;  ///< of each sample's class among those
  AxisSamples samples_;
  double spread_ = 1.0;
};

/// Class probabilities, C×m: softmax of Wᵀx + b.
Matrix logistic_scores(const LogisticScores& classifier, const SampleView& samples, const Execution& run);

}  // namespace isthmus
