#pragma once

#include <functional>
#include <vector>

#include "isthmus/execution.h"
#include "isthmus/features.h"
#include "isthmus/matrix.h"

namespace isthmus::linalg {

/// The largest eigenvalues of X Xᵀ, descending, and their directions.
struct Spectrum {
  Vector values;      ///< squared singular values of X
  Matrix directions;  ///< d×r, orthonormal
  double total = 0;   ///< the sum of all eigenvalues
};
/// Up to which value an eigenvalue is rounding, by the largest.
using RankFloor = std::function<double(double largest)>;

/// At most `limit` eigenpairs above the floor, of samples that may come in several parts (d×n_i). Works on
/// the smaller of the d×d and n×n Gram matrices, O(n d min(n, d)), and reads block by block.
Spectrum leading_spectrum(const std::vector<SampleView>& parts, Index limit, const RankFloor& floor,
                          const Execution& run);

/// The leading principal directions of samples about their mean.
struct PrincipalSubspace {
  Vector mean;
  Matrix basis;              ///< d×r, orthonormal, by falling variance
  Vector scatter;            ///< r values: eigenvalues of the centred scatter matrix
  double total_scatter = 0;  ///< the sum of all of them
};

/// The same of samples minus their mean: at most `limit` directions, fewer where the samples span fewer
/// (numerically: eigenvalues of the scatter matrix above rounding).
PrincipalSubspace principal_subspace(const std::vector<SampleView>& parts, Index limit, const Execution& run);

/// Principal vectors and angles between span(a) and span(b), both d×q with orthonormal columns
/// (Björck & Golub 1973): b_i = a_i cos θ_i + r_i sin θ_i.
struct PrincipalAngles {
  Matrix first;       ///< a_i in span(a), d×q
  Matrix complement;  ///< r_i, unit and orthogonal to span(a); zero where θ_i is exactly 0
  Vector angles;      ///< θ_i in [0, π/2], ascending; from both sine and cosine, so accurate at both ends
};
PrincipalAngles principal_angles(MatrixView a, MatrixView b);

/// Subspace disagreement measure of Gong, Shi, Sha, Grauman 2012, Sec. 4.3, for dimensions 1 … q:
/// D(p) = ½ (sin α_p + sin β_p), the p-th (largest) principal angles between the leading p columns of
/// `source` and `joint`, and of `target` and `joint`. Stops after the first D(p) ≥ `enough`.
std::vector<double> subspace_disagreement(MatrixView source, MatrixView target, MatrixView joint,
                                          double enough);

}  // namespace isthmus::linalg
