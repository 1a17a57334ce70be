#include "isthmus/model.h"

#include <fmt/format.h>

#include <algorithm>

#include "classify/nearest.h"
#include "core/parallel.h"
#include "isthmus/errors.h"
#include "linalg/blas_memory.h"
#include "model/state.h"
#include "ops/operations.h"
#include "samples/summaries.h"

namespace isthmus {
namespace {

// Samples whose kernel values one task holds at once.
constexpr Index kEvaluatedAtOnce = 512;
// Samples whose features, embedding and scores are held at once when new samples are labelled.
constexpr Index kPredictedAtOnce = 4096;

/// Adds up what classifiers say of the same samples, one after the other.
class ScoreSum {
 public:
  ScoreSum(int class_count, Index samples) : scores_(Matrix::Zero(class_count, samples)) {}

  void add(const Branch& branch, MatrixView embedded, const Execution& run) {
    const auto class_count = static_cast<int>(scores_.rows());
    for (const auto& [classifier, weight] : branch.classifiers) {
      scores_ += weight * class_scores(classifier, embedded, class_count, run);
      total_ += weight;
    }
  }

  Prediction mean() && {
    Prediction prediction;
    prediction.probabilities = std::move(scores_);
    prediction.probabilities /= total_;
    prediction.labels = largest_rows(prediction.probabilities);
    return prediction;
  }

 private:
  Matrix scores_;
  double total_ = 0;
};

/// Labels samples by the branches; `embed` gives them in an embedding. A classifier by nearest references
/// that is alone keeps their labels, which need not be the largest score where two classes are equally near.
template <class Embed>
Prediction label(const std::vector<Branch>& branches, Index samples, int class_count, const Execution& run,
                 Embed&& embed) {
  const Branch& first = branches.front();
  const auto* nearest = std::get_if<NearestReference>(&first.classifiers.front().classifier);
  if (nearest != nullptr && branches.size() == 1 && first.classifiers.size() == 1) {
    Prediction prediction;
    NearestClasses found = nearest_classes(*nearest, embed(first.embedding), class_count, run);
    prediction.labels = std::move(found.labels);
    prediction.probabilities = std::move(found.scores);
    return prediction;
  }
  ScoreSum sum(class_count, samples);
  for (const Branch& branch : branches) sum.add(branch, embed(branch.embedding), run);
  return std::move(sum).mean();
}

/// Calls body(begin, prepared samples) for all samples in order, a block at a time.
template <class Body>
void prepare_in_blocks(const SampleView& samples, const ModelState& state, Side side, const Execution& run,
                       Body&& body) {
  linalg::reserve_blas_memory(run);
  if (samples.rows() != state.dimension) {
    throw InvalidArgument(fmt::format("the samples have {} features; the model was fitted on {}",
                                      samples.rows(), state.dimension));
  }
  for (Index begin = 0; begin < samples.cols(); begin += kPredictedAtOnce) {
    Matrix prepared = samples.columns(begin, std::min(kPredictedAtOnce, samples.cols() - begin));
    if (!prepared.allFinite()) {
      Extent extent(prepared.rows());
      extent.add(prepared, begin);
      extent.require_finite("input");
    }
    if (!state.preprocessing.empty()) state.preprocessing.apply(prepared, side, run, begin);
    body(begin, prepared);
  }
}

/// The samples in an embedding, or an error where their size does not allow it.
Matrix embed(const Embedding& embedding, const Matrix& prepared, const Execution& run) {
  Matrix embedded = embedding.apply(prepared, run);
  if (!embedded.allFinite()) {
    throw NumericalError(
        fmt::format("the embedding of the samples is not finite: their prepared values reach {:.3g} in "
                    "magnitude; scale them as the samples that the model was fitted on",
                    prepared.cwiseAbs().maxCoeff()));
  }
  return embedded;
}

/// Labels a block of prepared samples, the first of which has the number `begin`.
void predict_block(const ModelState& state, Index begin, const Matrix& prepared, const Execution& run,
                   Prediction& all) {
  const auto class_count = static_cast<int>(all.probabilities.rows());
  Prediction block = label(state.branches, prepared.cols(), class_count, run,
                           [&](const Embedding& embedding) { return embed(embedding, prepared, run); });
  if (state.temperature > 0) sharpen(block.probabilities, state.temperature);
  all.labels.insert(all.labels.end(), block.labels.begin(), block.labels.end());
  all.probabilities.middleCols(begin, prepared.cols()) = block.probabilities;
}

}  // namespace

Vector Prediction::confidence() const {
  Vector values(static_cast<Index>(labels.size()));
  for (Index j = 0; j < values.size(); ++j) values[j] = probabilities(labels[static_cast<std::size_t>(j)], j);
  return values;
}

Index Embedding::dimension(Index features) const {
  if (projection.size() > 0) return projection.cols();
  return kernel ? kernel->landmarks.cols() : features;
}

Matrix Embedding::apply(SampleView samples, const Execution& run) const {
  const ops::AffineMap map{projection, offset, unit_columns};
  Matrix embedded(dimension(samples.rows()), samples.cols());
  if (!kernel) {
    ops::embed(map, samples, run, embedded);
    return embedded;
  }
  parallel_ranges(run, samples.cols(), kEvaluatedAtOnce, [&](Index begin, Index length) {
    ops::embed(map, kernel->evaluate(samples.columns(begin, length), run.on(1)), run.on(1),
               embedded.middleCols(begin, length));
  });
  return embedded;
}

void sharpen(Eigen::Ref<Matrix> scores, double temperature) {
  for (Index j = 0; j < scores.cols(); ++j) {
    scores.col(j) = ((scores.col(j).array() - scores.col(j).maxCoeff()) / temperature).exp();
    scores.col(j) /= scores.col(j).sum();
  }
}

ModelState make_state(Embedding embedding, Classifier classifier, MatrixView target_embedded, int class_count,
                      const Execution& run) {
  ModelState state;
  state.branches.push_back({std::move(embedding), std::move(classifier), 1.0});
  state.target = label(state.branches, target_embedded.cols(), class_count, run,
                       [&](const Embedding&) { return target_embedded; });
  return state;
}

Prediction predict_prepared(const ModelState& state, const SampleView& samples, int class_count,
                            const Execution& run) {
  Prediction all;
  all.probabilities.resize(class_count, samples.cols());
  const auto blocks = static_cast<int>(block_count(samples.cols(), kPredictedAtOnce));
  for (int block = 0; block < blocks; ++block) {
    const Index begin = block * kPredictedAtOnce;
    const Index length = std::min(kPredictedAtOnce, samples.cols() - begin);
    predict_block(state, begin, samples.columns(begin, length), run, all);
    run.tell({.phase = "block", .done = block + 1, .of = blocks});
  }
  return all;
}

const std::string& Model::method() const {
  return state_->method;
}
const OptionMap& Model::options() const {
  return state_->options;
}
const OptionMap& Model::requested_options() const {
  return state_->requested;
}
const ClassNames& Model::classes() const {
  return state_->classes;
}
const Preprocessing& Model::preprocessing() const {
  return state_->preprocessing;
}
const Report& Model::report() const {
  return state_->report;
}
const Prediction& Model::target() const {
  return state_->target;
}
Index Model::dimension() const {
  return state_->dimension;
}

const std::vector<std::string>& Model::feature_names() const {
  return state_->feature_names;
}

Matrix Model::transform(Domain samples, Side side, const Context& context) const {
  match_features(samples, state_->feature_names, "input", "model");
  return transform(samples.features, side, context);
}

Prediction Model::predict(Domain samples, const Context& context) const {
  match_features(samples, state_->feature_names, "input", "model");
  return predict(samples.features, context);
}

Matrix Model::transform(SampleView samples, Side side, const Context& context) const {
  const bool other_map = side == Side::Source && state_->source_embedding;
  const Embedding& embedding = other_map ? *state_->source_embedding : state_->branches.front().embedding;
  Matrix transformed(embedding.dimension(samples.rows()), samples.cols());
  const Execution run = context;
  prepare_in_blocks(samples, *state_, side, run, [&](Index begin, const Matrix& prepared) {
    transformed.middleCols(begin, prepared.cols()) = embed(embedding, prepared, run);
  });
  return transformed;
}

Prediction Model::predict(SampleView samples, const Context& context) const {
  Prediction all;
  all.probabilities.resize(state_->classes.size(), samples.cols());
  const Execution run = context;
  prepare_in_blocks(samples, *state_, Side::Target, run, [&](Index begin, const Matrix& prepared) {
    predict_block(*state_, begin, prepared, run, all);
  });
  return all;
}

}  // namespace isthmus
