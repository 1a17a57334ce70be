#pragma once

#include <vector>

#include "isthmus/execution.h"
#include "isthmus/features.h"
#include "isthmus/matrix.h"
#include "isthmus/methods.h"

namespace isthmus {

/// Scatter matrices of labelled samples: about their class means (within), of these, each as often as its
/// samples, about the mean of all (between), and about that mean (total = within + between).
struct ClassScatter {
  Matrix within;
  Matrix between;
  Matrix total;
};
ClassScatter class_scatter(SampleView samples, const std::vector<int>& labels, int class_count,
                           const Execution& run);

/// F(W) + λ D(W) of transfer subspace learning (Si, Tao, Geng 2010) at W with orthonormal columns: a
/// criterion F on the source and the divergence D between kernel density estimates of both domains'
/// projections.
class TransferObjective {
 public:
  struct Settings {
    TransferCriterion criterion = TransferCriterion::Fisher;
    double ridge = 0;   ///< δ / tr S_t
    double lambda = 1;  ///< weight of D
    double width = 1;   ///< of the Gaussians in D
  };
  struct Terms {
    double criterion = 0;
    double divergence = 0;
  };

  /// `source` and `target` (d×n) are the samples whose densities are compared; `scatter` that of the source.
  TransferObjective(ClassScatter scatter, Matrix source, Matrix target, const Settings& settings);

  /// The value, and the gradient by W (d×k) where asked for.
  double evaluate(const Matrix& w, Matrix* gradient, const Execution& run);
  /// Of the last evaluation.
  const Terms& terms() const { return terms_; }

 private:
  double criterion(const Matrix& w, Matrix* gradient, const Execution& run) const;
  double divergence(const Matrix& w, Matrix* gradient, const Execution& run) const;

  ClassScatter scatter_;
  Matrix source_;
  Matrix target_;
  Settings settings_;
  double trace_;
  Terms terms_;
};

}  // namespace isthmus
