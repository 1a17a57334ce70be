#pragma once

#include "isthmus/execution.h"
#include "isthmus/matrix.h"

namespace isthmus::linalg {

/// Eigenpairs of a symmetric matrix (or pencil); column i of `vectors` belongs to values[i].
/// Each vector's largest entry in magnitude is made positive, so that signs do not depend on LAPACK's mood.
struct EigenPairs {
  Vector values;
  Matrix vectors;
};

/// All eigenpairs of symmetric a (lower triangle read), values ascending.
EigenPairs symmetric_eigen(MatrixView a);
/// The k largest, values descending; both triangles are read. A few of a large matrix are found by
/// lanczos_largest(). Throws InvalidArgument unless 1 ≤ k ≤ n.
EigenPairs largest_eigen(MatrixView a, Index k, const Execution& run);
/// The k smallest (algebraic), values ascending.
EigenPairs smallest_eigen(MatrixView a, Index k);
/// Those with value > bound, values descending; maybe none. With `few`, time is saved when they are less than
/// about a quarter of all.
EigenPairs eigen_above(MatrixView a, double bound, bool few);
/// The k largest ν of a v = ν b v with b symmetric positive definite; VᵀBV = I, values descending.
/// Throws NumericalError when b is not positive definite.
EigenPairs generalized_largest_eigen(MatrixView a, MatrixView b, Index k);

struct Svd {
  Matrix u;
  Vector values;  ///< descending
  Matrix v;
};
/// Thin singular value decomposition a = U diag(values) Vᵀ.
Svd thin_svd(MatrixView a);

/// Replaces symmetric a (lower triangle read) by its lower Cholesky factor, the upper triangle by zeros;
/// false, and a is lost, when a is not positive definite.
bool cholesky_factor(Matrix& a);

/// Solves a x = b for symmetric positive definite a by Cholesky; NumericalError when it is not.
Matrix solve_spd(MatrixView a, MatrixView b);

/// Thin Q of the Householder QR of a (rows ≥ columns ≥ 1): orthonormal columns that span those of a; where a
/// lacks rank, further directions fill up.
Matrix orthonormal_basis(MatrixView a);

}  // namespace isthmus::linalg
