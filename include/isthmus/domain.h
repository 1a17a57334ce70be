#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isthmus/features.h"
#include "isthmus/labels.h"
#include "isthmus/matrix.h"

namespace isthmus {

/// Samples of one origin. The source needs labels; labels of a target are used for scoring only.
struct Domain {
  FeatureMatrix features = {};
  std::optional<Labels> labels = {};
  std::vector<std::string> feature_names = {};  ///< in the order of the features; empty: unknown
  std::vector<std::string> sample_ids = {};     ///< what the samples are called; empty: by their number
};

/// Puts the features of a domain into the order of `names`; where one side has no names, the features are
/// taken as they come. Returns whether the order changed. Throws InvalidArgument naming the features that are
/// missing or too many; messages call the two sides `domain_is` and `names_are_of` ("target", "source").
bool match_features(Domain& domain, const std::vector<std::string>& names, std::string_view domain_is,
                    std::string_view names_are_of);

/// Labelled source and unlabelled target, checked: the same features, finite values, at least one sample each
/// and two classes in the source. Where both have feature names, the target's features are put into the
/// source's order. No method sees the target's labels.
class DomainPair {
 public:
  /// Throws InvalidArgument naming the domain, the sample and the feature that is wrong.
  DomainPair(Domain source, Domain target);

  const FeatureMatrix& source() const { return source_; }
  const FeatureMatrix& target() const { return target_; }
  const std::vector<int>& source_labels() const { return source_labels_; }
  const ClassNames& classes() const { return classes_; }
  /// What the features are called, by the source or, where it does not say, the target; empty: unknown.
  const std::vector<std::string>& feature_names() const { return feature_names_; }
  /// What a user should know of how the domains were brought together.
  const std::vector<std::string>& notes() const { return notes_; }
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
  std::vector<std::string> feature_names_;
  std::vector<std::string> notes_;
};

/// Share of samples, in percent, whose label equals the truth.
double accuracy_percent(const std::vector<int>& labels, const std::vector<int>& truth);

}  // namespace isthmus
