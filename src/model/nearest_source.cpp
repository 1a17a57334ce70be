#include "model/nearest_source.h"

namespace isthmus {

ModelState nearest_source_state(const DomainPair& pair, OptionMap options, Embedding embedding,
                                std::optional<Embedding> source_embedding, Report report,
                                const Context& context) {
  ModelState state;
  {
    const PhaseTimer timer(report, "labels");
    const Matrix target = embedding.apply(pair.target(), context.threads);
    const Embedding& for_source = source_embedding ? *source_embedding : embedding;
    NearestReference classifier = make_nearest(for_source.apply(pair.source(), context.threads),
                                               pair.source_labels(), target, context.threads);
    state =
        make_state(std::move(embedding), std::move(classifier), target, pair.class_count(), context.threads);
  }
  state.options = std::move(options);
  state.source_embedding = std::move(source_embedding);
  state.report = std::move(report);
  return state;
}

}  // namespace isthmus
