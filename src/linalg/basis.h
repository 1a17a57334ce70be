#pragma once

#include <random>

#include "isthmus/execution.h"
#include "isthmus/matrix.h"

namespace isthmus::linalg {

/// Independent standard normal entries, for a basis to start from.
Matrix normal_matrix(Index rows, Index columns, std::mt19937_64& engine);

/// Orthonormal basis of the columns of y, rows ≥ columns: by products where they are far from dependent, by
/// orthonormal_basis() where not.
Matrix orthonormal_columns(Matrix y, const Execution& run);

/// Orthonormal columns for what a block adds to an orthonormal basis (which may have no column).
Matrix orthonormal_beside(MatrixView basis, Matrix block, const Execution& run);

}  // namespace isthmus::linalg
