#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "data/safetensors.h"
#include "isthmus/errors.h"
#include "isthmus/model.h"
#include "isthmus/version.h"
#include "model/report_json.h"
#include "model/state.h"

namespace isthmus {
namespace {

using nlohmann::json;

// Raised when a reader of the older kind could not read the file. Files of every older number must load.
constexpr int kFormatVersion = 1;

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

/// Takes them out again, checking that they fit together.
class Reader {
 public:
  Reader(TensorFile file, std::string path) : file_(std::move(file)), path_(std::move(path)) {}

  Embedding embedding(const std::string& prefix, const json& description) {
    Embedding result;
    result.unit_columns = description.at("unit_columns").get<bool>();
    if (description.contains("kernel")) {
      const json& kernel = description.at("kernel");
      const int kind = kernel.at("kind").get<int>();
      if (kind < 0 || kind > static_cast<int>(Kernel::Polynomial)) fail("an unknown kernel");
      result.kernel = KernelMap{static_cast<Kernel>(kind), kernel.at("width").get<double>(),
                                kernel.at("degree").get<int>(), matrix(prefix + "landmarks")};
    }
    result.projection = matrix(prefix + "projection");
    if (file_.matrices.contains(prefix + "offset")) {
      const Matrix offset = matrix(prefix + "offset");
      if (offset.cols() != 1) fail("an offset that is no vector");
      result.offset = offset;
    }
    return result;
  }

  Classifier classifier(const std::string& prefix, const json& description, int class_count) {
    const auto kind = description.at("kind").get<std::string>();
    if (kind == "nearest") return nearest(prefix, description, class_count);
    if (kind == "linear") return linear(prefix, class_count);
    if (kind == "graph") return graph(prefix, description, class_count);
    fail(fmt::format("a classifier of kind '{}'", kind));
  }

  Matrix matrix(const std::string& name) {
    const auto at = file_.matrices.find(name);
    if (at == file_.matrices.end()) return {};
    if (!at->second.allFinite()) fail(fmt::format("NaN or infinite values in '{}'", name));
    return std::move(at->second);
  }

  std::vector<int> class_ids(const std::string& name, int class_count) {
    std::vector<int> ids;
    for (const std::int64_t id : file_.integers[name]) {
      if (id < 0 || id >= class_count)
        fail(fmt::format("class number {} in '{}' (of {} classes)", id, name, class_count));
      ids.push_back(static_cast<int>(id));
    }
    return ids;
  }

  /// Source samples and weights of each target sample, where the file has them.
  void explanations(Prediction& target) {
    target.explanation_weights = matrix("target.explanation_weights");
    const Matrix& weights = target.explanation_weights;
    const std::vector<std::int64_t>& positions = file_.integers["target.explained_by"];
    if (static_cast<Index>(positions.size()) != weights.size()) fail("explanations without a weight each");
    target.explained_by.resize(weights.rows(), weights.cols());
    for (std::size_t i = 0; i < positions.size(); ++i) {
      if (positions[i] < -1 || positions[i] > std::numeric_limits<int>::max())
        fail("an explanation out of range");
      target.explained_by.data()[i] = static_cast<int>(positions[i]);
    }
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw IoError(
        fmt::format("{}: not a usable model: it holds {}; fit and save the model again", path_, what));
  }

 private:
  NearestReference nearest(const std::string& prefix, const json& description, int class_count) {
    NearestReference result{matrix(prefix + "references"), class_ids(prefix + "labels", class_count),
                            description.at("bandwidth").get<double>()};
    if (static_cast<Index>(result.labels.size()) != result.references.cols() || result.labels.empty()) {
      fail("references without a label each");
    }
    return result;
  }

  LinearScores linear(const std::string& prefix, int class_count) {
    LinearScores result{matrix(prefix + "weights")};
    if (result.weights.cols() != class_count) fail("linear weights of another number of classes");
    return result;
  }

  GraphScores graph(const std::string& prefix, const json& description, int class_count) {
    GraphScores result;
    result.references = matrix(prefix + "references");
    result.scores = matrix(prefix + "scores");
    const Matrix local_scale = matrix(prefix + "local_scale");
    const Index count = result.references.cols();
    if (count == 0 || result.scores.rows() != class_count || result.scores.cols() != count ||
        local_scale.rows() != count || local_scale.cols() != 1) {
      fail("graph vertices without scores and a scale each");
    }
    result.local_scale = local_scale;
    result.neighbours = description.at("neighbours").get<int>();
    result.local_scale_rank = description.at("local_scale_rank").get<int>();
    result.rank_decay = description.at("rank_decay").get<double>();
    if (result.neighbours < 1 || result.local_scale_rank < 1 || !(result.rank_decay > 0)) {
      fail("graph settings that are not positive");
    }
    return result;
  }

  TensorFile file_;
  std::string path_;
};

/// Features that a classifier expects.
struct ExpectedSize {
  Index operator()(const NearestReference& nearest) const { return nearest.references.rows(); }
  Index operator()(const LinearScores& linear) const { return linear.weights.rows(); }
  Index operator()(const GraphScores& graph) const { return graph.references.rows(); }
};

/// Every embedding must take what the preparation gives and hand its classifier what that expects.
void check_shapes(const ModelState& state, const Reader& reader) {
  const auto embedded_size = [&](const Embedding& embedding) {
    Index size = state.dimension;
    if (embedding.kernel) {
      if (embedding.kernel->landmarks.rows() != size) reader.fail("landmarks of another dimension");
      size = embedding.kernel->landmarks.cols();
    }
    if (embedding.projection.size() > 0) {
      if (embedding.projection.rows() != size) reader.fail("a projection of another dimension");
      size = embedding.projection.cols();
    }
    if (embedding.offset.size() > 0 && embedding.offset.size() != size)
      reader.fail("an offset of another dimension");
    return size;
  };
  for (const Matrix& statistics : state.preprocessing.statistics()) {
    if (statistics.size() > 0 && statistics.rows() != state.dimension)
      reader.fail("statistics of another dimension");
  }
  if (state.source_embedding) embedded_size(*state.source_embedding);
  if (state.branches.empty()) reader.fail("no classifier");
  for (const Branch& branch : state.branches) {
    if (std::visit(ExpectedSize{}, branch.classifier) != embedded_size(branch.embedding)) {
      reader.fail("a classifier of another dimension");
    }
  }
}

ModelState read_state(TensorFile file, const std::string& path) {
  const json description = json::parse(file.metadata.at("isthmus_model"));
  Reader reader(std::move(file), path);
  ModelState state;
  state.method = description.at("method").get<std::string>();
  state.options = description.at("options").get<OptionMap>();
  state.classes = ClassNames(description.at("classes").get<std::vector<std::string>>());
  state.dimension = description.at("dimension").get<Index>();
  state.report = report_from_json(description.at("report"));
  const int class_count = state.classes.size();

  std::vector<Matrix> statistics;
  for (std::size_t i = 0; i < description.at("preprocessing_steps").get<std::size_t>(); ++i) {
    if (i > 1000) reader.fail("more than 1000 preparation steps");
    statistics.push_back(reader.matrix(fmt::format("preprocessing.{}", i)));
  }
  state.preprocessing =
      Preprocessing::restore(description.at("preprocessing").get<std::string>(), std::move(statistics));
  const json& branches = description.at("branches");
  for (std::size_t i = 0; i < branches.size(); ++i) {
    const std::string prefix = fmt::format("branch.{}.", i);
    state.branches.push_back({reader.embedding(prefix, branches[i].at("embedding")),
                              reader.classifier(prefix, branches[i].at("classifier"), class_count),
                              branches[i].at("weight").get<double>()});
  }
  state.temperature = description.value("temperature", 0.0);
  if (description.contains("source_embedding")) {
    state.source_embedding = reader.embedding("source.", description.at("source_embedding"));
  }
  state.target.labels = reader.class_ids("target.labels", class_count);
  state.target.probabilities = reader.matrix("target.probabilities");
  const Matrix outliers = reader.matrix("target.outlier_scores");
  if (outliers.size() > 0) state.target.outlier_scores = outliers.col(0);
  reader.explanations(state.target);
  check_shapes(state, reader);
  return state;
}

}  // namespace

void Model::save(const std::filesystem::path& path) const {
  const ModelState& state = *state_;
  Writer writer;
  json branches = json::array();
  for (std::size_t i = 0; i < state.branches.size(); ++i) {
    const std::string prefix = fmt::format("branch.{}.", i);
    const Branch& branch = state.branches[i];
    branches.push_back(
        {{"embedding", writer.embedding(prefix, branch.embedding)},
         {"classifier",
          std::visit([&](const auto& kind) { return writer.classifier(prefix, kind); }, branch.classifier)},
         {"weight", branch.weight}});
  }
  const std::vector<Matrix> statistics = state.preprocessing.statistics();
  for (std::size_t i = 0; i < statistics.size(); ++i)
    writer.matrix(fmt::format("preprocessing.{}", i), statistics[i]);
  json description{{"method", state.method},
                   {"options", state.options},
                   {"classes", state.classes.all()},
                   {"dimension", state.dimension},
                   {"report", to_json(state.report)},
                   {"preprocessing", state.preprocessing.to_string()},
                   {"preprocessing_steps", statistics.size()},
                   {"branches", branches},
                   {"temperature", state.temperature}};
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
                          {"isthmus_model", description.dump()}};
  write_tensor_file(path, writer.file);
}

Model Model::load(const std::filesystem::path& path) {
  TensorFile file = read_tensor_file(path);
  const auto format = file.metadata.find("isthmus_format_version");
  if (format == file.metadata.end() || !file.metadata.contains("isthmus_model")) {
    throw IoError(fmt::format(
        "{}: a safetensors file, but no Isthmus model; expected one written by `isthmus adapt --model`",
        path.string()));
  }
  if (const int found = std::atoi(format->second.c_str()); found < 1 || found > kFormatVersion) {
    throw IoError(
        fmt::format("{}: model format {} but this program (version {}) reads 1 … {}; use a newer Isthmus",
                    path.string(), format->second, version(), kFormatVersion));
  }
  try {
    return Model(std::make_shared<ModelState>(read_state(std::move(file), path.string())));
  } catch (const json::exception& error) {
    throw IoError(
        fmt::format("{}: not a usable model: its description is damaged ({})", path.string(), error.what()));
  } catch (const InvalidArgument& error) {
    throw IoError(fmt::format("{}: not a usable model: {}", path.string(), error.what()));
  }
}

}  // namespace isthmus
