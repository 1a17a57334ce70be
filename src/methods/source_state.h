#pragma once

#include <optional>

#include "core/options_io.h"
#include "isthmus/context.h"
#include "isthmus/domain.h"
#include "methods/source_references.h"
#include "model/state.h"

namespace isthmus {

/// The state of a model that labels target samples by the source in an embedding, one for both domains or
/// (`source_embedding`) one for each. Labels the pair's target, and adds the time to `report`. What `options`
/// leave to the classifier is filled in.
ModelState labelled_by_source(const DomainPair& pair, ReferenceOptions& options, Embedding embedding,
                              std::optional<Embedding> source_embedding, Report report,
                              const Context& context);

/// The same with a method's options, of which `classifier` is one part, as those that were used.
template <class Options>
ModelState source_state(const DomainPair& pair, Options& options, Embedding embedding,
                        std::optional<Embedding> source_embedding, Report report, const Context& context) {
  ModelState state = labelled_by_source(pair, options.classifier, std::move(embedding),
                                        std::move(source_embedding), std::move(report), context);
  state.options = values_of(options);
  return state;
}

}  // namespace isthmus
