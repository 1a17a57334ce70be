#include "isthmus/model.h"

#include <fmt/format.h>

#include "isthmus/errors.h"
#include "linalg/blas.h"
#include "model/state.h"

namespace isthmus {
namespace {

/// Adds up the branches; a single 1-NN branch keeps the labels of its nearest references, which need not
/// be the largest score where two classes are equally near.
Prediction combine(const std::vector<Branch>& branches, const std::vector<Matrix>& embedded, int class_count,
                   int threads) {
  Prediction prediction;
  prediction.probabilities = Matrix::Zero(class_count, embedded.front().cols());
  double total = 0;
  for (std::size_t i = 0; i < branches.size(); ++i) {
    prediction.probabilities +=
        branches[i].weight * class_scores(branches[i].classifier, embedded[i], class_count, threads);
    total += branches[i].weight;
  }
  prediction.probabilities /= total;
  const auto* nearest = std::get_if<NearestReference>(&branches.front().classifier);
  prediction.labels = nearest != nullptr && branches.size() == 1
                          ? nearest_labels(*nearest, embedded.front(), threads)
                          : largest_rows(prediction.probabilities);
  return prediction;
}

void require_dimension(const MatrixView& samples, const ModelState& state) {
  if (samples.rows() != state.dimension) {
    throw InvalidArgument(fmt::format("the samples have {} features; the model was fitted on {}",
                                      samples.rows(), state.dimension));
  }
  if (!samples.allFinite()) {
    throw InvalidArgument(
        "the samples hold NaN or infinite values; remove those samples or fill the values in");
  }
}

Matrix prepare(const MatrixView& samples, const ModelState& state, Side side) {
  require_dimension(samples, state);
  Matrix prepared = samples;
  if (!state.preprocessing.empty()) state.preprocessing.apply(prepared, side);
  return prepared;
}

/// The samples in an embedding, or an error where their size does not allow it.
Matrix embed(const Embedding& embedding, const Matrix& prepared, const Context& context) {
  Matrix embedded = embedding.apply(prepared, context.threads);
  if (!embedded.allFinite()) {
    throw NumericalError(
        fmt::format("the embedding of the samples is not finite: their prepared values reach {:.3g} in "
                    "magnitude; scale them as the samples that the model was fitted on",
                    prepared.cwiseAbs().maxCoeff()));
  }
  return embedded;
}

}  // namespace

Vector Prediction::confidence() const {
  Vector values(static_cast<Index>(labels.size()));
  for (Index j = 0; j < values.size(); ++j) values[j] = probabilities(labels[static_cast<std::size_t>(j)], j);
  return values;
}

Matrix Embedding::apply(MatrixView samples, int threads) const {
  Matrix embedded = kernel ? kernel->evaluate(samples, threads) : Matrix();
  if (projection.size() > 0) {
    embedded = kernel ? linalg::multiply_transposed(projection, embedded, threads)
                      : linalg::multiply_transposed(projection, samples, threads);
  } else if (!kernel) {
    embedded = samples;
  }
  if (offset.size() > 0) embedded.colwise() += offset;
  if (unit_columns) linalg::normalize_columns(embedded);
  return embedded;
}

void sharpen(Eigen::Ref<Matrix> scores, double temperature) {
  for (Index j = 0; j < scores.cols(); ++j) {
    scores.col(j) = ((scores.col(j).array() - scores.col(j).maxCoeff()) / temperature).exp();
    scores.col(j) /= scores.col(j).sum();
  }
}

ModelState make_state(Embedding embedding, Classifier classifier, MatrixView target_embedded, int class_count,
                      int threads) {
  ModelState state;
  state.branches.push_back({std::move(embedding), std::move(classifier), 1.0});
  state.target = combine(state.branches, {target_embedded}, class_count, threads);
  return state;
}

const std::string& Model::method() const {
  return state_->method;
}
const OptionMap& Model::options() const {
  return state_->options;
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

Matrix Model::transform(MatrixView samples, Side side, const Context& context) const {
  const Matrix prepared = prepare(samples, *state_, side);
  const bool other_map = side == Side::Source && state_->source_embedding;
  const Embedding& embedding = other_map ? *state_->source_embedding : state_->branches.front().embedding;
  return embed(embedding, prepared, context);
}

Prediction Model::predict(MatrixView samples, const Context& context) const {
  if (samples.cols() == 0) {
    Prediction none;
    none.probabilities.resize(state_->classes.size(), 0);
    return none;
  }
  const Matrix prepared = prepare(samples, *state_, Side::Target);
  std::vector<Matrix> embedded;
  for (const Branch& branch : state_->branches) {
    embedded.push_back(embed(branch.embedding, prepared, context));
  }
  Prediction prediction = combine(state_->branches, embedded, state_->classes.size(), context.threads);
  if (state_->temperature > 0) sharpen(prediction.probabilities, state_->temperature);
  return prediction;
}

}  // namespace isthmus
