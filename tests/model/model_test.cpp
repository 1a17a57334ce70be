#include "isthmus/model.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

#include "io/safetensors.h"
#include "isthmus/adapt.h"
#include "isthmus/data.h"
#include "isthmus/errors.h"
#include "model/format.h"
#include "model/state.h"
#include "scratch_folder.h"
#include "toy_domains.h"

namespace isthmus {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::toy_domains;

class ModelFile : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("isthmus-model-" + std::to_string(::getpid()));
    fs::create_directories(folder_);
    path_ = folder_ / "model.safetensors";
  }
  void TearDown() override { fs::remove_all(folder_); }

  Model fitted() const {
    return adapt(toy_.pair(), {.method = "pca",
                               .options = {{"components", "3"}},
                               .preprocessing = Preprocessing::parse("zscore,l2")});
  }
  /// The message that loading gives after the metadata of a good file was changed.
  std::string refusal(const std::function<void(TensorFile&)>& change) const {
    fitted().save(path_);
    TensorFile file = read_tensor_file(path_);
    change(file);
    if (file.metadata.contains(kChecksumKey)) file.metadata[kChecksumKey] = content_checksum(file);
    write_tensor_file(path_, file);
    try {
      Model::load(path_);
    } catch (const IoError& error) {
      return error.what();
    }
    return "accepted";
  }

  testing::ToyDomains toy_ = toy_domains(5, 20, 3, 11);
  fs::path folder_;
  fs::path path_;
};

TEST_F(ModelFile, LoadsBackWithEverythingItHad) {
  const Model model = fitted();
  model.save(path_);
  const Model loaded = Model::load(path_);
  EXPECT_EQ(loaded.method(), "pca");
  EXPECT_EQ(loaded.options(), model.options());
  EXPECT_EQ(loaded.classes(), model.classes());
  EXPECT_EQ(loaded.preprocessing().to_string(), "zscore:domain,l2");
  EXPECT_EQ(loaded.target().labels, model.target().labels);
  EXPECT_EQ(loaded.target().probabilities, model.target().probabilities);
  EXPECT_EQ(loaded.report().facts, model.report().facts);

  const Matrix fresh = toy_domains(5, 30, 3, 12).target;
  EXPECT_EQ(loaded.transform(fresh), model.transform(fresh));
  EXPECT_EQ(loaded.transform(fresh, Side::Source), model.transform(fresh, Side::Source));
  EXPECT_EQ(loaded.predict(fresh).labels, model.predict(fresh).labels);
  EXPECT_EQ(loaded.predict(fresh).probabilities, model.predict(fresh).probabilities);
}

TEST_F(ModelFile, KeepsTheNamesOfTheFeaturesAndMatchesNewSamplesByThem) {
  const std::vector<std::string> names{"a", "b", "ö", "d", "e"};
  Domain source{toy_.source, encode_labels(toy_.source_names), names};
  const Model model = adapt(DomainPair(source, {toy_.target, {}}), {.method = "pca"});
  model.save(path_);
  const Model loaded = Model::load(path_);
  EXPECT_EQ(loaded.feature_names(), names);

  const std::vector<Index> order{4, 2, 0, 1, 3};
  const Domain turned{Matrix(toy_.target(order, Eigen::all)), {}, testing::reordered(names, order)};
  EXPECT_EQ(loaded.predict(turned).probabilities, model.predict(toy_.target).probabilities);
  EXPECT_EQ(loaded.transform(turned), model.transform(toy_.target));
  Domain other = turned;
  other.feature_names[1] = "x";
  EXPECT_THROW(loaded.predict(other), InvalidArgument);
  other.feature_names.clear();
  EXPECT_EQ(loaded.predict(other).labels, model.predict(other.features).labels);
}

TEST_F(ModelFile, WithoutNamesTakesFeaturesByPosition) {
  const Model model = fitted();
  model.save(path_);
  EXPECT_FALSE(read_tensor_file(path_).metadata.at("isthmus_model").find("feature_names") !=
               std::string::npos);
  const Model loaded = Model::load(path_);
  EXPECT_TRUE(loaded.feature_names().empty());
  const Domain named{toy_.target, {}, {"a", "b", "c", "d", "e"}};
  EXPECT_EQ(loaded.predict(named).labels, model.predict(toy_.target).labels);
}

TEST_F(ModelFile, ALoadedModelSavesToTheSameBytes) {
  fitted().save(path_);
  Model::load(path_).save(folder_ / "again.safetensors");
  EXPECT_EQ(testing::file_bytes(path_), testing::file_bytes(folder_ / "again.safetensors"));
}

TEST_F(ModelFile, ItsBytesAreThoseOfItsFile) {
  const Model model = fitted();
  model.save(path_);
  const std::string bytes = model.to_bytes();
  EXPECT_EQ(bytes, testing::file_bytes(path_));
  const Model again = Model::from_bytes(bytes);
  EXPECT_EQ(again.to_bytes(), bytes);
  EXPECT_EQ(again.predict(toy_.target).probabilities, model.predict(toy_.target).probabilities);
}

TEST_F(ModelFile, AFileOfFormatTwoIsReadAndItsRepeatedEmbeddingsShared) {
  const fs::path folder = ISTHMUS_FORMAT2;
  const Model model = Model::load(folder / "model.safetensors");
  // Written with an embedding for each of its ten classifiers.
  std::vector<std::size_t> sharing;
  for (const Branch& branch : model.state().branches) sharing.push_back(branch.classifiers.size());
  EXPECT_EQ(sharing, (std::vector<std::size_t>{2, 2, 3, 2, 1}));
  // What the program that wrote it said of new samples.
  const Prediction found = model.predict(read_dataset(folder / "samples.csv").domain);
  std::ifstream expected(folder / "labels.csv");
  std::string line;
  std::getline(expected, line);
  for (std::size_t i = 0; i < found.labels.size(); ++i) {
    ASSERT_TRUE(std::getline(expected, line));
    EXPECT_EQ(fmt::format("{},{},{:.6g}", i + 1, model.classes()[found.labels[i]],
                          found.confidence()[static_cast<Index>(i)]),
              line);
  }
  EXPECT_FALSE(std::getline(expected, line));
  // Each is in the new file once.
  const std::string bytes = model.to_bytes();
  EXPECT_LT(bytes.size(), fs::file_size(folder / "model.safetensors"));
  model.save(path_);
  const TensorFile file = read_tensor_file(path_);
  std::vector<std::string> projections;  // the last embedding has none
  for (const auto& [name, matrix] : file.matrices) {
    if (name.ends_with("projection")) projections.push_back(name);
  }
  EXPECT_EQ(projections, (std::vector<std::string>{"branch.0.projection", "branch.2.projection",
                                                   "branch.4.projection", "branch.7.projection"}));
  EXPECT_EQ(Model::from_bytes(bytes).to_bytes(), bytes);
}

TEST_F(ModelFile, ANewerFormatIsRefusedWithAdvice) {
  const std::string message =
      refusal([](TensorFile& file) { file.metadata["isthmus_format_version"] = "999"; });
  EXPECT_NE(message.find("newer Isthmus"), std::string::npos) << message;
}

TEST_F(ModelFile, AnyOtherTensorFileIsNoModel) {
  const std::string message = refusal([](TensorFile& file) { file.metadata.clear(); });
  EXPECT_NE(message.find("no Isthmus model"), std::string::npos) << message;
}

TEST_F(ModelFile, PartsThatDoNotFitTogetherAreRefused) {
  const auto damaged = [&](const std::function<void(TensorFile&)>& change) {
    const std::string message = refusal(change);
    EXPECT_NE(message.find("not a usable model"), std::string::npos) << message;
  };
  damaged([](TensorFile& file) { file.metadata["isthmus_model"] = "{"; });
  damaged([](TensorFile& file) { file.metadata["isthmus_model"] = "{}"; });
  damaged([](TensorFile& file) { file.matrices["branch.0.projection"] = Matrix::Ones(4, 3); });
  damaged([](TensorFile& file) { file.matrices["branch.0.references"] = Matrix::Ones(9, 60); });
  damaged([](TensorFile& file) { file.matrices.erase("branch.0.references"); });
  damaged([](TensorFile& file) { file.integers["branch.0.labels"][0] = 77; });
  damaged([](TensorFile& file) { file.integers["branch.0.labels"].pop_back(); });
  damaged([](TensorFile& file) { file.matrices["preprocessing.0"] = Matrix::Ones(2, 4); });
  damaged([](TensorFile& file) { file.matrices["branch.0.references"].setConstant(NAN); });
  const auto with_names = [](const char* names) {
    return [names](TensorFile& file) {
      std::string& model = file.metadata["isthmus_model"];
      model.insert(model.find('{') + 1, std::string("\"feature_names\":") + names + ",");
    };
  };
  damaged(with_names(R"(["a"])"));
  damaged(with_names(R"(["a","b","c","d",5])"));
  damaged(with_names("7"));
}

TEST_F(ModelFile, WrongSamplesAreRefused) {
  const Model model = fitted();
  EXPECT_THROW(model.predict(Matrix(Matrix::Ones(4, 2))), InvalidArgument);
  Matrix broken = Matrix::Ones(5, 2);
  broken(0, 0) = NAN;
  EXPECT_THROW(model.predict(broken), InvalidArgument);
  EXPECT_TRUE(model.predict(Matrix(5, 0)).labels.empty());
}

TEST_F(ModelFile, TheSameFitGivesTheSameBytesOnAnyNumberOfThreads) {
  const auto bytes = [&](const std::string& method, int threads) {
    const Model model =
        adapt(toy_.pair(), {.method = method, .options = {}}, {.threads = threads, .seed = 3});
    model.save(path_);
    EXPECT_TRUE(Model::load(path_).report().seconds.empty());
    return testing::file_bytes(path_);
  };
  for (const MethodInfo& method : methods()) {
    const std::string name(method.name);
    const std::string first = bytes(name, 1);
    EXPECT_EQ(bytes(name, 1), first) << name;
    EXPECT_EQ(bytes(name, 3), first) << name;
  }
}

TEST_F(ModelFile, KeepsWhatWasAskedForBesideWhatWasUsed) {
  const Model model = adapt(toy_.pair(), {.method = "pca", .options = {}});
  model.save(path_);
  const Model loaded = Model::load(path_);
  EXPECT_EQ(loaded.requested_options().at("components"), "auto");
  EXPECT_EQ(loaded.options(), model.options());
  EXPECT_EQ(loaded.options().at("components"), "5");
}

/// A file as it was before what was asked for was kept beside what was used.
TEST_F(ModelFile, AnOlderFilesWordsForWhatIsLeftToTheMethodAreUnderstood) {
  const auto loaded = [&](const std::string& method, const OptionMap& options) {
    fitted().save(path_);
    TensorFile file = read_tensor_file(path_);
    json description = json::parse(file.metadata.at("isthmus_model"));
    description.erase("requested_options");
    description["method"] = method;
    description["options"] = options;
    file.metadata["isthmus_model"] = description.dump();
    file.metadata[kChecksumKey] = content_checksum(file);
    write_tensor_file(path_, file);
    const Model model = Model::load(path_);
    EXPECT_EQ(model.options(), model.requested_options());
    return model.options();
  };
  EXPECT_EQ(loaded("rsa-cdda", {{"lambda", "0"}, {"geo", "-1"}, {"lambda2", "0"}, {"z_edges", "0"}}),
            (OptionMap{{"lambda", "auto"}, {"geo", "auto"}, {"lambda2", "auto"}, {"z_edges", "0"}}));
  EXPECT_EQ(loaded("tsl", {{"components", "0"}, {"lambda", "0"}, {"bandwidth", "0"}}),
            (OptionMap{{"components", "auto"}, {"lambda", "0"}, {"bandwidth", "auto"}}));
  EXPECT_EQ(loaded("pca", {{"components", "7"}}), (OptionMap{{"components", "7"}}));
}

TEST(Prediction, ProbabilitiesAreADistributionThatPrefersTheLabel) {
  const auto toy = toy_domains(5, 20, 3, 13);
  const Model model = adapt(toy.pair(), {.method = "nn", .preprocessing = {}});
  const Prediction& target = model.target();
  EXPECT_LT((target.probabilities.colwise().sum().array() - 1.0).abs().maxCoeff(), 1e-12);
  EXPECT_EQ(largest_rows(target.probabilities), target.labels);
  EXPECT_GT(target.confidence().minCoeff(), 1.0 / 3.0 - 1e-12);
}

}  // namespace
}  // namespace isthmus
