#include "isthmus/domain.h"

#include <fmt/format.h>

#include <algorithm>

#include "isthmus/errors.h"
#include "samples/summaries.h"

namespace isthmus {
namespace {

void check_features(const FeatureMatrix& features, const char* domain) {
  if (features.count() == 0) {
    throw InvalidArgument(fmt::format("the {} has no samples; at least 1 is needed", domain));
  }
  if (features.dimension() == 0) {
    throw InvalidArgument(fmt::format("the {} has no features; at least 1 is needed", domain));
  }
  fold(features, 1, Extent(features.dimension())).require_finite(domain);
}

/// One label a sample, each the id of a class, of `lowest` at least.
void check_labels(const Domain& domain, const char* name, int lowest) {
  const auto count = static_cast<Index>(domain.labels->ids.size());
  if (count != domain.features.count()) {
    throw InvalidArgument(fmt::format("the {} has {} samples but {} labels; one label a sample is needed",
                                      name, domain.features.count(), count));
  }
  const int highest = domain.labels->classes.size() - 1;
  for (std::size_t i = 0; i < domain.labels->ids.size(); ++i) {
    const int id = domain.labels->ids[i];
    if (id < lowest || id > highest) {
      throw InvalidArgument(fmt::format("the label of {} sample {} (from 1) is class {}; expected {} … {}",
                                        name, i + 1, id, lowest, highest));
    }
  }
}

}  // namespace

DomainPair::DomainPair(Domain source, Domain target) {
  if (!source.labels) {
    throw InvalidArgument("the source has no labels; name its label column, variable or file");
  }
  check_labels(source, "source", 0);
  if (target.labels) check_labels(target, "target", kUnknownClass);
  match_features(source, source.feature_names, "source", "source");  // as many names as features
  if (match_features(target, source.feature_names, "target", "source")) {
    notes_.emplace_back("the target's features were put in the order of the source's, by their names");
  }
  feature_names_ = std::move(source.feature_names.empty() ? target.feature_names : source.feature_names);
  replace(std::move(source.features), std::move(target.features));
  classes_ = source.labels->classes;
  source_labels_ = std::move(source.labels->ids);
  if (classes_.size() < 2) {
    throw InvalidArgument(fmt::format("the source has only one class ('{}'); at least 2 are needed",
                                      classes_.size() == 1 ? classes_[0] : ""));
  }
  if (target.labels) target_truth_ = encode_labels(*target.labels, classes_);
}

void DomainPair::replace(FeatureMatrix source, FeatureMatrix target) {
  check_features(source, "source");
  check_features(target, "target");
  if (source.dimension() != target.dimension()) {
    throw InvalidArgument(
        fmt::format("the source has {} features a sample and the target {}; both need the same features",
                    source.dimension(), target.dimension()));
  }
  source_ = std::move(source);
  target_ = std::move(target);
}

double accuracy_percent(const std::vector<int>& labels, const std::vector<int>& truth) {
  if (labels.size() != truth.size() || truth.empty()) {
    throw InvalidArgument(
        fmt::format("accuracy needs as many labels as true labels, at least 1; got {} and {}", labels.size(),
                    truth.size()));
  }
  std::size_t right = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) right += labels[i] == truth[i] ? 1U : 0U;
  return 100.0 * static_cast<double>(right) / static_cast<double>(truth.size());
}

}  // namespace isthmus
