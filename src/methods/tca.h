#pragma once

#include "isthmus/methods.h"
#include "methods/matching.h"

namespace isthmus {

ModelState fit_tca(const DomainPair& pair, TcaOptions options, const Context& context);

}  // namespace isthmus
