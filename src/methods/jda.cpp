#include "methods/jda.h"

#include "core/options_io.h"

namespace isthmus {

void describe(OptionVisitor& visit, JdaOptions& o) {
  describe_matching(visit, o.matching);
  describe_rounds(visit, o.rounds);
}

ModelState fit_jda(const DomainPair& pair, JdaOptions o, const Context& context) {
  MatchingProblem problem;
  problem.closeness = closeness_weights(o.rounds, pair.class_count());
  ModelState state = fit_matching(pair, o.matching, problem, o.rounds.rounds, context);
  state.options = values_of(o);
  return state;
}

}  // namespace isthmus
