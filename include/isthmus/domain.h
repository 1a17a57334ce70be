#pragma once

#include <optional>
#include <vector>

#include "isthmus/features.h"
#include "isthmus/labels.h"
#include "isthmus/matrix.h"

namespace isthmus {

/// Samples of one origin. The source needs labels; labels of a target are used for scoring only.
struct Domain {
  FeatureMatrix features = {};
  std::optional<Labels> labels = {};
};

/// Labelled source and unlabelled target, checked: equal dimension, finite values, at least one sample
/// each and two classes in the source. No method sees the target's labels.
class DomainPair {
 public:
  /// Throws InvalidArgument naming the domain, the sample and the feature that is wrong.
  DomainPair(Domain source, Domain target);

  const FeatureMatrix& source() const { return source_; }
  const FeatureMatrix& target() const { return target_; }
  const std::vector<int>& source_labels() const { return source_labels_; }
  const ClassNames& classes() const { return classes_; }
  int class_count() const { return classes_.size(); }
  Index dimension() const { return source_.dimension(); }
  Index source_count() const { return source_.count(); }
  Index target_count() const { return target_.count(); }

  /// The true target labels in the source's class ids, for scoring; empty when unknown.
  const std::vector<int>& target_truth() const { return target_truth_; }

  /// Hands the features over for preparation; the pair keeps its labels. Used by Preprocessing.
  FeatureMatrix release_source() { return std::move(source_); }
  FeatureMatrix release_target() { return std::move(target_); }
  /// Puts prepared features in place of the released ones; checks them again.
  void replace(FeatureMatrix source, FeatureMatrix target);

 private:
  FeatureMatrix source_;
  FeatureMatrix target_;
  std::vector<int> source_labels_;
  std::vector<int> target_truth_;
  ClassNames classes_;
};

/// Share of samples, in percent, whose label equals the truth.
double accuracy_percent(const std::vector<int>& labels, const std::vector<int>& truth);

}  // namespace isthmus
