#include "domain/forms.h"

#include <cmath>
#include <limits>
#include <vector>

#include "linalg/blas.h"

namespace isthmus {
namespace {

enum class Group { Source, Target };

/// Means of groups of samples, as combinations of the 2C class means.
class GroupMeans {
 public:
  /// `counts` of the C source classes, then of the C target classes.
  explicit GroupMeans(const Vector& counts) : counts_(counts), classes_(counts.size() / 2) {}

  Vector of_domain(Group domain) const {
    Vector mean = Vector::Zero(counts_.size());
    const auto sizes = counts_.segment(first(domain), classes_);
    mean.segment(first(domain), classes_) = sizes / sizes.sum();
    return mean;
  }
  /// The source's mean, were its classes as frequent as the target's labels say. Classes that it lacks are
  /// left out; where it has none of them, its own mean.
  Vector of_source_by_target_shares() const {
    const auto own = counts_.head(classes_);
    const Vector shares = (own.array() > 0).select(counts_.tail(classes_), 0.0);
    if (!(shares.sum() > 0.0)) return of_domain(Group::Source);
    Vector mean = Vector::Zero(counts_.size());
    mean.head(classes_) = shares / shares.sum();
    return mean;
  }
  Vector of_class(Group domain, Index c) const { return Vector::Unit(counts_.size(), first(domain) + c); }
  Vector of_others(Group domain, Index c) const {
    Vector mean = Vector::Zero(counts_.size());
    mean.segment(first(domain), classes_) = counts_.segment(first(domain), classes_);
    mean[first(domain) + c] = 0.0;
    return mean / mean.sum();
  }
  bool has_class(Group domain, Index c) const { return counts_[first(domain) + c] > 0; }
  bool has_others(Group domain, Index c) const {
    return counts_.segment(first(domain), classes_).sum() > counts_[first(domain) + c];
  }

 private:
  Index first(Group domain) const { return domain == Group::Source ? 0 : classes_; }
  const Vector& counts_;
  Index classes_;
};

/// Collects weighted vectors as columns.
class FactorList {
 public:
  void add(double weight, const Vector& v) {
    if (weight > 0) columns_.push_back(std::sqrt(weight) * v);
  }
  FormFactors finish(Index rows) const {
    FormFactors form{Matrix(rows, static_cast<Index>(columns_.size()))};
    for (std::size_t i = 0; i < columns_.size(); ++i) form.factors.col(static_cast<Index>(i)) = columns_[i];
    return form;
  }

 private:
  std::vector<Vector> columns_;
};

}  // namespace

Matrix FormFactors::coefficients() const {
  return linalg::multiply_by_transpose(factors, factors, 1);
}

FormFactors closeness(const ClassMeans& classes, const ClosenessWeights& weights) {
  const GroupMeans mean(classes.counts());
  FactorList terms;
  const bool by_target = weights.shares == SourceShares::Target && classes.target_labelled();
  terms.add(weights.marginal,
            (by_target ? mean.of_source_by_target_shares() : mean.of_domain(Group::Source)) -
                mean.of_domain(Group::Target));
  for (Index c = 0; classes.target_labelled() && c < classes.class_count(); ++c) {
    const bool in_source = mean.has_class(Group::Source, c);
    const bool in_target = mean.has_class(Group::Target, c);
    if (in_source && in_target) {
      terms.add(weights.conditional, mean.of_class(Group::Source, c) - mean.of_class(Group::Target, c));
    } else if (weights.empty_class == EmptyClass::KeepHalf && (in_source || in_target)) {
      terms.add(weights.conditional, mean.of_class(in_source ? Group::Source : Group::Target, c));
    }
  }
  return terms.finish(classes.counts().size());
}

FormFactors repulsion(const ClassMeans& classes, const RepulsionWeights& weights) {
  const GroupMeans mean(classes.counts());
  FactorList terms;
  const auto push_apart = [&](double weight, Group domain, Group other_domain, Index c) {
    if (!mean.has_class(domain, c) || !mean.has_others(other_domain, c)) return;
    terms.add(weight, mean.of_class(domain, c) - mean.of_others(other_domain, c));
  };
  for (Index c = 0; c < classes.class_count(); ++c) {
    if (classes.target_labelled()) {
      push_apart(weights.source_target, Group::Source, Group::Target, c);
      push_apart(weights.target_source, Group::Target, Group::Source, c);
    }
    push_apart(weights.source_source, Group::Source, Group::Source, c);
  }
  return terms.finish(classes.counts().size());
}

double frobenius_norm(MatrixView coefficients, const Vector& counts) {
  // An empty class has no samples to carry its entries: its weight in G is 0.
  const Vector root = (counts.array() > 0).select(counts.cwiseMax(1.0).cwiseInverse().cwiseSqrt(), 0.0);
  return (root.asDiagonal() * coefficients * root.asDiagonal()).norm();
}

MeanDistances mean_distances(MatrixView means, const Vector& counts) {
  const Index count = counts.size() / 2;
  const GroupMeans mean(counts);
  MeanDistances distances;
  distances.marginal =
      (means * (mean.of_domain(Group::Source) - mean.of_domain(Group::Target))).squaredNorm();
  distances.classes = Vector::Constant(count, std::numeric_limits<double>::quiet_NaN());
  for (Index c = 0; c < count; ++c) {
    if (!mean.has_class(Group::Source, c) || !mean.has_class(Group::Target, c)) continue;
    distances.classes[c] = (means.col(c) - means.col(count + c)).squaredNorm();
  }
  return distances;
}

MeanDistances mean_distances(MatrixView means, const ClassMeans& classes) {
  MeanDistances distances = mean_distances(means, classes.counts());
  if (!classes.target_labelled()) distances.classes.setConstant(std::numeric_limits<double>::quiet_NaN());
  return distances;
}

}  // namespace isthmus
