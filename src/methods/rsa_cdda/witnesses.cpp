#include "methods/rsa_cdda/witnesses.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <span>

#include "classify/logistic.h"
#include "classify/ridge_choice.h"
#include "linalg/blas.h"
#include "linalg/spread_samples.h"
#include "methods/rsa_cdda/coordinates.h"
#include "ops/neighbours.h"

namespace isthmus {
namespace {

// 1-NN compares all pairs of so many samples in less than a second.
constexpr Index kMostCompared = 4000;

template <class Value>
std::vector<Value> picked(const std::vector<Value>& values, const std::vector<Index>& at) {
  std::vector<Value> result;
  for (const Index i : at) result.push_back(values[static_cast<std::size_t>(i)]);
  return result;
}

double equal_share(const std::vector<int>& a, const std::vector<int>& b) {
  return accuracy_percent(a, b) / 100.0;
}

/// One of each set of equal columns, ascending.
std::vector<Index> without_copies(const Matrix& samples) {
  std::vector<Index> order(static_cast<std::size_t>(samples.cols()));
  std::iota(order.begin(), order.end(), Index{0});
  const auto column = [&](Index i) {
    return std::span(samples.col(i).data(), static_cast<std::size_t>(samples.rows()));
  };
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return std::lexicographical_compare(column(a).begin(), column(a).end(), column(b).begin(),
                                        column(b).end());
  });
  const auto last = std::unique(order.begin(), order.end(),
                                [&](Index a, Index b) { return samples.col(a) == samples.col(b); });
  order.erase(last, order.end());
  std::sort(order.begin(), order.end());
  return order;
}

/// Share of the distances that are no larger than all but a twentieth of `usual`.
double share_within_reach(const Vector& distances, Vector usual) {
  const auto rank = static_cast<std::ptrdiff_t>(0.95 * static_cast<double>(usual.size() - 1));
  std::nth_element(usual.begin(), usual.begin() + rank, usual.end());
  const auto within = (distances.array() <= usual[rank]).count();
  return static_cast<double>(within) / static_cast<double>(distances.size());
}

}  // namespace

SourceWitnesses::SourceWitnesses(const DomainPair& pair, const Context& context)
    : class_count_(pair.class_count()) {
  const FeatureMatrix source = at_unit_length(pair.source());
  const FeatureMatrix target = at_unit_length(pair.target());
  const Context quiet = context.quiet();
  const std::vector<int>& labels = pair.source_labels();
  const RidgeChoice choice = choose_ridge(source, labels, class_count_, false, quiet);
  const LogisticRegression regression(source, labels, class_count_, context);
  LogisticProblem problem;
  problem.ridge = choice.ridge * regression.spread();
  linear_ = regression.fit(problem, quiet).classifier;
  linear_scores_ = logistic_scores(linear_, target, context);
  linear_accuracy_ = choice.accuracy;

  std::mt19937_64 engine(context.seed);
  const std::vector<Index> compared = linalg::random_subset(source.count(), kMostCompared, engine);
  looked_at_ = linalg::random_subset(target.count(), kMostCompared, engine);
  const std::vector<int> own_labels = picked(labels, compared);
  const Matrix references = SampleView(source).pick(compared);
  const ops::Nearest found = ops::nearest(references, SampleView(target).pick(looked_at_), context);
  nearest_labels_ = picked(own_labels, found.index);
  linear_labels_ = picked(largest_rows(linear_scores_), looked_at_);
  // A copy that is left in says nothing of how 1-NN does on samples it has not seen.
  const std::vector<Index> distinct = without_copies(references);
  if (distinct.size() < 2) return;
  const Matrix apart = references(Eigen::all, distinct);
  const std::vector<int> apart_labels = picked(own_labels, distinct);
  const ops::Neighbours own = ops::nearest_k(apart, apart, 1, true, context);
  const std::vector<Index> others(own.index.data(), own.index.data() + own.index.size());
  nearest_accuracy_ = equal_share(picked(apart_labels, others), apart_labels);
  overlap_ = share_within_reach(found.squared_distance, own.squared_distance.row(0).transpose());
}

double SourceWitnesses::linear_agrees(const std::vector<int>& labels) const {
  return equal_share(picked(labels, looked_at_), linear_labels_);
}

double SourceWitnesses::nearest_agrees(const std::vector<int>& labels) const {
  return equal_share(picked(labels, looked_at_), nearest_labels_);
}

double SourceWitnesses::agree_with_each_other() const {
  return equal_share(linear_labels_, nearest_labels_);
}

double SourceWitnesses::source_evidence() const {
  // Errors of that size are a few samples', and as good as none.
  constexpr double kSmall = 0.02;
  return std::log((1.0 - nearest_accuracy_ + kSmall) / (1.0 - linear_accuracy_ + kSmall));
}

double SourceWitnesses::linear_skill() const {
  const double guessing = 1.0 / class_count_;
  return std::max(0.0, (linear_accuracy_ - guessing) / (1.0 - guessing));
}

}  // namespace isthmus
