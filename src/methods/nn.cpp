#include "methods/nn.h"

namespace isthmus {

void describe(OptionVisitor& /*visit*/, NnOptions& /*options*/) {}

ModelState fit_nn(const DomainPair& pair, NnOptions /*options*/, const Context& context) {
  const Columns target = pair.target().view();
  NearestReference classifier = make_nearest(pair.source().view(), pair.source_labels(), target, context);
  return make_state({}, std::move(classifier), target, pair.class_count(), context);
}

}  // namespace isthmus
