#pragma once

#include "isthmus/context.h"
#include "isthmus/domain.h"
#include "isthmus/methods.h"
#include "model/state.h"

namespace isthmus {

ModelState fit_rsa_cdda(const DomainPair& pair, RsaCddaOptions options, const Context& context);

}  // namespace isthmus
