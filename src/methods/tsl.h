#pragma once

#include "domain/transfer_objective.h"
#include "isthmus/context.h"
#include "isthmus/domain.h"
#include "isthmus/methods.h"
#include "methods/source_state.h"
#include "model/state.h"

namespace isthmus {

ModelState fit_tsl(const DomainPair& pair, TslOptions options, const Context& context);

}  // namespace isthmus
