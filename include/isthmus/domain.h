#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "isthmus/labels.h"
#include "isthmus/matrix.h"

namespace isthmus {

/// Immutable d×n features with shared ownership: owned here, or borrowed from memory that `owner` keeps
/// alive (a NumPy array, a mapped file). Copies share the memory.
class FeatureMatrix {
 public:
  FeatureMatrix() = default;
  FeatureMatrix(Matrix values);  // NOLINT(google-explicit-constructor): a Matrix is a FeatureMatrix
  FeatureMatrix(const double* data, Index dimension, Index count, std::shared_ptr<const void> owner);

  Index dimension() const { return dimension_; }
  Index count() const { return count_; }
  Eigen::Map<const Matrix> view() const { return {data_, dimension_, count_}; }

  /// The values as a matrix that may be changed: moved out when nobody shares them, copied otherwise.
  Matrix release() &&;

 private:
  std::shared_ptr<Matrix> values_;
  std::shared_ptr<const void> owner_;
  const double* data_ = nullptr;
  Index dimension_ = 0;
  Index count_ = 0;
};

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

  Eigen::Map<const Matrix> source() const { return source_.view(); }
  Eigen::Map<const Matrix> target() const { return target_.view(); }
  const std::vector<int>& source_labels() const { return source_labels_; }
  const ClassNames& classes() const { return classes_; }
  int class_count() const { return classes_.size(); }
  Index dimension() const { return source_.dimension(); }
  Index source_count() const { return source_.count(); }
  Index target_count() const { return target_.count(); }

  /// The true target labels in the source's class ids, for scoring; empty when unknown.
  const std::vector<int>& target_truth() const { return target_truth_; }

  /// Hands the features over for in-place preparation; the pair keeps its labels. Used by Preprocessing.
  Matrix release_source() { return std::move(source_).release(); }
  Matrix release_target() { return std::move(target_).release(); }
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
