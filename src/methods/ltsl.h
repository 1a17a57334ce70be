#pragma once

#include "isthmus/context.h"
#include "isthmus/domain.h"
#include "isthmus/methods.h"
#include "methods/source_state.h"
#include "model/state.h"

namespace isthmus {

ModelState fit_ltsl(const DomainPair& pair, LtslOptions options, const Context& context);

}  // namespace isthmus
