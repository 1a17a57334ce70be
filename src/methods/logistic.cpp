#include "methods/logistic.h"

#include "classify/ridge_choice.h"
#include "core/options_io.h"

namespace isthmus {
namespace {

constexpr std::string_view kRidgeHelp =
    "Weight of ½‖W‖² against the summed losses of the source samples, in units of their mean squared "
    "distance from their mean. auto: chosen on the source by cross-validation.";
constexpr std::string_view kBalancedHelp =
    "Source classes weigh alike whatever their numbers: right where the target's shares of the classes are "
    "nearer to equal than to the source's.";

}  // namespace

void describe(OptionVisitor& visit, LogisticOptions& o) {
  visit.real("ridge", o.ridge, {.low = kAboveZero}, kRidgeHelp);
  visit.flag("balanced", o.balanced, kBalancedHelp);
}

void describe_as_classifier(OptionVisitor& visit, LogisticOptions& o) {
  visit.real("classifier_ridge", o.ridge, {.low = kAboveZero},
             "Of classifier = logistic. " + std::string(kRidgeHelp));
  visit.flag("balanced", o.balanced, "Of classifier = logistic. " + std::string(kBalancedHelp));
}

LogisticFit fit_source_logistic(const SampleView& source, const std::vector<int>& labels, int class_count,
                                LogisticOptions& o, const Context& context, WhenCancelled when_cancelled) {
  if (!o.ridge) o.ridge = choose_ridge(source, labels, class_count, o.balanced, context).ridge;
  const LogisticRegression regression(source, labels, class_count, context);
  return regression.fit({.ridge = *o.ridge * regression.spread(),
                         .weights = o.balanced ? regression.balanced_weights() : Vector(),
                         .when_cancelled = when_cancelled},
                        context);
}

ModelState fit_logistic(const DomainPair& pair, LogisticOptions o, const Context& context) {
  ModelState state;
  LogisticFit fit;
  {
    const PhaseTimer timer(state.report, "classifier");
    fit = fit_source_logistic(pair.source(), pair.source_labels(), pair.class_count(), o, context,
                              WhenCancelled::KeepLastStep);
  }
  state.report.iterations = fit.iterations;
  state.report.status = fit.status;
  state.report.facts["ridge"] = *o.ridge;
  state.report.facts["loss"] = fit.objective / static_cast<double>(pair.source_count());
  const PhaseTimer timer(state.report, "labels");
  state.target.probabilities = logistic_scores(fit.classifier, pair.target(), context.unstoppable());
  state.target.labels = largest_rows(state.target.probabilities);
  state.branches.push_back({{}, std::move(fit.classifier), 1.0});
  state.options = values_of(o);
  return state;
}

}  // namespace isthmus
