#include "methods/jda.h"

namespace isthmus {

void describe(OptionVisitor& visit, JdaOptions& o) {
  describe_matching(visit, o.matching);
  describe_rounds(visit, o.rounds);
}

ModelState fit_jda(const DomainPair& pair, const JdaOptions& o, const Context& context) {
  MatchingProblem problem;
  problem.closeness = closeness_weights(o.rounds, pair.class_count());
  return fit_matching(pair, o.matching, problem, o.rounds.rounds, context);
}

}  // namespace isthmus
