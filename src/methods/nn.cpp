#include "methods/nn.h"

namespace isthmus {

void describe(OptionVisitor& /*visit*/, NnOptions& /*options*/) {}

ModelState fit_nn(const DomainPair& pair, const NnOptions& /*options*/, const Context& context) {
  NearestReference classifier =
      make_nearest(pair.source(), pair.source_labels(), pair.target(), context.threads);
  return make_state({}, std::move(classifier), pair.target(), pair.class_count(), context.threads);
}

}  // namespace isthmus
