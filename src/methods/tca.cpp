#include "methods/tca.h"

namespace isthmus {

void describe(OptionVisitor& visit, TcaOptions& o) {
  describe_matching(visit, o.matching);
}

ModelState fit_tca(const DomainPair& pair, const TcaOptions& o, const Context& context) {
  MatchingProblem problem;
  problem.closeness.conditional = 0.0;
  return fit_matching(pair, o.matching, problem, 1, context);
}

}  // namespace isthmus
