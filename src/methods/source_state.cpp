#include "methods/source_state.h"

namespace isthmus {

ModelState labelled_by_source(const DomainPair& pair, ReferenceOptions& o, Embedding embedding,
                              std::optional<Embedding> source_embedding, Report report,
                              const Context& context) {
  ModelState state;
  {
    const PhaseTimer timer(report, "labels");
    const Matrix target = embedding.apply(pair.target(), context);
    choose_references(o, {pair.source_count(), pair.target_count(), target.rows(), 1}, report);
    SourceReferences references(pair, o, context);
    Classifier classifier =
        references.embed(source_embedding ? *source_embedding : embedding, pair.source(), context.quiet());
    if (auto* nearest = std::get_if<NearestReference>(&classifier)) {
      *nearest = make_nearest(std::move(nearest->references), std::move(nearest->labels), target, context);
    }
    if (references.ridge()) {
      o.logistic.ridge = references.ridge();
      report.facts["classifier_ridge"] = *o.logistic.ridge;
    }
    state = make_state(std::move(embedding), std::move(classifier), target, pair.class_count(), context);
  }
  state.source_embedding = std::move(source_embedding);
  state.report = std::move(report);
  return state;
}

}  // namespace isthmus
