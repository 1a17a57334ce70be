#include "methods/cdda.h"

#include "core/options_io.h"

namespace isthmus {

void describe(OptionVisitor& visit, CddaOptions& o) {
  describe_matching(visit, o.matching);
  describe_rounds(visit, o.rounds);
  visit.choice("form", o.form, {{"ratio", RepulsionForm::Ratio}, {"algebraic", RepulsionForm::Algebraic}},
               "How closeness and repulsion are traded: repulsion counts as variance (ratio, bounded), or is "
               "subtracted from closeness as printed (algebraic, smallest algebraic eigenvalues).");
  visit.real(
      "repulsion_source_target", o.repulsion.source_target, {.low = 0.0},
      "Weight that pushes each source class away from the target's other classes. At weights 1 the three "
      "terms together weigh as much as the variance (ratio form).");
  visit.real("repulsion_target_source", o.repulsion.target_source, {.low = 0.0},
             "Weight that pushes each target class away from the source's other classes.");
  visit.real("repulsion_source_source", o.repulsion.source_source, {.low = 0.0},
             "Weight that pushes each source class away from the source's other classes.");
}

ModelState fit_cdda(const DomainPair& pair, CddaOptions o, const Context& context) {
  MatchingProblem problem;
  problem.closeness = closeness_weights(o.rounds, pair.class_count());
  problem.repulsion = o.repulsion;
  problem.form = o.form;
  ModelState state = fit_matching(pair, o.matching, problem, o.rounds.rounds, context);
  state.options = values_of(o);
  return state;
}

}  // namespace isthmus
