#pragma once

#include "domain/feature_space.h"
#include "domain/matched_subspace.h"
#include "isthmus/context.h"
#include "isthmus/domain.h"
#include "isthmus/methods.h"
#include "isthmus/options.h"
#include "methods/source_references.h"
#include "model/state.h"

namespace isthmus {

void describe_matching(OptionVisitor& visit, MatchingOptions& options);

void describe_rounds(OptionVisitor& visit, RoundOptions& options);
/// Plain: C·M₀ + ΣM_c (JDA). Balanced: (1 − μ)·C·M₀ + μ·ΣM_c (BDA).
ClosenessWeights closeness_weights(const RoundOptions& options, int class_count);

/// The loop of the family: subspace, embedding, target labels by the source, and again with these labels
/// until they are stable or the rounds are used up. The first round knows no labels and matches the marginals
/// only. `problem` says what is matched; its components, ridge and scaling come from the options, where what
/// is left to the method is filled in.
ModelState fit_matching(const DomainPair& pair, MatchingOptions& options, MatchingProblem problem, int rounds,
                        const Context& context);

}  // namespace isthmus
