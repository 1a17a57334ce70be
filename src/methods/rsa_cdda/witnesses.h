#pragma once

#include <vector>

#include "classify/classifier.h"
#include "isthmus/context.h"
#include "isthmus/domain.h"

namespace isthmus {

/// Two classifiers that see the source alone, and what each is worth there. They take no part in the labels
/// of the graph runs, so whether these agree with the one or the other is evidence of what kind of data this
/// is: one that a linear classifier suits, or one where only neighbours tell.
class SourceWitnesses {
 public:
  /// Of the pair's samples at unit length: logistic regression on all of its source, its ridge chosen by
  /// cross-validation, and 1-NN. The latter, quadratic, looks at some 4000 samples of each domain where there
  /// are more.
  SourceWitnesses(const DomainPair& pair, const Context& context);

  /// Class probabilities of the target's samples by logistic regression, C×nt.
  const Matrix& linear_scores() const { return linear_scores_; }
  const LogisticScores& linear() const { return linear_; }
  double linear_accuracy() const { return linear_accuracy_; }    ///< of samples held back, 0 … 1
  double nearest_accuracy() const { return nearest_accuracy_; }  ///< leave-one-out, copies counted once

  /// Share of the target's samples (those that 1-NN looked at) that have these labels.
  double linear_agrees(const std::vector<int>& labels) const;
  double nearest_agrees(const std::vector<int>& labels) const;
  double agree_with_each_other() const;
  /// Share of the target's samples as near to the source as source samples are to each other: where it is
  /// small, the witnesses say nothing about the target.
  double overlap() const { return overlap_; }

  /// How much better linear than nearest explains the source: the log of the ratio of their errors.
  double source_evidence() const;
  /// Share of what guessing gets wrong that logistic regression gets right on the source, 0 … 1.
  double linear_skill() const;

 private:
  int class_count_;
  LogisticScores linear_;
  Matrix linear_scores_;
  std::vector<Index> looked_at_;  ///< target samples, ascending
  std::vector<int> linear_labels_;
  std::vector<int> nearest_labels_;  ///< both of those samples
  double linear_accuracy_ = 0;
  double nearest_accuracy_ = 0;
  double overlap_ = 0;
};

}  // namespace isthmus
