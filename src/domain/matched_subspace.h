#pragma once

#include <optional>

#include "domain/forms.h"
#include "isthmus/execution.h"
#include "isthmus/matrix.h"
#include "isthmus/methods.h"

namespace isthmus {

/// The subspace problem of the family: TCA has no conditional term, JDA no repulsion, CDDA all of it.
struct MatchingProblem {
  Index components = 100;
  double ridge = 1.0;  ///< λ
  ClosenessWeights closeness{};
  double closeness_weight = 1.0;                ///< of X M_C Xᵀ/‖M_C‖ in the ratio form
  std::optional<RepulsionWeights> repulsion{};  ///< takes part once the target is labelled
  RepulsionForm form = RepulsionForm::Ratio;
  Scaling scaling = Scaling::Unit;
};

/// A solution, and the terms of its objective as sums over the eigenvectors in the metric of the problem:
/// ratio: closeness + ridge = k, objective = variance + repulsion = Σν, the larger the better;
/// algebraic: variance = k, objective = closeness + ridge − repulsion = Σφ, the smaller the better.
struct MatchedSubspace {
  Matrix directions;  ///< A, r×k, scaled as asked
  double objective = 0;
  double variance = 0;
  double closeness = 0;
  double ridge = 0;
  double repulsion = 0;
  double residual = 0;  ///< of the eigenproblem, relative
};

/// Solves the subspace problem again and again on the same samples as their labels change. M is divided by
/// its Frobenius norm, as published: X M Xᵀ then grows with n as the scatter does, and λ must grow with it to
/// mean the same. In the ratio form M_REP at weights 1 has the trace of the scatter, whatever n is.
class SubspaceMatcher {
 public:
  /// `scatter` is Z H Zᵀ of all samples.
  SubspaceMatcher(Matrix scatter, const MatchingProblem& problem, const Execution& run);

  /// `means` are the class means of `classes` in the coordinates of the scatter (r×2C). `robust` (r×r,
  /// positive semidefinite, or empty) is added to λI in the ratio form: what a reconstruction leaves over.
  MatchedSubspace solve(MatrixView means, const ClassMeans& classes, const Matrix& robust = {});

 private:
  MatchedSubspace solve_ratio(MatrixView means, const ClassMeans& classes, const Matrix& robust) const;
  MatchedSubspace solve_algebraic(MatrixView means, const ClassMeans& classes);
  MatchedSubspace finish(Matrix vectors, const Matrix& close, const Matrix& apart,
                         const Matrix& robust) const;

  Matrix scatter_;
  MatchingProblem problem_;
  Execution run_;
  Matrix whitening_;  ///< of the scatter, once it is needed
};

}  // namespace isthmus
