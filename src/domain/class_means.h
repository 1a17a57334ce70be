#pragma once

#include <vector>

#include "isthmus/execution.h"
#include "isthmus/features.h"
#include "isthmus/matrix.h"

namespace isthmus {

/// Means and sizes of the classes in both domains: all that the MMD and repulsion forms need to know of the
/// n samples. O(dn) to build, O(d) for each target label that changes.
class ClassMeans {
 public:
  /// Labels are class ids in [0, class_count). Without target labels (empty) the target is one group, kept in
  /// the place of its first class: enough for the marginal form, which does not depend on labels.
  ClassMeans(SampleView source, const std::vector<int>& source_labels, SampleView target,
             std::vector<int> target_labels, int class_count, const Execution& run);

  /// Takes new target labels and returns how many differ from the ones before (all, when there were none).
  /// Moves only the changed samples between the sums, and sums afresh when most have changed and every few
  /// calls, so that rounding does not pile up. `target` are the same samples as before.
  Index relabel(SampleView target, std::vector<int> target_labels, const Execution& run);

  /// d×2C: the C source classes, then the C target classes; the column of an empty class is zero.
  const Matrix& means() const { return means_; }
  /// Samples of each column of `means`.
  const Vector& counts() const { return counts_; }
  const std::vector<int>& target_labels() const { return target_labels_; }
  bool target_labelled() const { return !target_labels_.empty(); }
  int class_count() const { return static_cast<int>(counts_.size() / 2); }

 private:
  void sum_target(SampleView target, const Execution& run);
  void divide();

  Matrix sums_;
  Matrix means_;
  Vector counts_;
  std::vector<int> target_labels_;
  int updates_ = 0;  ///< incremental updates since the target was last summed afresh
};

}  // namespace isthmus
