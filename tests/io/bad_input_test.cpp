#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <functional>

#include "fixtures.h"
#include "isthmus/data.h"
#include "isthmus/errors.h"
#include "scratch_folder.h"

namespace isthmus {
namespace {

using testing::mat5_file;
using testing::mat_element;
using testing::mat_matrix;
using testing::npy;
using testing::npy_with_header;
using testing::raw;
using testing::safetensors;
using testing::ScratchFolder;
using testing::write_zip;
namespace fs = std::filesystem;

/// A file that must be refused, and what the message must say beside the path.
struct BadInput {
  std::string name;
  std::string file;
  std::function<void(const fs::path&)> create;
  std::vector<std::string> message;
  ReadOptions options = {};
};
void PrintTo(const BadInput& input, std::ostream* stream) {
  *stream << input.name;
}

std::function<void(const fs::path&)> holds(std::string bytes) {
  return [bytes](const fs::path& path) { std::ofstream(path, std::ios::binary) << bytes; };
}

std::function<void(const fs::path&)> zips(std::vector<std::pair<std::string, std::string>> entries) {
  return [entries](const fs::path& path) { write_zip(path, entries); };
}

/// A zip whose bytes are changed after writing.
std::function<void(const fs::path&)> zips_then(std::vector<std::pair<std::string, std::string>> entries,
                                               std::function<void(std::string&)> damage) {
  return [entries, damage](const fs::path& path) {
    write_zip(path, entries);
    std::string bytes = testing::file_bytes(path);
    damage(bytes);
    std::ofstream(path, std::ios::binary) << bytes;
  };
}

std::string tensor(const std::string& entry, std::size_t bytes = 16) {
  return safetensors("{\"x\":" + entry + "}", std::string(bytes, '\0'));
}

std::string repeated(std::string_view piece, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += piece;
  return text;
}

std::string deflated(const std::string& bytes) {
  uLongf length = ::compressBound(bytes.size());
  std::string packed(length, '\0');
  ::compress(reinterpret_cast<Bytef*>(packed.data()), &length, reinterpret_cast<const Bytef*>(bytes.data()),
             bytes.size());
  packed.resize(length);
  return packed;
}

const std::string kNumbers = npy("<f8", "(2, 2)", raw<double>({1, 2, 3, 4}));
const std::string kEight = mat_element(9, raw<double>({1}));

std::vector<BadInput> text_inputs() {
  return {
      {"MissingFile", "a.csv", [](const fs::path&) {}, {"cannot open", "No such file"}},
      {"EmptyFile", "a.csv", holds(""), {"empty"}},
      {"Folder", "a.csv", [](const fs::path& path) { fs::create_directory(path); }, {"is a folder"}},
      {"Pipe",
       "a.csv",
       [](const fs::path& path) { fs::create_symlink("/dev/null", path); },
       {"no regular file"}},
      {"UnknownExtension", "a.xyz", holds("1,2\n"), {"'.xyz'", ".csv", ".safetensors"}},
      {"WrongExtension", "a.csv", holds(kNumbers), {"holds npy data", "rename it to .npy"}},
      {"BlankLinesOnly", "a.csv", holds("\n\r\n\n"), {"blank lines"}},
      {"HeaderOnly", "a.csv", holds("a,b,label\n"), {"no samples"}},
      {"RaggedShort", "a.csv", holds("1,2\n3,4\n5\n"), {"line 3", "1 cell", "expected 2"}},
      {"RaggedLong", "a.csv", holds("a,b\n1,2\n\n3,4,5\n"), {"line 4", "3 cells", "expected 2"}},
      {"TextCell", "a.csv", holds("a,b\n1,2\n3,four\n"), {"line 3", "column 2 ('b')", "'four' is no number"}},
      {"DecimalComma", "a.csv", holds("1,5;2,5\n3,5;4,5\n"), {"line 2", "'3,5'", "with a point"}},
      {"OpenQuote", "a.csv", holds("1,2\n\"3,4\n5,6\n"), {"line 2", "quoted cell"}},
      {"TextAfterQuote", "a.csv", holds("1,2\n\"3\"x,4\n"), {"line 2", "closing quote"}},
      {"BinaryCsv", "a.csv", holds(std::string("1,2\n3,\0\n", 8)), {"zero byte at byte 7"}},
      {"Utf16",
       "a.csv",
       holds("\xff\xfe"
             "1"),
       {"UTF-16", "UTF-8"}},
      {"LatinLabels", "a.csv", holds("a,label\n1,caf\xe9\n2,x\n"), {"not UTF-8"}},
      {"UnknownColumn",
       "a.csv",
       holds("a,species\n1,x\n2,y\n"),
       {"no column is called 'specis'", "did you mean 'species'"},
       {.labels = "specis"}},
      {"NameWithoutHeader",
       "a.csv",
       holds("1,2\n3,4\n"),
       {"no header", "'kind'", "1 to 2"},
       {.labels = "kind"}},
      {"ColumnTooHigh", "a.csv", holds("1,2\n3,4\n"), {"no column 3", "1 to 2"}, {.labels = "3"}},
      {"ColumnZero", "a.csv", holds("1,2\n3,4\n"), {"no column 0"}, {.labels = "0"}},
      {"DuplicateColumn", "a.csv", holds("k,k,b\n1,2,3\n"), {"two columns are called 'k'"}, {.labels = "k"}},
      {"TwoLabelColumns", "a.csv", holds("a,label,class\n1,2,3\n"), {"'label'", "'class'", "both"}},
      {"MissingLabel", "a.csv", holds("a,label\n1,x\n2,\n"), {"line 3", "label is missing"}},
      {"LabelsOnly", "a.csv", holds("label\nx\ny\n"), {"only column", "features"}},
      {"VariableOfCsv", "a.csv", holds("1,2\n"), {"no variables", "'X'"}, {.features = "X"}},
      {"LibsvmWithoutLabel", "a.svm", holds("1 1:2\n1:2 2:3\n"), {"line 2", "'1:2'", "label"}},
      {"LibsvmZeroIndex", "a.svm", holds("1 0:2\n"), {"line 1", "'0:2'", "from 1"}},
      {"LibsvmTwice", "a.svm", holds("1 2:2 2:3\n"), {"line 1", "'2:3'", "rise"}},
      {"LibsvmNoNumber", "a.svm", holds("1 1:x\n"), {"line 1", "'1:x'", "no number"}},
      {"LibsvmNoPair", "a.svm", holds("1 5\n"), {"line 1", "'5'", "index:value"}},
      {"LibsvmHugeIndex", "a.svm", holds("1 1000000000000:1\n"), {"largest index is 1000000000000"}},
      {"LibsvmNoSamples", "a.svm", holds("# nothing\n"), {"no samples"}},
      {"LibsvmNoFeatures", "a.svm", holds("1\n2\n"), {"no sample has a feature"}},
  };
}

std::vector<BadInput> numpy_inputs() {
  const std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2)";
  return {
      {"NpyNoMagic", "a.npy", holds("hello, this is no array"), {"\\x93NUMPY"}},
      {"NpyTooShort", "a.npy", holds("\x93NUM"), {"truncated"}},
      {"NpyTruncatedHeader", "a.npy", holds(kNumbers.substr(0, 30)), {"truncated"}},
      {"NpyTruncatedData",
       "a.npy",
       holds(kNumbers.substr(0, kNumbers.size() - 1)),
       {"32 bytes, but 31 follow"}},
      {"NpyTrailingData", "a.npy", holds(kNumbers + "x"), {"32 bytes, but 33 follow"}},
      {"NpyVersion", "a.npy", holds(npy("<f8", "(1,)", raw<double>({1}), false, 9)), {"version 9"}},
      {"NpyHugeRows",
       "a.npy",
       holds(npy("<f8", "(1152921504606846976, 2)", "")),
       {"1152921504606846976", "truncated or damaged"}},
      {"NpyOverflow", "a.npy", holds(npy("<f8", "(4294967296, 4294967296)", "")), {"too many"}},
      {"NpyNegative", "a.npy", holds(npy("<f8", "(-1, 2)", "")), {"length from 0"}},
      {"NpyHugeHeader",
       "a.npy",
       holds("\x93NUMPY\x02" + std::string(1, '\0') + raw<std::uint32_t>({0xffffffff}) + "{}"),
       {"header claims 4294967295"}},
      {"NpyBrokenDict",
       "a.npy",
       holds(npy_with_header(header, "")),
       {"header, at its character", "expected"}},
      {"NpyUnknownKey", "a.npy", holds(npy_with_header(header + ", 'x': 1}", "")), {"unknown key 'x'"}},
      {"NpyNoShape",
       "a.npy",
       holds(npy_with_header("{'descr': '<f8'}", "")),
       {"descr, fortran_order and shape"}},
      {"NpyObjects", "a.npy", holds(npy("|O", "(2, 2)", "pickle")), {"no matrix of numbers", "|O 2×2"}},
      {"NpyStructured",
       "a.npy",
       holds(npy_with_header("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (2,)}", "")),
       {"structured"}},
      {"NpyThreeDimensions",
       "a.npy",
       holds(npy("<f8", "(1, 1, 1)", raw<double>({1}))),
       {"no matrix of numbers", "1×1×1"}},
      {"NpyManyDimensions",
       "a.npy",
       holds(npy_with_header("{'descr': '<f8', 'shape': (" + repeated("1,", 65) + ")}", "12345678")),
       {"more than 64 dimensions"}},
      {"NpyLongWord",
       "a.npy",
       holds(npy_with_header("{'descr': '" + std::string(300, '<') + "'}", "")),
       {"more than 256 bytes"}},
      {"NpyZeroSamples", "a.npy", holds(npy("<f8", "(0, 5)", "")), {"0 samples of 5 features"}},
      {"NpyZeroFeatures", "a.npy", holds(npy("<f8", "(5, 0)", "")), {"5 samples of 0 features"}},
      {"NpzNoZip", "a.npz", holds("this is no zip file at all, honestly"), {"no valid NPZ"}},
      {"NpzTruncated",
       "a.npz",
       zips_then({{"x.npy", kNumbers}}, [](std::string& bytes) { bytes.resize(bytes.size() - 30); }),
       {"no valid NPZ", "truncated"}},
      {"NpzNoArray",
       "a.npz",
       zips({{"readme.txt", "hello there, friend"}}),
       {"entry 'readme.txt'", "\\x93NUMPY"}},
      {"NpzTwice", "a.npz", zips({{"x.npy", kNumbers}, {"x", kNumbers}}), {"variable 'x' is there twice"}},
      {"NpzBrokenData",
       "a.npz",
       zips_then({{"x.npy", npy("<f8", "(64, 2)", std::string(1024, 'a'))}},
                 [](std::string& bytes) { bytes[60] = static_cast<char>(~bytes[60]); }),
       {"entry 'x.npy'"}},
      {"NpzBomb",
       "a.npz",
       zips_then({{"x.npy", kNumbers}},
                 [](std::string& bytes) {
                   bytes.replace(bytes.find("PK\x01\x02") + 24, 4, raw<std::uint32_t>({0xfffffff0}));
                 }),
       {"claims 4294967280 bytes"}},
      {"NpzSharedBytes",
       "a.npz",
       [](const fs::path& path) {
         write_zip(path, {{"x.npy", npy("<f8", "(64, 8)", std::string(4096, 'a'))}, {"y.npy", kNumbers}},
                   false);
         std::string bytes = testing::file_bytes(path);
         const std::size_t x = bytes.find("PK\x01\x02");
         const std::size_t y = bytes.find("PK\x01\x02", x + 1);
         bytes.replace(y + 16, 12, bytes, x + 16, 12);  // checksum and sizes
         bytes.replace(y + 42, 4, bytes, x + 42, 4);    // where the entry lies
         std::ofstream(path, std::ios::binary) << bytes;
       },
       {"entry 'y.npy'", "are left"}},
      {"NpzPackedTooWell",
       "a.npz",
       zips({{"x.npy", npy("|u1", "(9000, 1000)", std::string(9'000'000, '\0'))}}),
       {"'x' (uint8 9000×1000) would fill 0.1 GiB", "save it as NPY"}},
      {"NpzAmbiguous",
       "a.npz",
       zips({{"a.npy", kNumbers}, {"b.npy", kNumbers}}),
       {"'a', 'b' could all be the features", "'a' (float64 2×2)"}},
      {"NpzUnknownVariable",
       "a.npz",
       zips({{"feats.npy", kNumbers}}),
       {"no variable 'faets'", "did you mean 'feats'"},
       {.features = "faets"}},
      {"NpzWrongLabelLength",
       "a.npz",
       zips({{"x.npy", kNumbers}, {"k.npy", npy("<i4", "(3,)", raw<std::int32_t>({1, 2, 3}))}}),
       {"'k' (int32 3)", "not as many"},
       {.labels = "k"}},
      {"NpzMatrixAsLabels",
       "a.npz",
       zips({{"x.npy", kNumbers}, {"k.npy", kNumbers}}),
       {"cannot be the labels"},
       {.labels = "k"}},
      {"NpzTextAsFeatures",
       "a.npz",
       zips({{"x.npy", npy("|S1", "(2,)", "ab")}}),
       {"cannot be the features"},
       {.features = "x"}},
      {"NpzNanLabel",
       "a.npz",
       zips({{"x.npy", kNumbers}, {"y.npy", npy("<f8", "(2,)", raw<double>({1, std::nan("")}))}}),
       {"variable 'y'", "sample 2 is missing"}},
      {"NpzTwoLabels",
       "a.npz",
       zips({{"x.npy", kNumbers},
             {"y.npy", npy("|S1", "(2,)", "ab")},
             {"labels.npy", npy("|S1", "(2,)", "ab")}}),
       {"both", "'y'", "'labels'"}},
  };
}

std::vector<BadInput> binary_inputs() {
  const std::string good = R"({"dtype":"F64","shape":[1,2],"data_offsets":[0,16]})";
  std::vector<BadInput> inputs{
      {"TensorsTooShort", "a.safetensors", holds("abc"), {"at least 8"}},
      {"TensorsHugeHeader",
       "a.safetensors",
       holds(raw<std::uint64_t>({std::uint64_t{1} << 60}) + "{}"),
       {"claim a header of 1152921504606846976"}},
      {"TensorsNoJson", "a.safetensors", holds(safetensors("{\"x\":", "")), {"no valid JSON"}},
      {"TensorsNoObject", "a.safetensors", holds(safetensors("[1]", "")), {"no JSON object"}},
      {"TensorsTwice",
       "a.safetensors",
       holds(safetensors("{\"x\":" + good + ",\"x\":" + good + "}", std::string(16, '\0'))),
       {"'x' is there twice"}},
      {"TensorsKeyTwice",
       "a.safetensors",
       holds(tensor(R"({"dtype":"F64","dtype":"F64","shape":[1,2],"data_offsets":[0,16]})")),
       {"'dtype' is there twice"}},
      {"TensorsDeep", "a.safetensors", holds(tensor("[[[[[[[[1]]]]]]]]")), {"nested deeper"}},
      {"TensorsHugeNumber", "a.safetensors", holds(tensor("[392e408]")), {"a number that is too large"}},
      {"TensorsNoEntry", "a.safetensors", holds(tensor("5")), {"no object"}},
      {"TensorsNoDtype",
       "a.safetensors",
       holds(tensor(R"({"shape":[1,2],"data_offsets":[0,16]})")),
       {"no 'dtype'"}},
      {"TensorsNoShape",
       "a.safetensors",
       holds(tensor(R"({"dtype":"F64","data_offsets":[0,16]})")),
       {"no list 'shape'"}},
      {"TensorsNegative",
       "a.safetensors",
       holds(tensor(R"({"dtype":"F64","shape":[-1,2],"data_offsets":[0,16]})")),
       {"-1 where a length"}},
      {"TensorsBackwards",
       "a.safetensors",
       holds(tensor(R"({"dtype":"F64","shape":[1,2],"data_offsets":[16,0]})")),
       {"begin ≤ end"}},
      {"TensorsTruncated", "a.safetensors", holds(tensor(good, 15)), {"truncated"}},
      {"TensorsWrongSize",
       "a.safetensors",
       holds(tensor(R"({"dtype":"F64","shape":[3,2],"data_offsets":[0,16]})")),
       {"does not fit its 16 bytes"}},
      {"TensorsHugeShape",
       "a.safetensors",
       holds(tensor(R"({"dtype":"F64","shape":[4294967296,4294967296],"data_offsets":[0,16]})")),
       {"does not fit"}},
      {"TensorsGap",
       "a.safetensors",
       holds(tensor(R"({"dtype":"F64","shape":[1,1],"data_offsets":[8,16]})")),
       {"gap"}},
      {"TensorsTail", "a.safetensors", holds(tensor(good, 20)), {"the file at byte"}},
      {"TensorsBrainFloat",
       "a.safetensors",
       holds(tensor(R"({"dtype":"BF16","shape":[4,2],"data_offsets":[0,16]})")),
       {"no matrix of numbers", "BF16 4×2"}},
      {"TensorsMetadata",
       "a.safetensors",
       holds(safetensors(R"({"__metadata__":{"a":1}})", "")),
       {"'a' is no text"}},
      {"TensorsEmpty", "a.safetensors", holds(safetensors("{}", "")), {"no matrix of numbers", "none"}},
      {"MatNoHeader", "a.mat", holds("short"), {"level 5 or 7.3", "-v7"}},
      {"MatText", "a.mat", holds(std::string(500, 'x')), {"IM or MI", "-v7"}},
      {"MatHeaderOnly", "a.mat", holds(mat5_file("")), {"no matrix of numbers", "none"}},
      {"MatTruncatedElement",
       "a.mat",
       holds(mat5_file(mat_matrix("x", {1, 1}, kEight)).substr(0, 180)),
       {"truncated"}},
      {"MatTruncatedTag", "a.mat", holds(mat5_file("abc")), {"3 bytes at its end", "truncated"}},
      {"MatWrongType", "a.mat", holds(mat5_file(mat_element(9, raw<double>({1})))), {"byte 128", "type 9"}},
      {"MatHugeDims",
       "a.mat",
       holds(mat5_file(mat_matrix("x", {2000000000, 2000000000}, kEight))),
       {"variable 'x'", "2000000000×2000000000 needs"}},
      {"MatOverflow",
       "a.mat",
       holds(mat5_file(mat_matrix("x", {2000000000, 2000000000, 2000000000}, kEight))),
       {"variable '?'", "impossible"}},
      {"MatNegativeDims", "a.mat", holds(mat5_file(mat_matrix("x", {-1, 1}, kEight))), {"impossible"}},
      {"MatTooFewItems",
       "a.mat",
       holds(mat5_file(mat_matrix("x", {2, 1}, kEight))),
       {"2×1 needs 2 items, 1 are there"}},
      {"MatElementBeyond",
       "a.mat",
       holds(mat5_file(mat_matrix("x", {1, 1}, raw<std::uint32_t>({9, 800}) + std::string(8, '\0')))),
       {"needs 800 bytes"}},
      {"MatManyCells",
       "a.mat",
       holds(mat5_file(mat_matrix("x", {1000000, 1000}, "", false, 1))),
       {"claims 1000000000 cells"}},
      {"MatManyCellsPacked",
       "a.mat",
       holds(mat5_file(
           mat_element(15, deflated(mat_matrix("x", {200'000, 1},
                                               repeated(raw<std::uint32_t>({14, 0}), 200'000), false, 1))))),
       {"more cells and fields than one of its size may"}},
      {"MatManyFieldNames",
       "a.mat",
       holds(
           mat5_file(mat_element(15, deflated(mat_matrix("x", {1, 1},
                                                         mat_element(5, raw<std::int32_t>({8})) +
                                                             mat_element(1, std::string((1 << 20) + 8, 'a')),
                                                         false, 2))))),
       {"the field names is expected", "1048584 bytes"}},
      {"MatFunction",
       "a.mat",
       holds(mat5_file(mat_matrix("f", {1, 1}, "", false, 16))),
       {"function", "without it"}},
      {"MatBrokenPack",
       "a.mat",
       holds(mat5_file(mat_element(15, "this is not zlib"))),
       {"packed element at byte 128"}},
      {"MatTwice",
       "a.mat",
       holds(mat5_file(mat_matrix("x", {1, 1}, kEight) + mat_matrix("x", {1, 1}, kEight))),
       {"'x' is there twice"}},
  };
  std::string version73 = mat5_file(std::string(1000, 'x'));
  version73[124] = 0;
  version73[125] = 2;
  inputs.push_back({"Mat73NoHdf5", "a.mat", holds(version73), {"MAT 7.3", "HDF5"}});
  return inputs;
}

class BadInputs : public ::testing::TestWithParam<BadInput> {};

TEST_P(BadInputs, AreRefusedWithAMessageThatHelps) {
  const ScratchFolder folder;
  const BadInput& input = GetParam();
  const fs::path path = folder / input.file;
  input.create(path);
  try {
    read_dataset(path, input.options);
    FAIL() << "it was read";
  } catch (const IoError& error) {
    const std::string message = error.what();
    EXPECT_TRUE(message.starts_with(path.string())) << message;
    for (const std::string& part : input.message) {
      EXPECT_NE(message.find(part), std::string::npos) << "'" << part << "' is not in: " << message;
    }
  }
}

const auto kName = [](const auto& input) { return input.param.name; };
INSTANTIATE_TEST_SUITE_P(Text, BadInputs, ::testing::ValuesIn(text_inputs()), kName);
INSTANTIATE_TEST_SUITE_P(NumPy, BadInputs, ::testing::ValuesIn(numpy_inputs()), kName);
INSTANTIATE_TEST_SUITE_P(Binary, BadInputs, ::testing::ValuesIn(binary_inputs()), kName);

TEST(BadLabelFiles, AreRefused) {
  const ScratchFolder folder;
  EXPECT_THROW(read_labels(folder.file("a.csv", "1,2\n3,4\n")), IoError);
  EXPECT_THROW(read_labels(folder.file("b.csv", "a\nNA\n")), IoError);
  EXPECT_THROW(read_labels(folder.file("c.npy", kNumbers)), IoError);
  EXPECT_THROW(read_labels(folder.file("d.svm", "1 1:1\n"), "y"), IoError);
  write_zip(folder / "e.npz", {{"u.npy", npy("|S1", "(2,)", "ab")}, {"v.npy", npy("|S1", "(2,)", "ab")}});
  EXPECT_THROW(read_labels(folder / "e.npz"), IoError);
  EXPECT_EQ(read_labels(folder / "e.npz", "v").ids.size(), 2U);
}

TEST(UnreadableFiles, AreRefused) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read anything";
  const ScratchFolder folder;
  const fs::path path = folder.file("a.csv", "1,2\n");
  fs::permissions(path, fs::perms::none);
  EXPECT_THROW(read_dataset(path), IoError);
}

}  // namespace
}  // namespace isthmus
