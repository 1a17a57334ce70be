#pragma once

#include <optional>

#include "isthmus/context.h"
#include "isthmus/domain.h"
#include "isthmus/options.h"
#include "methods/source_state.h"
#include "model/state.h"

namespace isthmus {

/// Subspace alignment (Fernando, Habrard, Sebban, Tuytelaars, ICCV 2013): the source's PCA basis P_s is
/// turned towards the target's P_t by the linear map M = P_sᵀP_t that minimises ‖P_s M − P_t‖_F. Source
/// samples are embedded by (P_s P_sᵀ P_t)ᵀ(x − m_s), target samples by P_tᵀ(x − m_t), each about its own
/// domain's mean.
struct SaOptions {
  std::optional<int> components = {};  ///< own: by the subspace disagreement measure, without labels
  ReferenceOptions classifier{};
};

void describe(OptionVisitor& visit, SaOptions& options);
ModelState fit_sa(const DomainPair& pair, SaOptions options, const Context& context);

}  // namespace isthmus
