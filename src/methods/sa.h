#pragma once

#include "isthmus/context.h"
#include "isthmus/domain.h"
#include "isthmus/methods.h"
#include "methods/source_state.h"
#include "model/state.h"

namespace isthmus {

ModelState fit_sa(const DomainPair& pair, SaOptions options, const Context& context);

}  // namespace isthmus
