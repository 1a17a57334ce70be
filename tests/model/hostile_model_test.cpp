// Model files that are damaged, old, or made to do harm.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "isthmus/adapt.h"
#include "isthmus/errors.h"
#include "isthmus/model.h"
#include "model/format.h"
#include "model/state.h"
#include "scratch_folder.h"

namespace isthmus {
namespace {

using nlohmann::json;
using testing::file_bytes;
using testing::ScratchFolder;

Embedding projected() {
  Embedding embedding;
  embedding.projection = (Matrix(3, 2) << 1, 0, 0, 1, 1, 1).finished();
  embedding.offset = Vector::Ones(2);
  return embedding;
}

/// Every kind of classifier and embedding, in few bytes.
ModelState small_state() {
  ModelState state;
  state.method = "jda";
  state.options = {{"components", "2"}};
  state.classes = ClassNames({"cat", "dog"});
  state.dimension = 3;
  state.preprocessing =
      Preprocessing::restore("zscore", {(Matrix(3, 4) << 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1).finished()});
  state.report.series["objective"] = {2.0, 1.0};
  const Matrix points = (Matrix(2, 3) << 1, 0, 1, 0, 1, 1).finished();
  Embedding kernel;
  kernel.kernel = KernelMap{Kernel::Rbf, 1.5, 2, Matrix::Identity(3, 2)};
  state.branches = {
      {projected(), NearestReference{points, {0, 1, 0}, 0.5}, 1.0},
      {kernel, LinearScores{Matrix::Identity(2, 2)}, 0.5},
      {projected(), GraphScores{points, Matrix::Constant(2, 3, 0.5), Vector::Ones(3), 2, 1, 3.0}, 2.0}};
  state.branches[2].classifiers.push_back({LogisticScores{Matrix::Identity(2, 2), Vector::Ones(2)}, 1.0});
  state.source_embedding = projected();
  state.temperature = 0.1;
  state.target.labels = {0, 1};
  state.target.probabilities = Matrix::Constant(2, 2, 0.5);
  state.target.outlier_scores = Vector::Ones(2);
  state.target.explanation_weights = Matrix::Ones(1, 2);
  state.target.explained_by = Eigen::MatrixXi::Zero(1, 2);
  return state;
}

class HostileModel : public ::testing::Test {
 protected:
  void SetUp() override {
    Model(std::make_shared<ModelState>(small_state())).save(path_);
    good_ = file_bytes(path_);
  }

  /// What loading and using the model says after its content was changed and its checksum made to fit:
  /// whoever writes a file to do harm writes the checksum too.
  std::string refusal(const std::function<void(TensorFile&, json&)>& change) const {
    TensorFile file = read_tensor_file(path_);
    json description = json::parse(file.metadata.at("isthmus_model"));
    change(file, description);
    if (!description.is_null()) file.metadata["isthmus_model"] = description.dump();
    file.metadata[kChecksumKey] = content_checksum(file);
    write_tensor_file(folder_ / "hostile", file);
    try {
      const Model model = Model::load(folder_ / "hostile");
      model.target().confidence();
      const Prediction prediction = model.predict(Matrix::Constant(model.dimension(), 2, 0.5));
      EXPECT_TRUE(prediction.probabilities.allFinite());
      return "";
    } catch (const IoError& error) {
      return error.what();
    }
  }
  void expect_refused(const std::function<void(TensorFile&, json&)>& change, const std::string& says) const {
    const std::string message = refusal(change);
    EXPECT_NE(message.find("not a usable model"), std::string::npos) << says << ": " << message;
    EXPECT_NE(message.find(says), std::string::npos) << says << ": " << message;
  }

  ScratchFolder folder_;
  std::filesystem::path path_ = folder_ / "model.safetensors";
  std::string good_;
};

TEST_F(HostileModel, AFlippedByteIsCaughtOrHarmless) {
  std::size_t harmless = 0;
  for (std::size_t at = 0; at < good_.size(); ++at) {
    for (const int mask : {1 << at % 8, 0xff}) {
      std::string bytes = good_;
      bytes[at] = static_cast<char>(bytes[at] ^ mask);
      try {
        EXPECT_EQ(Model::from_bytes(bytes).to_bytes(), good_) << "byte " << at << " with mask " << mask;
        ++harmless;
      } catch (const IoError&) {
      }
    }
  }
  EXPECT_LT(harmless, 16U) << "only spaces after the header may change";
}

TEST_F(HostileModel, EveryTruncationIsRefused) {
  for (std::size_t length = 1; length < good_.size(); length += 7) {
    EXPECT_THROW(Model::load(folder_.file("cut", good_.substr(0, length))), IoError) << length;
    EXPECT_THROW(Model::from_bytes(std::string_view(good_).substr(0, length)), IoError) << length;
  }
  EXPECT_THROW(Model::from_bytes({}), IoError);
}

TEST_F(HostileModel, AChangedModelSaysSo) {
  TensorFile file = read_tensor_file(path_);
  file.matrices["branch.0.projection"](0, 0) += 1e-9;
  write_tensor_file(path_, file);
  try {
    Model::load(path_);
    FAIL() << "loaded";
  } catch (const IoError& error) {
    EXPECT_NE(std::string(error.what()).find("checksum does not fit"), std::string::npos) << error.what();
  }
  file.metadata.erase(kChecksumKey);
  write_tensor_file(path_, file);
  try {
    Model::load(path_);
    FAIL() << "loaded";
  } catch (const IoError& error) {
    EXPECT_NE(std::string(error.what()).find("checksum is missing"), std::string::npos) << error.what();
  }
}

/// A file of format 1 byte by byte, as the first version wrote it: one nearest neighbour branch.
std::string old_model() {
  const std::string description =
      R"({"branches":[{"classifier":{"bandwidth":0.5,"kind":"nearest"},"embedding":{"unit_columns":false},)"
      R"("weight":1.0}],"classes":["cat","dog"],"dimension":2,"method":"nn","options":{},)"
      R"("preprocessing":"none","preprocessing_steps":0,"report":{"facts":{},"iterations":0,"notes":[],)"
      R"("seconds":[],"series":{},"status":"converged"},"temperature":0.0})";
  const json header{
      {"__metadata__",
       {{"format", "isthmus"},
        {"isthmus_format_version", "1"},
        {"isthmus_version", "0.1.0"},
        {"isthmus_model", description}}},
      {"branch.0.labels", {{"dtype", "I64"}, {"shape", {2}}, {"data_offsets", {0, 16}}}},
      {"branch.0.references", {{"dtype", "F64"}, {"shape", {2, 2}}, {"data_offsets", {16, 48}}}},
      {"target.labels", {{"dtype", "I64"}, {"shape", {1}}, {"data_offsets", {48, 56}}}},
      {"target.probabilities", {{"dtype", "F64"}, {"shape", {1, 2}}, {"data_offsets", {56, 72}}}}};
  const std::string text = header.dump();
  std::string bytes(8, '\0');
  const std::uint64_t length = text.size();
  std::memcpy(bytes.data(), &length, 8);
  bytes += text;
  const auto append = [&](auto value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof(value)); };
  for (const std::int64_t label : {0, 1}) append(label);
  for (const double value : {0.0, 0.0, 10.0, 10.0}) append(value);
  append(std::int64_t{1});
  for (const double value : {0.25, 0.75}) append(value);
  return bytes;
}

TEST_F(HostileModel, AModelOfTheFirstFormatStillLoads) {
  const Model model = Model::load(folder_.file("old.safetensors", old_model()));
  EXPECT_EQ(model.method(), "nn");
  EXPECT_EQ(model.classes().all(), (std::vector<std::string>{"cat", "dog"}));
  EXPECT_EQ(model.target().labels, std::vector<int>{1});
  EXPECT_EQ(model.target().probabilities(1, 0), 0.75);
  EXPECT_EQ(model.predict((Matrix(2, 2) << 1, 9, 1, 9).finished()).labels, (std::vector<int>{0, 1}));
}

TEST_F(HostileModel, AModelWithTheSearchOptionOfEarlierVersionsLoadsAndCanBeFittedAgain) {
  const std::string message = refusal([](TensorFile&, json& description) {
    description["options"]["search"] = "approximate";
    description["requested_options"]["search"] = "approximate";
  });
  EXPECT_EQ(message, "");
  const Model model = Model::load(folder_ / "hostile");
  EXPECT_EQ(model.options().at("search"), "approximate");
  EXPECT_FALSE(model.requested_options().contains("search"));
}

TEST_F(HostileModel, AFormatThatIsNoKnownNumberIsRefused) {
  for (const char* version : {"4", "999", "0", "-1", "2x", "", "1e0", "99999999999999999999"}) {
    const std::string message =
        refusal([&](TensorFile& file, json&) { file.metadata["isthmus_format_version"] = version; });
    EXPECT_NE(message.find("reads 1 … 3; use a newer Isthmus"), std::string::npos) << version << message;
  }
}

TEST_F(HostileModel, NumbersThatMakeNoSenseAreRefused) {
  const auto huge = 1e300;
  const auto set = [](const char* pointer, const json& value) {
    return [=](TensorFile&, json& description) { description[json::json_pointer(pointer)] = value; };
  };
  for (const json& count : {json(-1), json(huge), json(1.5), json("3"), json(nullptr), json(0),
                            json(std::numeric_limits<std::uint64_t>::max())}) {
    expect_refused(set("/dimension", count), "dimension");
    expect_refused(set("/branches/2/classifier/neighbours", count), "neighbours");
    expect_refused(set("/branches/1/embedding/kernel/degree", count), "degree");
  }
  expect_refused(set("/dimension", std::int64_t{1} << 60), "dimension");
  expect_refused(set("/preprocessing_steps", 1'000'000'000), "preprocessing_steps");
  expect_refused(set("/branches/1/embedding/kernel/kind", 77), "kind");
  expect_refused(set("/branches/1/embedding/kernel/width", 0.0), "width");
  expect_refused(set("/branches/0/classifier/bandwidth", -1.0), "bandwidth");
  expect_refused(set("/branches/2/classifier/rank_decay", nullptr), "damaged");
  expect_refused(set("/branches/0/weight", -1.0), "weight");
  expect_refused(set("/branches", json::array()), "no weight");
  expect_refused(set("/branches", json::object({{"a", 1}})), "damaged");
  expect_refused(set("/temperature", -1.0), "temperature");
  expect_refused([](TensorFile&, json& description) { description["branches"][0].erase("embedding"); },
                 "without an embedding");
  // That of the graph's, on which this classifier would stand, is the kernel's then.
  expect_refused(
      [](TensorFile& file, json& description) {
        description["branches"][2].erase("embedding");
        file.matrices["branch.3.weights"] = Matrix::Ones(3, 2);
      },
      "dimension");
  expect_refused(set("/report/iterations", huge), "iterations");
  expect_refused(set("/classes", json::array()), "class");
}

TEST_F(HostileModel, TensorsThatDoNotFitAreRefused) {
  const auto put = [](const char* name, const Matrix& values) {
    return [=](TensorFile& file, json&) { file.matrices[name] = values; };
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_refused(put("branch.0.references", Matrix::Constant(2, 3, nan)), "NaN");
  expect_refused(put("branch.0.references", Matrix(0, 3)), "dimension");
  expect_refused(put("branch.1.landmarks", Matrix(3, 0)), "landmarks");
  expect_refused(put("branch.1.weights", Matrix::Ones(2, 3)), "classes");
  expect_refused(put("branch.2.scores", Matrix::Ones(2, 2)), "graph");
  expect_refused(put("branch.2.local_scale", Matrix::Constant(3, 1, -1.0)), "scale");
  expect_refused(put("branch.3.weights", Matrix::Ones(2, 3)), "logistic");
  expect_refused(put("branch.3.weights", Matrix::Ones(3, 2)), "dimension");
  expect_refused(put("branch.3.offsets", Matrix::Ones(3, 1)), "logistic");
  expect_refused(put("branch.3.offsets", Matrix::Constant(2, 1, nan)), "NaN");
  expect_refused(put("branch.0.projection", Matrix(3, 0)), "dimension");
  expect_refused(put("target.probabilities", Matrix::Ones(1, 2)), "probability");
  expect_refused(put("target.probabilities", Matrix::Ones(2, 1)), "probability");
  expect_refused(put("target.outlier_scores", Matrix::Ones(1, 1)), "outlier");
  expect_refused(put("target.outlier_scores", Matrix::Ones(2, 2)), "outlier");
  expect_refused(
      [](TensorFile& file, json&) {
        file.matrices["target.explanation_weights"] = Matrix::Ones(1, 1);
        file.integers["target.explained_by"] = {0};
      },
      "explanation");
  expect_refused([](TensorFile& file, json&) { file.integers["branch.0.labels"] = {0, 1, 2}; }, "class");
  expect_refused([](TensorFile& file, json&) { file.integers["target.labels"] = {-1, 0}; }, "class");
}

TEST_F(HostileModel, DeepNestingIsRefused) {
  for (const std::size_t depth : {20U, 1'000'000U}) {
    expect_refused(
        [&](TensorFile& file, json& description) {
          description = nullptr;  // written here, not by the JSON library
          file.metadata["isthmus_model"] = std::string(depth, '[') + std::string(depth, ']');
        },
        "nested deeper");
  }
}

TEST_F(HostileModel, NamesThatLookLikePathsOrCommandsAreOnlyText) {
  const std::vector<std::string> names{"$(touch pwned)", "../../../tmp/pwned"};
  EXPECT_EQ(refusal([&](TensorFile& file, json& description) {
              description["classes"] = names;
              description["method"] = "../../methods/evil.so";
              description["options"]["output"] = "/tmp/pwned";
              file.matrices["../../pwned"] = Matrix::Ones(1, 1);
            }),
            "");
  const Model model = Model::load(folder_ / "hostile");
  EXPECT_EQ(model.classes().all(), names);
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder_.path())) ++files;
  EXPECT_EQ(files, 2U) << "the two models and nothing else";
}

}  // namespace
}  // namespace isthmus
