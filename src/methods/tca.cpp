#include "methods/tca.h"

#include "core/options_io.h"

namespace isthmus {

void describe(OptionVisitor& visit, TcaOptions& o) {
  describe_matching(visit, o.matching);
}

ModelState fit_tca(const DomainPair& pair, TcaOptions o, const Context& context) {
  MatchingProblem problem;
  problem.closeness.conditional = 0.0;
  ModelState state = fit_matching(pair, o.matching, problem, 1, context);
  state.options = values_of(o);
  return state;
}

}  // namespace isthmus
