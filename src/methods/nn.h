#pragma once

#include "isthmus/context.h"
#include "isthmus/domain.h"
#include "isthmus/methods.h"
#include "model/state.h"

namespace isthmus {

ModelState fit_nn(const DomainPair& pair, NnOptions options, const Context& context);

}  // namespace isthmus
