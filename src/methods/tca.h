#pragma once

#include "methods/matching.h"

namespace isthmus {

/// Transfer component analysis: the subspace that keeps variance while the domains' means fall together.
///     (X M₀ Xᵀ/‖M₀‖_F + λI) a = φ X H Xᵀ a, smallest φ
struct TcaOptions {
  MatchingOptions matching{.normalize_embedding = false};  ///< as published
};

void describe(OptionVisitor& visit, TcaOptions& options);
ModelState fit_tca(const DomainPair& pair, TcaOptions options, const Context& context);

}  // namespace isthmus
