#pragma once

#include "isthmus/context.h"
#include "isthmus/domain.h"
#include "isthmus/options.h"
#include "model/state.h"

namespace isthmus {

/// 1-NN on the prepared features: no adaptation, the floor every method is measured from.
struct NnOptions {};

void describe(OptionVisitor& visit, NnOptions& options);
ModelState fit_nn(const DomainPair& pair, NnOptions options, const Context& context);

}  // namespace isthmus
