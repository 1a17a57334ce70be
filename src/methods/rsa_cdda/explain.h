#pragma once

#include "methods/rsa_cdda/alternation.h"

namespace isthmus {

/// Fills in what Z and E say about the target: the source samples that rebuild each target sample (largest
/// entries of Z's columns in magnitude) and its outlier score (norm of E's column).
void explain_target(RsaCddaAlternation& alternation, const RsaCddaOptions& options, const Context& context,
                    ModelState& state);

}  // namespace isthmus
