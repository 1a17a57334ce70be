#pragma once

#include <optional>

#include "isthmus/context.h"
#include "isthmus/domain.h"
#include "isthmus/options.h"
#include "methods/source_state.h"
#include "model/state.h"

namespace isthmus {

/// Principal components of both domains together, then 1-NN.
struct PcaOptions {
  std::optional<int> components = {};  ///< own: 100, as in the published comparison, or as many as there are
  ReferenceOptions classifier{};
};

void describe(OptionVisitor& visit, PcaOptions& options);
ModelState fit_pca(const DomainPair& pair, PcaOptions options, const Context& context);

}  // namespace isthmus
