#pragma once

#include "methods/rsa_cdda/rsa_cdda.h"

namespace isthmus {

/// Algorithm 1 of the paper with the least repairs that let it run: (a) the embedding of the indefinite form
/// with 1-NN labels, (b) one ALM step of Z, E and A a round, A last. `options` are resolved.
ModelState fit_printed(const DomainPair& pair, const RsaCddaOptions& options, const Context& context);

}  // namespace isthmus
