#pragma once

#include <optional>
#include <vector>

#include "isthmus/domain.h"
#include "isthmus/matrix.h"
#include "mmd/class_means.h"
#include "mmd/forms.h"

namespace isthmus {

/// X = U Σ Vᵀ of both domains' samples, each of unit length, cut to the leading `rank` directions.
/// Methods on the features Σ^p Vᵀ are the primal ones for p = 1 and exactly the linear-kernel ones for p = 2,
/// without any n×n kernel.
struct SpectralCoordinates {
  Matrix basis;            ///< U, d×r
  Vector singular_values;  ///< r, descending
  Matrix coordinates;      ///< UᵀX = ΣVᵀ, r×n, source first

  /// Σ^p Vᵀ.
  Matrix features(double spectrum) const;
  /// B with features(p) = BᵀX.
  Matrix map(double spectrum) const;
};

/// `rank` 0 keeps all directions above rounding. Throws InvalidArgument when every sample is zero.
SpectralCoordinates spectral_coordinates(const DomainPair& pair, int rank, int threads = 1);

/// The ratio form of RSA-CDDA's embedding: the k largest ν of
///     (S + γ·c·X M_REP Xᵀ) a = ν (X M_C Xᵀ/‖M_C‖_F + λI + R) a,   S = XHXᵀ, c = tr S / tr(X M_REP Xᵀ).
/// The right side is positive definite, so the problem is well posed whatever the labels are.
class RatioEmbedding {
 public:
  struct Settings {
    double lambda = 0.3;
    double gamma = 1.0;
    Index components = 100;
    EmptyClass empty_class = EmptyClass::Drop;
  };
  /// Features r×n, source first.
  RatioEmbedding(const Matrix& features, const std::vector<int>& source_labels, int class_count,
                 const Settings& settings, int threads);

  /// The terms of the energy at the solution, A orthonormal in the right side's metric.
  struct Solution {
    Matrix projection;     ///< A, r×k
    double objective = 0;  ///< Σν, what A maximises
    double closeness = 0;  ///< tr(Aᵀ X M_C Xᵀ A)/‖M_C‖_F
    double repulsion = 0;  ///< γ·c·tr(Aᵀ X M_REP Xᵀ A)
    double variance = 0;   ///< tr(AᵀSA)
    double penalty = 0;    ///< λ‖A‖²_F
    double residual = 0;   ///< of the eigenproblem, relative
  };
  /// With empty labels only the marginal distributions are drawn together and nothing is pushed apart.
  /// `robust` is R (r×r), or empty.
  Solution solve(const std::vector<int>& target_labels, const Matrix& robust, int threads);

 private:
  const Matrix& features_;
  Index source_count_;
  Settings settings_;
  Matrix scatter_;
  ClassMeans classes_;
};

}  // namespace isthmus
