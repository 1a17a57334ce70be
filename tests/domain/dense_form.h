#pragma once

#include "labelled_problem.h"

namespace isthmus::testing {

/// The textbook way: vectors over all n samples, a dense n×n M.
class DenseForm {
 public:
  explicit DenseForm(const LabelledProblem& problem)
      : problem_(problem),
        count_(problem.source.cols() + problem.target.cols()),
        matrix(Matrix::Zero(count_, count_)) {}

  /// 1/size on the samples of a group, empty vector for an empty group. `others`: every class but c; c < 0:
  /// all.
  Vector group(bool source, int c, bool others = false) const {
    const auto& labels = source ? problem_.source_labels : problem_.target_labels;
    Vector members = Vector::Zero(count_);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (c < 0 || (labels[i] == c) != others) {
        members[static_cast<Index>(i) + (source ? 0 : problem_.source.cols())] = 1.0;
      }
    }
    return members.sum() > 0 ? Vector(members / members.sum()) : Vector();
  }
  void add(double weight, const Vector& a, const Vector& b) {
    if (a.size() == 0 || b.size() == 0) return;
    matrix += weight * (a - b) * (a - b).transpose();
  }
  void add_closeness(double marginal, double conditional) {
    add(marginal, group(true, -1), group(false, -1));
    for (int c = 0; c < problem_.classes; ++c) add(conditional, group(true, c), group(false, c));
  }
  void add_repulsion(double st, double ts, double ss) {
    for (int c = 0; c < problem_.classes; ++c) {
      add(st, group(true, c), group(false, c, true));
      add(ts, group(false, c), group(true, c, true));
      add(ss, group(true, c), group(true, c, true));
    }
  }

 private:
  const LabelledProblem& problem_;
  Index count_;

 public:
  Matrix matrix;
};

}  // namespace isthmus::testing
