#pragma once

#include "domain/class_means.h"
#include "isthmus/matrix.h"
#include "isthmus/methods.h"

namespace isthmus {

/// A form on the samples, M = Σᵢ vᵢvᵢᵀ, by its vectors in the coordinates of the 2C class means: with P the
/// means and F the factors, X M Xᵀ = (P F)(P F)ᵀ. No n×n matrix anywhere.
struct FormFactors {
  Matrix factors;  ///< F, 2C×terms, weights included

  /// K = F Fᵀ, so that X M Xᵀ = P K Pᵀ. Forms are added and subtracted as their K.
  Matrix coefficients() const;
};

/// The shares by which the classes of the source enter its mean in M₀.
enum class SourceShares {
  Own,
  Target,  ///< those of the target's labels: where they differ from the source's, M₀ would
           ///< move classes onto others
};

/// M_C = marginal·M₀ + conditional·Σ_c M_c, with M₀ ↔ [w_s − w_t] and M_c ↔ [s_c − t_c].
/// JDA: marginal = C, conditional = 1. Balanced (BDA): C(1 − μ) and μ. TCA: conditional = 0.
struct ClosenessWeights {
  double marginal = 1.0;
  double conditional = 1.0;
  EmptyClass empty_class = EmptyClass::Drop;
  SourceShares shares = SourceShares::Own;
};
/// Without target labels only the marginal term exists.
FormFactors closeness(const ClassMeans& classes, const ClosenessWeights& weights);

/// A term with an empty group is dropped; without target labels only the source's own terms exist.
FormFactors repulsion(const ClassMeans& classes, const RepulsionWeights& weights);

/// ‖M‖_F of the form with coefficients K: that of G^½ K G^½, G = diag(1/counts), which has M's nonzero
/// spectrum.
double frobenius_norm(MatrixView coefficients, const Vector& counts);

/// Squared distances between the domains' means (the MMD of a linear kernel), taken in the rows of `means`:
/// the marginal one and one for each class (NaN where the class is empty on a side).
struct MeanDistances {
  double marginal = 0;
  Vector classes;
};
/// `means` and `counts` of the C source classes, then of the C target classes.
MeanDistances mean_distances(MatrixView means, const Vector& counts);
/// Without target labels there are no classes to compare.
MeanDistances mean_distances(MatrixView means, const ClassMeans& classes);

}  // namespace isthmus
