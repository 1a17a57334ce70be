#pragma once

#include <optional>
#include <vector>

#include "classify/classifier.h"
#include "isthmus/context.h"
#include "isthmus/domain.h"
#include "isthmus/options.h"
#include "methods/logistic.h"
#include "model/state.h"

namespace isthmus {

/// What target samples are compared with.
enum class Reference {
  Samples,     ///< every source sample: 1-NN as published, ns·nt comparisons
  Means,       ///< the mean of each class in the embedding: C·nt comparisons
  Prototypes,  ///< 1-NN against a few source samples of each class
  Logistic,    ///< nothing: logistic regression on the source
};

struct ReferenceOptions {
  Reference classifier = Reference::Samples;
  int prototypes = 1000;  ///< 1-NN then costs as much as 1000 classes
  LogisticOptions logistic{};
};
void describe_references(OptionVisitor& visit, ReferenceOptions& options);

/// Labels by the source samples, or what stands for them, in embeddings that change from round to round.
/// Embeds the target in blocks: nothing of size k×n is held of it.
class SourceReferences {
 public:
  SourceReferences(const DomainPair& pair, const ReferenceOptions& options, const Context& context);

  /// The classifier in an embedding of `source` (the pair's source, or features of it in the same order).
  Classifier embed(const Embedding& embedding, SampleView source);
  /// Labels of `samples`.
  std::vector<int> label(const Embedding& embedding, const Classifier& classifier, SampleView samples);
  /// The ridge of logistic regression, given or chosen in the first embedding; nothing with references.
  std::optional<double> ridge() const;
  /// Sets the bandwidth of references by `samples` and gives their class scores (C×m).
  Matrix score(const Embedding& embedding, Classifier& classifier, SampleView samples,
               const Execution& run) const;

 private:
  NearestReference references(const Embedding& embedding, SampleView source) const;
  Matrix class_means(const Embedding& embedding, SampleView source) const;

  Reference kind_;
  std::vector<int> labels_;        ///< of all source samples
  std::vector<Index> prototypes_;  ///< chosen source samples, for Prototypes
  LogisticOptions logistic_;
  int class_count_;
  Context context_;  ///< without reports
};

}  // namespace isthmus
