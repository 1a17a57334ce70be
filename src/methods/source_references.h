#pragma once

#include <optional>
#include <vector>

#include "classify/classifier.h"
#include "isthmus/context.h"
#include "isthmus/domain.h"
#include "isthmus/methods.h"
#include "isthmus/options.h"
#include "methods/logistic.h"
#include "model/state.h"

namespace isthmus {

void describe_references(OptionVisitor& visit, ReferenceOptions& options);
/// All but `prototypes`, for methods that have another option of that name.
void describe_classifier(OptionVisitor& visit, ReferenceOptions& options);

/// Searches for the nearest source sample of every target sample, one a round.
struct Searches {
  Index source;
  Index target;
  Index dimension;  ///< of the embedding
  int rounds;
};

/// With how many source samples 1-NN compares the target in one to two minutes on two cores, at least 1000 or
/// all there are. Counts decide, not a clock: labels are the same on every machine.
Index affordable_references(const Searches& searches);

/// Fills in what `options` leave open. Where that is not 1-NN as published, a note says so.
void choose_references(ReferenceOptions& options, const Searches& searches, Report& report);

/// Labels by the source samples, or what stands for them, in embeddings that change from round to round.
/// Embeds the target in blocks: nothing of size k×n is held of it.
class SourceReferences {
 public:
  /// `options` leave nothing open.
  SourceReferences(const DomainPair& pair, const ReferenceOptions& options, const Context& context);

  /// The classifier in an embedding of `source` (the pair's source, or features of it in the same order).
  /// `context` hears of the steps of logistic regression.
  Classifier embed(const Embedding& embedding, SampleView source, const Context& context);
  /// Labels of `samples`.
  std::vector<int> label(const Embedding& embedding, const Classifier& classifier, SampleView samples,
                         const Execution& run) const;
  /// The ridge of logistic regression, given or chosen in the first embedding; nothing with references.
  std::optional<double> ridge() const;
  /// Sets the bandwidth of references by `samples` and gives their class scores (C×m).
  Matrix score(const Embedding& embedding, Classifier& classifier, SampleView samples,
               const Execution& run) const;

 private:
  NearestReference references(const Embedding& embedding, SampleView source, const Execution& run) const;
  Matrix class_means(const Embedding& embedding, SampleView source, const Execution& run) const;

  Reference kind_;
  std::vector<int> labels_;        ///< of all source samples
  std::vector<Index> prototypes_;  ///< chosen source samples, for Prototypes
  LogisticOptions logistic_;
  int class_count_;
};

}  // namespace isthmus
