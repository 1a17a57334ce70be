#pragma once

#include "isthmus/execution.h"
#include "isthmus/matrix.h"

namespace isthmus {

/// Leading solutions of a symmetric pencil.
struct PencilSolution {
  Vector values;
  Matrix vectors;
  double residual = 0;  ///< max over columns of ‖L a − ν B a‖ / (‖L‖_F ‖a‖)
};

/// The k largest ν of L a = ν (λI + U Uᵀ) a, L symmetric d×d, U d×m with m ≪ d, λ > 0.
///
/// The right side is the identity plus a low rank: with U Uᵀ = Q diag(s) Qᵀ its inverse square root is
/// (I + Q D Qᵀ)/√λ, D = diag(√(λ/(λ+s)) − 1). So the pencil becomes an ordinary symmetric problem in O(d²m);
/// no d×d factorisation of the right side. Vectors are orthonormal in the right side's metric, values
/// descending.
PencilSolution largest_of_low_rank_pencil(MatrixView left, MatrixView factors, double ridge, Index k,
                                          const Execution& run);

/// The k largest ν of L a = ν B a, B symmetric positive definite and full; vectors and values as above.
PencilSolution largest_of_pencil(MatrixView left, MatrixView right, Index k);

/// Basis of range(S) that whitens it: WᵀSW = I (d×rank), S symmetric positive semidefinite. Directions below
/// `tolerance` times the largest eigenvalue count as null.
Matrix whitening_basis(MatrixView scatter, double tolerance = 1e-10);

/// The k smallest *algebraic* φ of A a = φ S a on range(S), A symmetric and possibly indefinite, by the
/// whitening basis of S; vectors with aᵀSa = 1, values ascending. Throws InvalidArgument when k exceeds the
/// rank of S.
PencilSolution smallest_on_range(MatrixView a, MatrixView scatter, MatrixView whitening, Index k);

}  // namespace isthmus
