#pragma once

#include "isthmus/methods.h"
#include "methods/matching.h"

namespace isthmus {

ModelState fit_cdda(const DomainPair& pair, CddaOptions options, const Context& context);

}  // namespace isthmus
