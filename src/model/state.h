#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "classify/classifier.h"
#include "domain/kernel.h"
#include "isthmus/domain.h"
#include "isthmus/execution.h"
#include "isthmus/model.h"

namespace isthmus {

/// x ↦ Pᵀφ(x) + b, then unit length if asked; φ is the identity or a kernel map.
struct Embedding {
  std::optional<KernelMap> kernel;
  Matrix projection;  ///< P, d×k (or m×k after a kernel map); 0×0 is the identity
  Vector offset;      ///< b, k; empty is zero
  bool unit_columns = false;

  /// Of the embedding of samples with so many features.
  Index dimension(Index features) const;
  /// Prepared samples (d×m) into the embedding (k×m).
  Matrix apply(SampleView samples, const Execution& run) const;
};

struct WeightedClassifier {
  Classifier classifier;
  double weight = 1.0;
};

/// One embedding and what classifies in it. A model adds up the scores of all its classifiers by their
/// weights.
struct Branch {
  explicit Branch(Embedding map) : embedding(std::move(map)) {}
  Branch(Embedding map, Classifier classifier, double weight)
      : embedding(std::move(map)), classifiers{{std::move(classifier), weight}} {}

  Embedding embedding;
  std::vector<WeightedClassifier> classifiers;  ///< at least one
};

/// What a Model holds. A method fills in everything from `options` on; `adapt` the rest.
struct ModelState {
  std::string method;
  OptionMap requested;  ///< every option as asked for, "auto" where it was left to the method
  ClassNames classes;
  Preprocessing preprocessing;
  Index dimension = 0;
  std::vector<std::string> feature_names;  ///< empty: unknown

  OptionMap options;  ///< every option with the value used; "auto" for what had no use
  Report report;
  Prediction target;
  std::vector<Branch> branches;  ///< at least one; the first one's embedding is `transform`
  /// Above 0, probabilities are the softmax of the branches' mean scores / temperature (same labels).
  double temperature = 0.0;
  std::optional<Embedding> source_embedding;  ///< where source samples are embedded otherwise (SA, CORAL)
};

/// Columns to exp(score/temperature), divided by their sums.
void sharpen(Eigen::Ref<Matrix> scores, double temperature);

/// The state of a model with one branch: embeds nothing itself, labels the target by the classifier.
/// `target_embedded` are the fitted target samples in the embedding.
ModelState make_state(Embedding embedding, Classifier classifier, MatrixView target_embedded, int class_count,
                      const Execution& run);

/// What the branches say of prepared samples, read block by block; each block is told. For a fit that has
/// read only some of the samples and needs the labels of all, stopped or not: by an unstoppable context.
Prediction predict_prepared(const ModelState& state, const SampleView& samples, int class_count,
                            const Execution& run);

}  // namespace isthmus
