#pragma once

#include <optional>

#include "isthmus/execution.h"
#include "linalg/eigen.h"

namespace isthmus::linalg {

/// The k largest eigenpairs of symmetric a (both triangles read), values descending, by block Lanczos with
/// every vector made orthogonal to all others: products with a, which go over the threads, instead of the
/// whole matrix in tridiagonal form, which does not. Residuals are within 1e-12 of the largest value in
/// magnitude. The same bytes on any number of threads.
///
/// None where it would take longer than that: the values fall too slowly, or so many are equal that a
/// sequence from a few columns cannot be trusted with them.
std::optional<EigenPairs> lanczos_largest(MatrixView a, Index k, const Execution& run);

}  // namespace isthmus::linalg
