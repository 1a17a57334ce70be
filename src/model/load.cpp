#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "io/bounded_json.h"
#include "io/safetensors_header.h"
#include "isthmus/errors.h"
#include "isthmus/model.h"
#include "isthmus/version.h"
#include "model/format.h"
#include "model/report_json.h"
#include "model/state.h"

namespace isthmus {
namespace {

using nlohmann::json;

constexpr std::int64_t kMaxInt = std::numeric_limits<int>::max();
constexpr std::int64_t kMaxPreparationSteps = 1000;
/// Our descriptions have 5 levels; each costs stack when JSON is handed around.
constexpr int kMaxDepth = 16;

/// Takes the parts of a model out of its file, checking that they fit together.
class Reader {
 public:
  Reader(TensorFile file, std::string path) : file_(std::move(file)), path_(std::move(path)) {}

  Embedding embedding(const std::string& prefix, const json& description) {
    Embedding result;
    result.unit_columns = description.at("unit_columns").get<bool>();
    if (description.contains("kernel")) {
      const json& kernel = description.at("kernel");
      const auto kind = whole(kernel, "kind", 0, static_cast<int>(Kernel::Polynomial));
      result.kernel =
          KernelMap{static_cast<Kernel>(kind), positive(kernel, "width"),
                    static_cast<int>(whole(kernel, "degree", 1, kMaxInt)), matrix(prefix + "landmarks")};
      if (result.kernel->landmarks.size() == 0) fail("a kernel without landmarks");
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
    if (kind == "logistic") return logistic(prefix, class_count);
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
      if (positions[i] < -1 || positions[i] > kMaxInt) fail("an explanation out of range");
      target.explained_by.data()[i] = static_cast<int>(positions[i]);
    }
  }

  /// A whole number; a fraction or what is beyond 64 bits must not be squeezed into one.
  std::int64_t whole(const json& description, const char* key, std::int64_t low, std::int64_t high) const {
    const json& value = description.at(key);
    const bool fits = value.is_number_integer() &&
                      (!value.is_number_unsigned() ||
                       value.get<std::uint64_t>() <= std::uint64_t{std::numeric_limits<std::int64_t>::max()});
    if (!fits || value.get<std::int64_t>() < low || value.get<std::int64_t>() > high)
      fail(fmt::format("{} for '{}' (from {} to {} is expected)", value.dump(), key, low, high));
    return value.get<std::int64_t>();
  }

  double positive(const json& description, const char* key) const {
    const double value = description.at(key).get<double>();
    if (!(value > 0)) fail(fmt::format("{} for '{}' (above 0 is expected)", value, key));
    return value;
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw IoError(
        fmt::format("{}: not a usable model: it holds {}; fit and save the model again", path_, what));
  }

 private:
  NearestReference nearest(const std::string& prefix, const json& description, int class_count) {
    NearestReference result{matrix(prefix + "references"), class_ids(prefix + "labels", class_count),
                            positive(description, "bandwidth")};
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

  LogisticScores logistic(const std::string& prefix, int class_count) {
    LogisticScores result{matrix(prefix + "weights"), {}};
    const Matrix offsets = matrix(prefix + "offsets");
    if (result.weights.cols() != class_count || offsets.rows() != class_count || offsets.cols() != 1) {
      fail("logistic weights or offsets of another number of classes");
    }
    result.offsets = offsets;
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
    if (local_scale.minCoeff() < 0) fail("a negative scale of a graph vertex");
    result.neighbours = static_cast<int>(whole(description, "neighbours", 1, kMaxInt));
    result.local_scale_rank = static_cast<int>(whole(description, "local_scale_rank", 1, kMaxInt));
    result.rank_decay = positive(description, "rank_decay");
    return result;
  }

  TensorFile file_;
  std::string path_;
};

/// The format's number; 0 for what is none.
int parse_format_version(const std::string& text) {
  int version = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), version);
  return error == std::errc() && end == text.data() + text.size() ? version : 0;
}

/// Throws when the file is not what was written. A file of the first format has no checksum.
void check_content(const TensorFile& file, int format, const std::string& path) {
  const auto checksum = file.metadata.find(kChecksumKey);
  const bool present = checksum != file.metadata.end();
  if (present ? checksum->second == content_checksum(file) : format < kFirstFormatWithChecksum) return;
  throw IoError(fmt::format("{}: the model is damaged: its checksum {}; copy or save the file again", path,
                            present ? "does not fit its content" : "is missing"));
}

/// Features that a classifier expects.
struct ExpectedSize {
  Index operator()(const NearestReference& nearest) const { return nearest.references.rows(); }
  Index operator()(const LinearScores& linear) const { return linear.weights.rows(); }
  Index operator()(const LogisticScores& logistic) const { return logistic.weights.rows(); }
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
    if (size < 1) reader.fail("an embedding of dimension 0");
    if (embedding.offset.size() > 0 && embedding.offset.size() != size)
      reader.fail("an offset of another dimension");
    return size;
  };
  for (const Matrix& statistics : state.preprocessing.statistics()) {
    if (statistics.size() > 0 && statistics.rows() != state.dimension)
      reader.fail("statistics of another dimension");
  }
  if (!state.feature_names.empty() && static_cast<Index>(state.feature_names.size()) != state.dimension)
    reader.fail("features without a name each");
  if (state.classes.size() < 1) reader.fail("no class");
  if (state.source_embedding) embedded_size(*state.source_embedding);
  if (state.branches.empty()) reader.fail("no classifier");
  for (const Branch& branch : state.branches) {
    const Index size = embedded_size(branch.embedding);
    for (const auto& [classifier, weight] : branch.classifiers) {
      if (std::visit(ExpectedSize{}, classifier) != size) reader.fail("a classifier of another dimension");
    }
  }
}

/// The labels of the fitted target, and what was said of each.
void check_target(const ModelState& state, const Reader& reader) {
  const Prediction& target = state.target;
  const auto count = static_cast<Index>(target.labels.size());
  if (target.probabilities.cols() != count ||
      (count > 0 && target.probabilities.rows() != state.classes.size()))
    reader.fail("target labels without the probability of each class");
  if (target.outlier_scores.size() > 0 && target.outlier_scores.size() != count)
    reader.fail("target labels without an outlier score each");
  if (target.explanation_weights.size() > 0 && target.explanation_weights.cols() != count)
    reader.fail("target labels without an explanation each");
}

bool same(const Embedding& a, const Embedding& b) {
  const auto equal = [](const Matrix& x, const Matrix& y) {
    return x.rows() == y.rows() && x.cols() == y.cols() && x == y;
  };
  return !a.kernel && !b.kernel && a.unit_columns == b.unit_columns && equal(a.projection, b.projection) &&
         equal(a.offset, b.offset);
}

/// Classifiers and how much each says. One without an embedding has that of the one before; files before
/// format 3 wrote it again.
std::vector<Branch> read_branches(Reader& reader, const json& descriptions, int class_count) {
  std::vector<Branch> branches;
  double total = 0;
  for (std::size_t i = 0; i < descriptions.size(); ++i) {
    const std::string prefix = fmt::format("branch.{}.", i);
    const json& description = descriptions[i];
    if (description.contains("embedding")) {
      Embedding embedding = reader.embedding(prefix, description.at("embedding"));
      if (i == 0 || !same(embedding, branches.back().embedding)) branches.emplace_back(std::move(embedding));
    }
    if (branches.empty()) reader.fail("a classifier without an embedding");
    const auto weight = description.at("weight").get<double>();
    if (!(weight >= 0)) reader.fail("a negative weight of a classifier");
    branches.back().classifiers.push_back(
        {reader.classifier(prefix, description.at("classifier"), class_count), weight});
    total += weight;
  }
  if (!std::isfinite(total) || !(total > 0)) reader.fail("classifiers of no weight");
  return branches;
}

/// Files without requested options wrote 0, or a negative weight, for what was left to the method.
void name_automatic(const std::string& method, OptionMap& options) {
  static const std::set<std::string_view> zero{"bandwidth", "components", "growth",     "lambda1",
                                               "lambda2",   "neighbours", "prototypes", "rank",
                                               "rounds",    "subspace",   "width"};
  for (auto& [name, text] : options) {
    const bool automatic = text == "0" ? zero.contains(name) || (name == "lambda" && method == "rsa-cdda")
                                       : text.starts_with('-') && (name == "geo" || name == "z_weight");
    if (automatic) text = kAutomatic;
  }
}

ModelState read_state(TensorFile file, const std::string& path) {
  const auto description = parse_json<json>(file.metadata.at(kModelKey),
                                            path + ": not a usable model: its description", kMaxDepth);
  Reader reader(std::move(file), path);
  ModelState state;
  state.method = description.at("method").get<std::string>();
  state.options = description.at("options").get<OptionMap>();
  if (description.contains("requested_options")) {
    state.requested = description.at("requested_options").get<OptionMap>();
  } else {
    name_automatic(state.method, state.options);
    state.requested = state.options;
  }
  // An option of earlier versions: the record of what was used keeps it, a fit with the same options cannot.
  state.requested.erase("search");
  state.classes = ClassNames(description.at("classes").get<std::vector<std::string>>());
  state.dimension = reader.whole(description, "dimension", 1, std::numeric_limits<Index>::max());
  if (description.contains("feature_names"))
    state.feature_names = description.at("feature_names").get<std::vector<std::string>>();
  state.report = report_from_json(description.at("report"));
  const int class_count = state.classes.size();

  std::vector<Matrix> statistics;
  const std::int64_t steps = reader.whole(description, "preprocessing_steps", 0, kMaxPreparationSteps);
  for (std::int64_t i = 0; i < steps; ++i) {
    statistics.push_back(reader.matrix(fmt::format("preprocessing.{}", i)));
  }
  state.preprocessing =
      Preprocessing::restore(description.at("preprocessing").get<std::string>(), std::move(statistics));
  state.branches = read_branches(reader, description.at("branches"), class_count);
  state.temperature = description.value("temperature", 0.0);
  if (!(state.temperature >= 0)) reader.fail("a negative temperature");
  if (description.contains("source_embedding")) {
    state.source_embedding = reader.embedding("source.", description.at("source_embedding"));
  }
  state.target.labels = reader.class_ids("target.labels", class_count);
  state.target.probabilities = reader.matrix("target.probabilities");
  const Matrix outliers = reader.matrix("target.outlier_scores");
  if (outliers.size() > 0) {
    if (outliers.cols() != 1) reader.fail("outlier scores that are no vector");
    state.target.outlier_scores = outliers;
  }
  reader.explanations(state.target);
  check_shapes(state, reader);
  check_target(state, reader);
  return state;
}

Model read_model(const InputFile& input) {
  const std::string path = input.path().string();
  if (!begins_like_safetensors(input)) {
    throw IoError(
        fmt::format("{}: no Isthmus model, and no safetensors file at all; expected one written by `isthmus "
                    "adapt --model`",
                    path));
  }
  TensorFile file = read_tensor_file(input);
  const auto format = file.metadata.find("isthmus_format_version");
  if (format == file.metadata.end() || !file.metadata.contains(kModelKey)) {
    throw IoError(fmt::format(
        "{}: a safetensors file, but no Isthmus model; expected one written by `isthmus adapt --model`",
        path));
  }
  const int found = parse_format_version(format->second);
  if (found < 1 || found > kFormatVersion) {
    throw IoError(
        fmt::format("{}: model format {} but this program (version {}) reads 1 … {}; use a newer Isthmus",
                    path, format->second, version(), kFormatVersion));
  }
  check_content(file, found, path);
  try {
    return Model(std::make_shared<ModelState>(read_state(std::move(file), path)));
  } catch (const json::exception& error) {
    throw IoError(fmt::format("{}: not a usable model: its description is damaged ({})", path, error.what()));
  } catch (const InvalidArgument& error) {
    throw IoError(fmt::format("{}: not a usable model: {}", path, error.what()));
  }
}

}  // namespace

Model Model::load(const std::filesystem::path& path) {
  return read_model(InputFile(path));
}

Model Model::from_bytes(std::string_view bytes) {
  return read_model(InputFile(bytes, "the bytes of a model"));
}

}  // namespace isthmus
