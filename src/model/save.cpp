#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "io/safetensors.h"
#include "isthmus/model.h"
#include "isthmus/version.h"
#include "model/format.h"
#include "model/report_json.h"
#include "model/state.h"

namespace isthmus {
namespace {

using nlohmann::json;

std::vector<std::int64_t> widen(const std::vector<int>& values) {
  return {values.begin(), values.end()};
}

/// Puts the parts of a model into a tensor file; numbers into tensors, the rest into one JSON description.
class Writer {
 public:
  TensorFile file;

  json embedding(const std::string& prefix, const Embedding& embedding) {
    json description{{"unit_columns", embedding.unit_columns}};
    if (embedding.kernel) {
      description["kernel"] = {{"kind", static_cast<int>(embedding.kernel->kernel)},
                               {"width", embedding.kernel->width},
                               {"degree", embedding.kernel->degree}};
      matrix(prefix + "landmarks", embedding.kernel->landmarks);
    }
    matrix(prefix + "projection", embedding.projection);
    matrix(prefix + "offset", embedding.offset);
    return description;
  }

  json classifier(const std::string& prefix, const NearestReference& nearest) {
    matrix(prefix + "references", nearest.references);
    file.integers[prefix + "labels"] = widen(nearest.labels);
    return {{"kind", "nearest"}, {"bandwidth", nearest.bandwidth}};
  }

  json classifier(const std::string& prefix, const LinearScores& linear) {
    matrix(prefix + "weights", linear.weights);
    return {{"kind", "linear"}};
  }

  json classifier(const std::string& prefix, const LogisticScores& logistic) {
    matrix(prefix + "weights", logistic.weights);
    matrix(prefix + "offsets", logistic.offsets);
    return {{"kind", "logistic"}};
  }

  json classifier(const std::string& prefix, const GraphScores& graph) {
    matrix(prefix + "references", graph.references);
    matrix(prefix + "scores", graph.scores);
    matrix(prefix + "local_scale", graph.local_scale);
    return {{"kind", "graph"},
            {"neighbours", graph.neighbours},
            {"local_scale_rank", graph.local_scale_rank},
            {"rank_decay", graph.rank_decay}};
  }

  void matrix(const std::string& name, const Matrix& values) {
    if (values.size() > 0) file.matrices[name] = values;
  }
};

/// A classifier each; the first one in an embedding has that too.
json write_branches(const std::vector<Branch>& branches, Writer& writer) {
  json descriptions = json::array();
  for (const Branch& branch : branches) {
    for (std::size_t i = 0; i < branch.classifiers.size(); ++i) {
      const auto& [classifier, weight] = branch.classifiers[i];
      const std::string prefix = fmt::format("branch.{}.", descriptions.size());
      json description{{"weight", weight}};
      if (i == 0) description["embedding"] = writer.embedding(prefix, branch.embedding);
      description["classifier"] =
          std::visit([&](const auto& kind) { return writer.classifier(prefix, kind); }, classifier);
      descriptions.push_back(std::move(description));
    }
  }
  return descriptions;
}

TensorFile write_state(const ModelState& state) {
  Writer writer;
  json branches = write_branches(state.branches, writer);
  const std::vector<Matrix> statistics = state.preprocessing.statistics();
  for (std::size_t i = 0; i < statistics.size(); ++i)
    writer.matrix(fmt::format("preprocessing.{}", i), statistics[i]);
  // The same fit gives the same file; how long it took is told by whoever ran it.
  Report untimed = state.report;
  untimed.seconds.clear();
  json description{{"method", state.method},
                   {"options", state.options},
                   {"requested_options", state.requested},
                   {"classes", state.classes.all()},
                   {"dimension", state.dimension},
                   {"report", to_json(untimed)},
                   {"preprocessing", state.preprocessing.to_string()},
                   {"preprocessing_steps", statistics.size()},
                   {"branches", std::move(branches)},
                   {"temperature", state.temperature}};
  if (!state.feature_names.empty()) description["feature_names"] = state.feature_names;
  if (state.source_embedding)
    description["source_embedding"] = writer.embedding("source.", *state.source_embedding);
  writer.file.integers["target.labels"] = widen(state.target.labels);
  writer.matrix("target.probabilities", state.target.probabilities);
  writer.matrix("target.outlier_scores", state.target.outlier_scores);
  writer.matrix("target.explanation_weights", state.target.explanation_weights);
  const Eigen::MatrixXi& explained_by = state.target.explained_by;
  if (explained_by.size() > 0) {
    writer.file.integers["target.explained_by"] = {explained_by.data(),
                                                   explained_by.data() + explained_by.size()};
  }
  writer.file.metadata = {{"format", "isthmus"},
                          {"isthmus_format_version", std::to_string(kFormatVersion)},
                          {"isthmus_version", version()},
                          {kModelKey, description.dump()}};
  writer.file.metadata[kChecksumKey] = content_checksum(writer.file);
  return std::move(writer.file);
}

}  // namespace

void Model::save(const std::filesystem::path& path) const {
  write_tensor_file(path, write_state(*state_));
}

std::string Model::to_bytes() const {
  return tensor_file_bytes(write_state(*state_));
}

}  // namespace isthmus
