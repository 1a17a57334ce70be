#pragma once

#include "isthmus/methods.h"
#include "methods/matching.h"

namespace isthmus {

ModelState fit_jda(const DomainPair& pair, JdaOptions options, const Context& context);

}  // namespace isthmus
