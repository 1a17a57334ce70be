#pragma once

#include "methods/rsa_cdda/rsa_cdda.h"

namespace isthmus {

/// `geometry` mode for many samples, linear in their number: every run of the committee works on landmarks of
/// its own, drawn from both domains (the source class by class), and labels all other samples as `predict`
/// labels new ones. `options` are resolved, landmarks among them.
ModelState fit_landmarks(const DomainPair& pair, const RsaCddaOptions& options, const Context& context);

}  // namespace isthmus
