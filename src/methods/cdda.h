#pragma once

#include "methods/matching.h"

namespace isthmus {

/// Close yet discriminative domain adaptation: JDA that also pushes each class away from the other classes,
/// across the domains and within the source.
///     M_REP = Σ_c w_st·[s_c − t_¬c] + w_ts·[t_c − s_¬c] + w_ss·[s_c − s_¬c]
///     ratio:      (X H Xᵀ + X M_REP Xᵀ) a = ν (X M_C Xᵀ/‖M_C‖_F + λI) a, largest ν
///     algebraic:  (X (M_C − M_REP) Xᵀ/‖M_C − M_REP‖_F + λI) a = φ X H Xᵀ a, smallest φ
struct CddaOptions {
  MatchingOptions matching;
  RoundOptions rounds;
  RepulsionWeights repulsion;
  RepulsionForm form =
      RepulsionForm::Ratio;  ///< bounded; the printed form can move all variance to one domain
};

void describe(OptionVisitor& visit, CddaOptions& options);
ModelState fit_cdda(const DomainPair& pair, CddaOptions options, const Context& context);

}  // namespace isthmus
