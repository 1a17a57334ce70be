#pragma once

#include <optional>

#include "isthmus/context.h"
#include "isthmus/domain.h"
#include "model/state.h"

namespace isthmus {

/// The state of a model that labels target samples by the nearest source sample in an embedding, one for both
/// domains or (`source_embedding`) one for each. Labels the pair's target, and adds the time to `report`.
/// `options` are those that were used.
ModelState nearest_source_state(const DomainPair& pair, OptionMap options, Embedding embedding,
                                std::optional<Embedding> source_embedding, Report report,
                                const Context& context);

}  // namespace isthmus
