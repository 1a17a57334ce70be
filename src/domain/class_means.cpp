#include "domain/class_means.h"

#include <fmt/format.h>

#include <algorithm>

#include "isthmus/errors.h"
#include "samples/summaries.h"

namespace isthmus {
namespace {

// After so many incremental updates the target is summed afresh; each adds about one rounding of a sum.
constexpr int kUpdatesBeforeRefresh = 16;
// A sum that an outlier left has lost as many digits as it shrank by: beyond this, it is summed afresh.
constexpr double kShrinkage = 1e-3;

void check_labels(const std::vector<int>& labels, Index samples, int class_count, const char* domain) {
  if (static_cast<Index>(labels.size()) != samples) {
    throw InvalidArgument(
        fmt::format("class means: the {} has {} samples but {} labels", domain, samples, labels.size()));
  }
  for (const int label : labels) {
    if (label < 0 || label >= class_count) {
      throw InvalidArgument(
          fmt::format("class means: the {} has a label {}; expected 0 … {}", domain, label, class_count - 1));
    }
  }
}

}  // namespace

ClassMeans::ClassMeans(SampleView source, const std::vector<int>& source_labels, SampleView target,
                       std::vector<int> target_labels, int class_count, const Execution& run)
    : target_labels_(std::move(target_labels)) {
  check_labels(source_labels, source.cols(), class_count, "source");
  if (target_labelled()) check_labels(target_labels_, target.cols(), class_count, "target");
  if (source.rows() != target.rows()) {
    throw InvalidArgument(fmt::format("class means: the source has {} features and the target {}",
                                      source.rows(), target.rows()));
  }
  const ClassSums own = fold(source, run, ClassSums(source.rows(), class_count, source_labels));
  sums_.resize(source.rows(), Index{2} * class_count);
  counts_.resize(Index{2} * class_count);
  sums_.leftCols(class_count) = own.sums;
  counts_.head(class_count) = own.counts;
  sum_target(target, run);
  divide();
}

Index ClassMeans::relabel(SampleView target, std::vector<int> target_labels, const Execution& run) {
  check_labels(target_labels, target.cols(), class_count(), "target");
  if (!target_labelled()) {
    target_labels_ = std::move(target_labels);
    sum_target(target, run);
    divide();
    return target.cols();
  }
  std::vector<Index> changed;
  for (Index j = 0; j < target.cols(); ++j) {
    const auto at = static_cast<std::size_t>(j);
    if (target_labels[at] != target_labels_[at]) changed.push_back(j);
  }
  if (changed.empty()) return 0;
  // A changed sample is touched twice, one summed afresh once.
  if (2 * static_cast<Index>(changed.size()) >= target.cols() || updates_ >= kUpdatesBeforeRefresh) {
    target_labels_ = std::move(target_labels);
    sum_target(target, run);
  } else {
    const Eigen::RowVectorXd before = sums_.cwiseAbs().colwise().maxCoeff();
    for (const Index j : changed) {
      const Index from = class_count() + target_labels_[static_cast<std::size_t>(j)];
      const Index to = class_count() + target_labels[static_cast<std::size_t>(j)];
      const Columns sample = target.sample(j);
      sums_.col(from) -= sample;
      sums_.col(to) += sample;
      counts_[from] -= 1.0;
      counts_[to] += 1.0;
    }
    target_labels_ = std::move(target_labels);
    ++updates_;
    const Eigen::RowVectorXd after = sums_.cwiseAbs().colwise().maxCoeff();
    if ((after.array() < kShrinkage * before.array()).any()) sum_target(target, run);
  }
  divide();
  return static_cast<Index>(changed.size());
}

void ClassMeans::sum_target(SampleView target, const Execution& run) {
  const Index classes = class_count();
  const std::vector<int> one_group(target_labelled() ? 0 : static_cast<std::size_t>(target.cols()), 0);
  const std::vector<int>& labels = target_labelled() ? target_labels_ : one_group;
  const ClassSums all = fold(target, run, ClassSums(target.rows(), classes, labels));
  sums_.rightCols(classes) = all.sums;
  counts_.tail(classes) = all.counts;
  updates_ = 0;
}

void ClassMeans::divide() {
  // What rounding leaves in the sum of a class that lost its last sample is no sum.
  for (Index c = 0; c < counts_.size(); ++c) {
    if (counts_[c] == 0.0) sums_.col(c).setZero();
  }
  means_ = sums_ * counts_.cwiseMax(1.0).cwiseInverse().asDiagonal();
}

}  // namespace isthmus
