// Writes the files that the fuzzers start from: fuzz_seeds FOLDER makes a folder of files for each target.
#include <filesystem>
#include <fstream>
#include <iostream>

#include "bench/suite_log.h"
#include "fixtures.h"
#include "isthmus/data.h"
#include "isthmus/model.h"
#include "model/format.h"
#include "model/state.h"

namespace {

namespace fs = std::filesystem;
using namespace isthmus;           // NOLINT(google-build-using-namespace): a program of one file
using namespace isthmus::testing;  // NOLINT(google-build-using-namespace)

void write(const fs::path& path, const std::string& bytes) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
}

Domain small_domain(bool words) {
  Matrix values(3, 4);
  values << 1, 2.5, -3, 4e-3, 0, 1, 0, 1, 9, 8, 7, 6;
  const Labels labels = encode_labels(words ? std::vector<std::string>{"cat", "dog", "cat", "ä,\"b"}
                                            : std::vector<std::string>{"1", "2", "1", "2"});
  return {values, labels};
}

void tables(const fs::path& folder) {
  fs::create_directories(folder / "csv");
  write_dataset(folder / "csv/words.csv", small_domain(true));
  write_dataset(folder / "csv/numbers.csv", small_domain(false));
  write(folder / "csv/tabs", "a\tlabel\r\n1\tx\r\nNA\ty\r\n");
  write(folder / "csv/semicolons", "\xef\xbb\xbf\"a;b\";c\n1;2\n\n3;nan\n");
  write(folder / "csv/blanks", "1 2  3\n4 5 6 \n");
  write(folder / "csv/ids", ",a,b,label\n7,1,2,x\n9,2,3,y\n");
  write(folder / "csv/labels", "cat\ndog\n");
  write(folder / "libsvm/plain", "1 1:0.5 3:2\n-1 2:1e3\n");
  write(folder / "libsvm/comments", "# top\n+1 qid:3 1:1 # end\r\n2.0\t7:-4\n");
}

void numpy(const fs::path& folder) {
  const std::string six = raw<double>({1, 2, 3, 4, 5, 6});
  write(folder / "npy/doubles", npy("<f8", "(3, 2)", six));
  write(folder / "npy/fortran", npy(">f8", "(3, 2)", raw<double>({1, 2, 3, 4, 5, 6}, true), true, 2));
  write(folder / "npy/bytes", npy("|u1", "(2, 2)", "abcd"));
  write(folder / "npy/half", npy("<f2", "(4,)", "abcdefgh"));
  write(folder / "npy/unicode", npy("<U1", "(3L,)", raw<std::uint32_t>({'a', 0xe4, 'a'}), false, 3));
  write(folder / "npy/records",
        npy_with_header("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,)}", "12345678"));
  fs::create_directories(folder / "npz");
  const std::string x = npy("<f8", "(3, 2)", six);
  const std::string y = npy("|S3", "(3,)", "catdogcat");
  write_zip(folder / "npz/deflated", {{"x.npy", x}, {"y.npy", y}});
  write_zip(folder / "npz/stored", {{"X_src.npy", x}, {"Y_src.npy", y}}, false);
  write_zip(folder / "npz/zeros", {{"x.npy", npy("|u1", "(200, 200)", std::string(40000, '\0'))}});
}

void matlab(const fs::path& folder) {
  fs::create_directories(folder / "mat");
  for (const auto compression : {MAT_COMPRESSION_NONE, MAT_COMPRESSION_ZLIB}) {
    const std::string kind = compression == MAT_COMPRESSION_NONE ? "plain" : "packed";
    MatWriter(folder / ("mat/words-" + kind), MAT_FT_MAT5, compression)
        .doubles("x", 3, 2, {1, 2, 3, 4, 5, 6})
        .cells("y", {"cat", "dog", "cat"});
    MatWriter(folder / ("mat/bytes-" + kind), MAT_FT_MAT5, compression)
        .array<std::uint8_t>("fts", MAT_C_UINT8, MAT_T_UINT8, 2, 3, {1, 0, 0, 1, 1, 1}, MAT_F_LOGICAL)
        .array<char>("labels", MAT_C_CHAR, MAT_T_UINT8, 3, 2, {'a', 'b', 'a', ' ', 'c', ' '});
  }
  const std::string sparse = mat_element(5, raw<std::int32_t>({0, 2})) +
                             mat_element(5, raw<std::int32_t>({0, 1, 2})) +
                             mat_element(9, raw<double>({5, 7}));
  write(folder / "mat/sparse", mat5_file(mat_matrix("x", {3, 2}, sparse, false, 5)));
  const std::string shorts = mat_element(3, raw<std::int16_t>({1, -2, 3, 4, 5, 600}, true), true);
  write(folder / "mat/big-endian", mat5_file(mat_matrix("features", {3, 2}, shorts, true), true));
  const std::string record = mat_element(5, raw<std::int32_t>({8})) + mat_element(1, "a\0\0\0\0\0\0\0") +
                             mat_matrix("", {1, 1}, mat_element(9, raw<double>({1})));
  write(folder / "mat/struct", mat5_file(mat_matrix("s", {1, 1}, record, false, 2)));
}

/// A model with every kind of classifier and both kinds of embedding, as a method would have filled it in.
ModelState small_model() {
  ModelState state;
  state.method = "jda";
  state.options = {{"components", "2"}, {"lambda", "0.1"}};
  state.classes = ClassNames({"cat", "dog"});
  state.dimension = 3;
  state.preprocessing = Preprocessing::restore(
      "zscore,l2", {(Matrix(3, 4) << 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1).finished(), Matrix()});
  state.report.iterations = 2;
  state.report.series["objective"] = {2.0, 1.0};
  state.report.facts["rank"] = 2;
  state.report.notes = {"a note"};
  state.report.seconds = {{"fit", 0.5}};
  const Matrix points = (Matrix(2, 3) << 1, 0, 1, 0, 1, 1).finished();
  Embedding linear;
  linear.projection = (Matrix(3, 2) << 1, 0, 0, 1, 1, 1).finished();
  linear.offset = Vector::Ones(2);
  linear.unit_columns = true;
  Embedding kernel;
  kernel.kernel = KernelMap{Kernel::Rbf, 1.5, 2, Matrix::Identity(3, 2)};
  state.branches = {
      {linear, NearestReference{points, {0, 1, 0}, 0.5}, 1.0},
      {kernel, LinearScores{Matrix::Identity(2, 2)}, 0.5},
      {linear, GraphScores{points, Matrix::Constant(2, 3, 0.5), Vector::Ones(3), 2, 1, 3.0}, 2.0}};
  state.source_embedding = linear;
  state.temperature = 0.1;
  state.target.labels = {0, 1};
  state.target.probabilities = Matrix::Constant(2, 2, 0.5);
  state.target.outlier_scores = Vector::Ones(2);
  state.target.explanation_weights = Matrix::Ones(1, 2);
  state.target.explained_by = Eigen::MatrixXi::Zero(1, 2);
  return state;
}

void tensors(const fs::path& folder) {
  fs::create_directories(folder / "safetensors");
  fs::create_directories(folder / "model");
  write_dataset(folder / "safetensors/words.safetensors", small_domain(true));
  write_dataset(folder / "safetensors/numbers.safetensors", small_domain(false));
  write(folder / "safetensors/bytes",
        safetensors(R"({"x":{"dtype":"U8","shape":[2,2],"data_offsets":[0,4]}})", "abcd"));
  ModelState state = small_model();
  const auto save = [&](const std::string& name) {
    const fs::path path = folder / "model" / name;
    Model(std::make_shared<ModelState>(state)).save(path);
    // Without a checksum, which no change would ever fit.
    TensorFile file = read_tensor_file(path);
    file.metadata["isthmus_format_version"] = "1";
    file.metadata.erase(kChecksumKey);
    write_tensor_file(path.string() + "-old", file);
  };
  save("committee");
  for (const Branch& branch : small_model().branches) {
    state.branches = {branch};
    save(std::to_string(branch.classifiers.front().classifier.index()));
  }
}

void json(const fs::path& folder) {
  write(
      folder / "config/flags",
      R"({"components": 20, "lambda": 0.5, "scaled": true, "subspaces": [20, 50], "mode": "fancy", "input": ["a", "b"]})");
  write(folder / "config/grid",
        R"({"jda": {"components": [20, 100], "subspaces": [[1, 2], "3"], "mode": "plain"}})");
  write(
      folder / "suite/demo",
      R"({"name": "s", "methods": ["nn", {"method": "jda", "name": "J", "options": {"components": 5}, "preprocess": "zscore"}],)"
      R"( "seeds": [0, 1], "tasks": [{"name": "t", "group": "g", "demo": {"source_count": 10}, "published": {"nn": 40.5}}]})");
  write(folder / "suite/files",
        R"({"preprocess": "sum,zscore:joint", "methods": ["jda:components=50;mode=plain"],)"
        R"( "tasks": [{"name": "t", "source": "0", "target": "1:x", "source_labels": "y"}]})");
}

/// A cell that is done, one that failed, and a line torn by a kill.
void log(const fs::path& folder) {
  fs::create_directories(folder / "log");
  SuiteCell cell;
  cell.task.name = "t";
  cell.method.name = "nn";
  cell.setting.preprocessing = "l2";
  cell.accuracy = 62.5;
  cell.options = {{"components", "20"}};
  cell.report.iterations = 2;
  cell.report.series["objective"] = {2.0, 1.0};
  cell.report.facts["rank"] = 2;
  cell.report.notes = {"a note"};
  cell.report.seconds = {{"fit", 0.5}};
  SuiteLog whole(folder / "log/whole");
  whole.append(cell);
  cell.seed = 1;
  cell.status = "failed";
  cell.problem = "why";
  cell.accuracy.reset();
  whole.append(cell);
  write(folder / "log/torn", "{\"cell\":{\"vers");
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "usage: fuzz_seeds FOLDER\n";
    return 2;
  }
  const fs::path folder = arguments[1];
  tables(folder);
  numpy(folder);
  matlab(folder);
  tensors(folder);
  json(folder);
  log(folder);
  return 0;
}
