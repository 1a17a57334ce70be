#include "methods/source_state.h"

namespace isthmus {

void describe_classifier(OptionVisitor& visit, SourceClassifierOptions& o) {
  visit.choice("classifier", o.classifier,
               {{"nn", SourceClassifier::Nearest}, {"logistic", SourceClassifier::Logistic}},
               "What labels the target in the embedding: the nearest source sample (nn, as published), or "
               "logistic regression on the source.");
  describe_as_classifier(visit, o.logistic);
}

ModelState labelled_by_source(const DomainPair& pair, SourceClassifierOptions& o, Embedding embedding,
                              std::optional<Embedding> source_embedding, Report report,
                              const Context& context) {
  ModelState state;
  {
    const PhaseTimer timer(report, "labels");
    const Matrix target = embedding.apply(pair.target(), context);
    Matrix source = (source_embedding ? *source_embedding : embedding).apply(pair.source(), context);
    Classifier classifier;
    if (o.classifier == SourceClassifier::Nearest) {
      classifier = make_nearest(std::move(source), pair.source_labels(), target, context);
    } else {
      classifier =
          fit_source_logistic(source, pair.source_labels(), pair.class_count(), o.logistic, context.quiet())
              .classifier;
      report.facts["classifier_ridge"] = *o.logistic.ridge;
    }
    state = make_state(std::move(embedding), std::move(classifier), target, pair.class_count(), context);
  }
  state.source_embedding = std::move(source_embedding);
  state.report = std::move(report);
  return state;
}

}  // namespace isthmus
