#pragma once

#include "methods/matching.h"

namespace isthmus {

/// Joint distribution adaptation: TCA that also brings the means of each class together, with target labels
/// from the round before.
///     M = C·M₀ + Σ_c M_c, (X M Xᵀ/‖M‖_F + λI) a = φ X H Xᵀ a, smallest φ
struct JdaOptions {
  MatchingOptions matching;
  RoundOptions rounds;
};

void describe(OptionVisitor& visit, JdaOptions& options);
ModelState fit_jda(const DomainPair& pair, JdaOptions options, const Context& context);

}  // namespace isthmus
