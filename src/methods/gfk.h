#pragma once

#include <optional>

#include "isthmus/context.h"
#include "isthmus/domain.h"
#include "isthmus/options.h"
#include "methods/source_state.h"
#include "model/state.h"

namespace isthmus {

/// Geodesic flow kernel (Gong, Shi, Sha, Grauman, CVPR 2012): the PCA subspaces of source and target are two
/// points of the Grassmann manifold, and samples are compared by their projections on all subspaces along the
/// geodesic between them, integrated in closed form from the principal angles θ_i.
///
/// With principal vectors a_i (source) and r_i (the part of the target's outside the source subspace), x =
/// 2θ_i,
///     G = Σ_i [a_i r_i] · ½ [[1 + sin x / x, (1 − cos x)/x], [(1 − cos x)/x, 1 − sin x / x]] · [a_i r_i]ᵀ =
///     L Lᵀ,
/// so 1-NN in the metric G is Euclidean 1-NN on Lᵀx, with L of size d×2q: no d×d matrix, no complement.
struct GfkOptions {
  /// q. Own: by the subspace disagreement measure, which needs no labels; published: 10, 20 or 100.
  std::optional<int> subspace = {};
  ReferenceOptions classifier{};
};

void describe(OptionVisitor& visit, GfkOptions& options);
ModelState fit_gfk(const DomainPair& pair, GfkOptions options, const Context& context);

}  // namespace isthmus
