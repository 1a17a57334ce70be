#pragma once

#include <limits>

#include "isthmus/matrix.h"

namespace isthmus::linalg {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A point amid the references: the smaller the norms around it, the fewer near-ties. The median of a few
/// samples per feature, so that a handful of outliers cannot drag it away.
Vector central_point(const MatrixView& references);

/// A power of two that brings samples, taken from the centre, to about unit size, so that the range of single
/// precision is enough.
double usual_scale(const MatrixView& references, const Vector& centre);

/// The references as a product wants them, in single or double precision, and what rounding can do to it.
///
/// With r, q taken from a centre and scaled by a power of two, one product with the query extended by 1 gives
/// for a whole block
///
///   score = −2 r·q + (1 − 3w)‖r‖²,   w = (d + 8)ε,   ε that of the product's precision,
///
/// a lower bound, up to 2w‖q‖², of ‖r − q‖² − ‖q‖². What rounds, in units of ε/2 (‖r‖², ‖q‖² stand for their
/// multiples): the entries when they are centred and stored, 6.1‖r‖² + 6.1‖q‖² in the distance and the
/// product; the product's d + 1 terms in any order, (d + 2)(2‖r‖² + ‖q‖²); the norm, (d + 3)‖r‖²; the
/// directly summed distance that decides in the end, 2(d + 2)(‖r‖² + ‖q‖²). Altogether below (5d + 18)‖r‖² +
/// (3d + 13)‖q‖², while 3w = 6d + 48 and 2w = 4d + 32 of these units. The upper bound is higher by
/// 6w‖r‖² + 4w‖q‖². The first part belongs to the reference: one far outlier does not blur the others.
///
/// A huge sample, with entries whose squares near the end of the precision's range, has no score: its bounds
/// are −∞ and ∞, in finite numbers where they enter the product.
template <class Real>
class Sieve {
 public:
  using Block = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;

  explicit Sieve(const MatrixView& references);

  /// Writes the query as the product wants it; returns its part of the distance between the bounds.
  double extend(const Eigen::Ref<const Vector>& query,
                Eigen::Ref<Eigen::Matrix<Real, Eigen::Dynamic, 1>> column) const;

  /// The references, (d+1)×n.
  const Block& references() const { return extended_; }
  /// 6w‖r‖² of each.
  const Vector& slack() const { return slack_; }

 private:
  Vector centre_;
  double scale_;
  double unit_;  // w
  Block extended_;
  Vector slack_;
};

extern template class Sieve<float>;
extern template class Sieve<double>;

}  // namespace isthmus::linalg
