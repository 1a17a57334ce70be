#pragma once

#include "methods/rsa_cdda/rsa_cdda.h"

namespace isthmus {

/// `geometry` and `corrected`: one alternation, or several that differ in λ, spectrum and components, run
/// side by side to their ends, their standardised scores added. `options` are resolved.
ModelState fit_alternations(const DomainPair& pair, const RsaCddaOptions& options, const Context& context);

}  // namespace isthmus
