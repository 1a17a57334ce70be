#pragma once

#include "isthmus/context.h"
#include "isthmus/domain.h"
#include "isthmus/options.h"
#include "methods/source_state.h"
#include "model/state.h"

namespace isthmus {

/// Correlation alignment (Sun, Feng, Saenko, AAAI 2016): the source is whitened by its own covariance and
/// recoloured with the target's,
///     x ↦ A(x − m_s) + m_t,   A = (C_t + εI)^½ (C_s + εI)^−½,
/// so that both domains agree in mean and covariance; the target stays as it is. O(nd² + d³).
struct CoralOptions {
  double regularization = 1.0;  ///< ε as in the paper, for features of unit variance (zscore)
  ReferenceOptions classifier{};
};

void describe(OptionVisitor& visit, CoralOptions& options);
ModelState fit_coral(const DomainPair& pair, CoralOptions options, const Context& context);

}  // namespace isthmus
