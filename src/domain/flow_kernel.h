#pragma once

#include "linalg/subspace.h"

namespace isthmus {

/// The geodesic flow kernel of Gong, Shi, Sha, Grauman 2012, G = ∫₀¹ Φ(t)Φ(t)ᵀ dt along the geodesic Φ
/// between two subspaces, by its factor L, d×2q, with G = L Lᵀ: no d×d matrix.
Matrix flow_kernel_factor(const linalg::PrincipalAngles& flow);

}  // namespace isthmus
