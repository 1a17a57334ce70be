#include <cstdint>
#include <cstring>

#include "process.h"

namespace isthmus::testing {
namespace {

/// One thing a user may get wrong, and the words the message must have.
struct BadInput {
  std::string name;
  std::vector<std::string> arguments;
  std::vector<std::string> message;
  /// Files the case needs beside good.csv (60 labelled samples, 5 features) and other.csv (45).
  std::vector<std::pair<std::string, std::string>> files;
};

void PrintTo(const BadInput& input, std::ostream* out) {
  *out << input.name;
}

template <class T>
std::string bytes_of(T value) {
  std::string bytes(sizeof(T), '\0');
  std::memcpy(bytes.data(), &value, sizeof(T));
  return bytes;
}

/// An NPY file with this header dictionary and payload.
std::string npy(const std::string& dictionary, const std::string& payload) {
  std::string header = dictionary;
  while ((10 + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  return std::string("\x93NUMPY\x01\x00", 8) + bytes_of(static_cast<std::uint16_t>(header.size())) + header +
         payload;
}

std::string safetensors(const std::string& header, const std::string& payload) {
  return bytes_of(static_cast<std::uint64_t>(header.size())) + header + payload;
}

/// The fixed 128 bytes every MATLAB v5 file starts with.
std::string mat_header() {
  std::string text = "MATLAB 5.0 MAT-file, Platform: GLNXA64";
  text.resize(124, ' ');
  return text + std::string("\x00\x01IM", 4);
}

/// A zip archive that holds one stored member, its checksum left out, cut where asked.
std::string zip_start(const std::string& member) {
  return std::string("PK\x03\x04\x14\x00\x00\x00\x00\x00\x00\x00\x00\x00", 14) + std::string(12, '\0') +
         bytes_of(static_cast<std::uint16_t>(member.size())) + bytes_of(std::uint16_t{0}) + member;
}

std::vector<std::string> adapt(const std::string& source, const std::string& target,
                               const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{"adapt", "--source", source, "--target", target, "-o", "labels.csv"};
  if (std::find(more.begin(), more.end(), "--method") == more.end()) {
    arguments.insert(arguments.end(), {"--method", "nn"});
  }
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

/// A case whose source file is wrong.
BadInput bad_file(const std::string& name, const std::string& file, const std::string& content,
                  const std::vector<std::string>& message, const std::vector<std::string>& more = {}) {
  return {name, adapt(file, "other.csv", more), message, {{file, content}}};
}

std::vector<BadInput> text_files() {
  const std::string head = "a,b,c,d,e,label\n";
  return {
      bad_file("EmptyFile", "x.csv", "", {"x.csv", "empty"}),
      bad_file("OnlyBlankLines", "x.csv", "\n\n\n", {"x.csv"}),
      bad_file("HeaderWithoutSamples", "x.csv", head, {"x.csv", "sample"}),
      bad_file("RaggedRow", "x.csv", head + "1,2,3,4,5,p\n1,2,3,4,q\n", {"x.csv", "3"}),
      bad_file("TextInANumberColumn", "x.csv", head + "1,2,3,4,5,p\n1,2,many,4,5,q\n", {"x.csv", "many"}),
      bad_file("UnclosedQuote", "x.csv", head + "1,2,3,4,5,\"p\n", {"x.csv", "quote"}),
      bad_file("NanValue", "x.csv", head + "1,2,3,4,5,p\n1,nan,3,4,5,q\n", {"sample 2", "finite"}),
      bad_file("InfiniteValue", "x.csv", head + "1,2,3,4,5,p\n1,inf,3,4,5,q\n", {"sample 2", "finite"}),
      bad_file("NumberTooLarge", "x.csv", head + "1,2,3,4,5,p\n1,1e999,3,4,5,q\n", {"x.csv"}, {}),
      bad_file("OneClassOnly", "x.csv", head + "1,2,3,4,5,p\n2,1,3,4,5,p\n", {"one class", "p"}),
      bad_file("BinaryGarbage", "x.csv", std::string("\x00\x01\xff\xfe\x00garbage", 12), {"x.csv"}),
      bad_file("LabelColumnMissing", "x.csv", samples_csv(9, 0), {"x.csv", "kind"},
               {"--source-labels", "kind"}),
      bad_file("LabelColumnNumberTooLarge", "x.csv", samples_csv(9, 0), {"x.csv", "17"},
               {"--source-labels", "17"}),
      bad_file("NoLabels", "x.csv", samples_csv(9, 0, false), {"source", "labels"}),
      bad_file("OtherDimension", "x.csv", "a,b,label\n1,2,p\n2,1,q\n", {"source lacks 'c', 'd', 'e'"}),
      bad_file("UnknownExtension", "x.doc", "hello", {"x.doc"}),
      bad_file("LibsvmWithoutColon", "x.libsvm", "1 1:2 2:3\n2 1=4\n", {"x.libsvm", "2"}),
      bad_file("LibsvmFeatureZero", "x.libsvm", "1 0:2 2:3\n2 1:4\n", {"x.libsvm", "0"}),
  };
}

std::vector<BadInput> binary_files() {
  const std::string good_header = "{'descr': '<f8', 'fortran_order': False, 'shape': (4, 5), }";
  const std::string huge_header =
      "{'descr': '<f8', 'fortran_order': False, 'shape': (1152921504606846976, 5), }";
  const std::string tensor = R"({"x":{"dtype":"F64","shape":[4,5],"data_offsets":[0,160]}})";
  const std::string twice = R"({"x":{"dtype":"F64","shape":[1,1],"data_offsets":[0,8]},)"
                            R"("x":{"dtype":"F64","shape":[1,1],"data_offsets":[0,8]}})";
  const std::string huge = R"({"x":{"dtype":"F64","shape":[1152921504606846976,5],"data_offsets":[0,160]}})";
  return {
      bad_file("TruncatedNpy", "x.npy", npy(good_header, std::string(100, '\0')), {"x.npy"}),
      bad_file("NpyOf2To60Rows", "x.npy", npy(huge_header, std::string(160, '\0')), {"x.npy"}),
      bad_file("NpyMagicOnly", "x.npy", "\x93NUMPY", {"x.npy"}),
      bad_file("NpyOfObjects", "x.npy",
               npy("{'descr': '|O', 'fortran_order': False, 'shape': (4, 5), }", "x"), {"x.npy", "|O"}),
      bad_file("NotAnNpy", "x.npy", "hello, world", {"x.npy"}),
      bad_file("TruncatedNpz", "x.npz", zip_start("x.npy") + "\x93NUMPY", {"x.npz"}),
      bad_file("EmptyNpz", "x.npz", std::string("PK\x05\x06", 4) + std::string(18, '\0'), {"x.npz"}),
      bad_file("TruncatedMat", "x.mat",
               mat_header() + bytes_of(std::uint32_t{14}) + bytes_of(std::uint32_t{4000}) + "xx", {"x.mat"}),
      bad_file("MatHeaderOnly", "x.mat", mat_header(), {"x.mat"}),
      bad_file("MatOf2To32Bytes", "x.mat",
               mat_header() + bytes_of(std::uint32_t{14}) + bytes_of(std::uint32_t{0xFFFFFFF0U}) +
                   std::string(64, '\1'),
               {"x.mat"}),
      bad_file("NotAMat", "x.mat", "hello, world", {"x.mat"}),
      bad_file("TruncatedHdf5Mat", "x.mat", std::string("\x89HDF\r\n\x1a\n", 8) + std::string(40, '\0'),
               {"x.mat"}),
      bad_file("TruncatedSafetensors", "x.safetensors", safetensors(tensor, std::string(100, '\0')),
               {"x.safetensors"}),
      bad_file("SafetensorsHeaderOf2To60Bytes", "x.safetensors", bytes_of(std::uint64_t{1} << 60U) + "{}",
               {"x.safetensors"}),
      bad_file("SafetensorsOf2To60Rows", "x.safetensors", safetensors(huge, std::string(160, '\0')),
               {"x.safetensors"}),
      bad_file("SafetensorsHeaderNoJson", "x.safetensors", safetensors("{nonsense", ""), {"x.safetensors"}),
      bad_file("SafetensorsDuplicateVariable", "x.safetensors", safetensors(twice, std::string(8, '\0')),
               {"x.safetensors", "x"}),
  };
}

std::vector<BadInput> paths() {
  return {
      {"MissingFile", adapt("nowhere.csv", "other.csv"), {"nowhere.csv"}, {}},
      {"FolderAsInput", adapt(".", "other.csv"), {"."}, {}},
      {"FileUsedAsAFolder", adapt("good.csv/x.csv", "other.csv"), {"good.csv/x.csv"}, {}},
      {"MissingVariable",
       adapt("x.safetensors:z", "other.csv"),
       {"x.safetensors", "z"},
       {{"x.safetensors",
         safetensors(R"({"x":{"dtype":"F64","shape":[1,1],"data_offsets":[0,8]}})", std::string(8, '\0'))}}},
      {"MissingLabelFile",
       adapt("x.csv", "other.csv", {"--source-labels", "labels.txt"}),
       {"labels.txt"},
       {{"x.csv", samples_csv(9, 0, false)}}},
      {"LabelFileTooShort",
       adapt("x.csv", "other.csv", {"--source-labels", "short.txt"}),
       {"9 samples", "2 labels"},
       {{"x.csv", samples_csv(9, 0, false)}, {"short.txt", "p\nq\n"}}},
      {"OutputInAMissingFolder",
       {"adapt", "--source", "good.csv", "--target", "other.csv", "-o", "no/l.csv"},
       {"no/l.csv"},
       {}},
      {"OutputIsAFolder",
       {"adapt", "--source", "good.csv", "--target", "other.csv", "-o", "."},
       {"folder"},
       {}},
      {"ModelInAMissingFolder",
       adapt("good.csv", "other.csv", {"--model", "no/m.safetensors"}),
       {"no/m.safetensors"},
       {}},
      {"TwoOutputsInOneFile",
       adapt("good.csv", "other.csv", {"--report", "./labels.csv"}),
       {"two outputs"},
       {}},
      {"FullDevice",
       {"adapt", "--source", "good.csv", "--target", "other.csv", "--method", "nn", "-o", "/dev/full"},
       {"/dev/full", "space"},
       {}},
      {"ModelThatIsNone",
       {"predict", "--model", "good.csv", "--input", "other.csv", "-o", "labels.csv"},
       {"good.csv: no Isthmus model", "isthmus adapt --model"},
       {}},
      {"TensorsThatAreNoModel",
       {"predict", "--model", "x.safetensors", "--input", "other.csv", "-o", "labels.csv"},
       {"no Isthmus model"},
       {{"x.safetensors",
         safetensors(R"({"x":{"dtype":"F64","shape":[1,1],"data_offsets":[0,8]}})", std::string(8, '\0'))}}},
      {"InspectMissingFile", {"inspect", "nowhere.npy"}, {"nowhere.npy"}, {}},
  };
}

std::vector<BadInput> arguments() {
  return {
      {"NoCommand", {}, {"subcommand"}, {}},
      {"UnknownCommand", {"adpt"}, {"adpt", "did you mean 'adapt'?"}, {}},
      {"UnknownFlag",
       adapt("good.csv", "other.csv", {"--preproces", "l2"}),
       {"--preproces", "did you mean '--preprocess'?"},
       {}},
      {"SourceTwice",
       adapt("good.csv", "other.csv", {"--source", "other.csv"}),
       {"--source is given 2 times ('good.csv', 'other.csv')"},
       {}},
      {"OutputTwice", adapt("good.csv", "other.csv", {"--output=x.csv"}), {"--output is given 2 times"}, {}},
      {"SeedTwice",
       adapt("good.csv", "other.csv", {"--seed", "1", "--seed", "2"}),
       {"--seed is given 2"},
       {}},
      {"MethodOptionTwice",
       adapt("good.csv", "other.csv", {"--method", "pca", "--components", "2", "--components", "3"}),
       {"--components is given 2 times"},
       {}},
      {"MethodOptionAndAssignment",
       adapt("good.csv", "other.csv", {"--method", "pca", "--components", "2", "-O", "components=3"}),
       {"'components' is given twice"},
       {}},
      {"AssignmentTwice",
       {"bench", "demo", "--methods", "pca:components=2;components=3"},
       {"'components' is given twice"},
       {}},
      {"ConfigOfTwoSources",
       {"adapt", "--config", "c.json", "--target", "other.csv", "-o", "labels.csv"},
       {"--source is given 2 times"},
       {{"c.json", R"({"source": ["good.csv", "other.csv"]})"}}},
      {"ConfigKeyTwice",
       {"adapt", "--config", "c.json", "--target", "other.csv", "-o", "labels.csv"},
       {"c.json", "'source' is there twice"},
       {{"c.json", R"({"source": "good.csv", "source": "other.csv"})"}}},
      {"MissingSource", {"adapt", "--target", "other.csv", "-o", "labels.csv"}, {"--source", "required"}, {}},
      {"MissingOutput",
       {"adapt", "--source", "good.csv", "--target", "other.csv"},
       {"--output", "required"},
       {}},
      {"LabelsCalledAnArray",
       {"adapt", "--source", "good.csv", "--target", "other.csv", "-o", "labels.npy"},
       {"labels.npy", "text table", ".csv"},
       {}},
      {"UnknownMethod",
       adapt("good.csv", "other.csv", {"--method", "pcaa"}),
       {"pcaa", "did you mean 'pca'?"},
       {}},
      {"UnknownMethodShown", {"methods", "jad"}, {"no method 'jad'"}, {}},
      {"UnknownOption",
       adapt("good.csv", "other.csv", {"--method", "pca", "-O", "componets=3"}),
       {"componets", "did you mean 'components'?"},
       {}},
      {"OptionOfAnotherMethod",
       adapt("good.csv", "other.csv", {"--components", "3"}),
       {"'nn' has no option 'components'"},
       {}},
      {"OptionWithoutValue", adapt("good.csv", "other.csv", {"-O", "components"}), {"name=value"}, {}},
      {"OptionOutOfRange",
       adapt("good.csv", "other.csv", {"--method", "pca", "--components", "-1"}),
       {"components", "'-1'"},
       {}},
      {"OptionNotANumber",
       adapt("good.csv", "other.csv", {"--method", "pca", "--components", "ten"}),
       {"components", "ten"},
       {}},
      {"ComponentsAboveTheRank",
       adapt("good.csv", "other.csv", {"--method", "pca", "--components", "6"}),
       {"components", "6", "5"},
       {}},
      {"UnknownPreparation",
       adapt("good.csv", "other.csv", {"--preprocess", "zscroe"}),
       {"zscroe", "did you mean 'zscore'?"},
       {}},
      {"ThreadsZero", adapt("good.csv", "other.csv", {"--threads", "0"}), {"--threads"}, {}},
      {"ThreadsNotANumber", adapt("good.csv", "other.csv", {"--threads", "many"}), {"--threads", "many"}, {}},
      {"SeedNegative", adapt("good.csv", "other.csv", {"--seed", "-1"}), {"--seed"}, {}},
      {"SideUnknown",
       {"transform", "--model", "m", "--input", "good.csv", "-o", "x.npy", "--side", "left"},
       {"--side", "left"},
       {}},
      {"UnknownShell", {"completion", "tcsh"}, {"tcsh"}, {}},
      {"ConfigMissing", {"adapt", "--config", "no.json"}, {"no.json"}, {}},
      {"ConfigNoJson", {"adapt", "--config", "c.json"}, {"c.json", "JSON"}, {{"c.json", "{method: nn}"}}},
      {"ConfigNoObject", {"adapt", "--config", "c.json"}, {"c.json", "object"}, {{"c.json", "[1, 2]"}}},
      {"ConfigNestedValue",
       {"adapt", "--config", "c.json"},
       {"c.json", "method"},
       {{"c.json", R"({"method": {"a": 1}})"}}},
      {"DemoWithoutSamples", {"demo", "--source-count", "0"}, {"--source-count"}, {}},
      {"DemoFolderIsAFile", {"demo", "--methods", "nn", "--out", "good.csv"}, {"good.csv"}, {}},
      {"BenchUnknownSuite", {"bench", "table2"}, {"table2", "did you mean 'table1'?"}, {}},
      {"BenchUnknownTask", {"bench", "table1", "--data", ".", "--tasks", "C->B"}, {"C->B"}, {}},
      {"BenchUnknownMethod",
       {"bench", "table1", "--data", ".", "--methods", "nn,pcaa"},
       {"did you mean 'pca'?"},
       {}},
      {"BenchUnknownOption",
       {"bench", "table1", "--data", ".", "--methods", "pca:component=3"},
       {"did you mean 'components'?"},
       {}},
      {"BenchMissingData",
       {"bench", "table1", "--data", ".", "--methods", "nn", "--csv", "labels.csv"},
       {"COIL_1.mat", "5001c5bcef8d95217d66a08bdccbcaae2bc8cd3142540ed4ec38ca0796342534", "github",
        "isthmus data fetch"},
       {}},
      {"BenchListingMissing", {"bench", "run", "no.json"}, {"no.json"}, {}},
      {"BenchListingWrong",
       {"bench", "run", "s.json"},
       {"s.json", "tasks"},
       {{"s.json", R"({"methods": ["nn"]})"}}},
      {"BenchSeeds", {"bench", "demo", "--seeds", "1,x"}, {"--seeds"}, {}},
      {"BenchSeedTwice", {"bench", "demo", "--seeds", "1,1"}, {"--seeds"}, {}},
      {"BenchLogIsNoLog",
       {"bench", "demo", "--methods", "nn", "--log", "good.csv", "--out", "o.json"},
       {"good.csv", "line 1"},
       {}},
      {"CompareNoResult", {"bench", "compare", "c.json", "c.json"}, {"--out"}, {{"c.json", R"({"a": 1})"}}},
      {"ReportOfNoResult", {"report", "c.json", "-o", "r.html"}, {"--report"}, {{"c.json", R"({"a": 1})"}}},
      {"ReportOfNoJson", {"report", "good.csv", "-o", "r.html"}, {"good.csv", "JSON"}, {}},
      {"DataOfUnknownFolder", {"data", "verify", "--data", "nowhere"}, {"nowhere"}, {}},
  };
}

std::vector<std::string> select(const std::vector<std::string>& more) {
  std::vector<std::string> arguments{"select", "--source", "good.csv", "--target", "other.csv"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

/// A case whose grid file is wrong.
BadInput bad_grid(const std::string& name, const std::string& grid, const std::vector<std::string>& message) {
  return {name, select({"--grid", "g.json"}), message, {{"g.json", grid}}};
}

std::vector<BadInput> selections() {
  return {
      {"UnknownScore", select({"--score", "snd,silhuette"}), {"silhuette", "did you mean 'silhouette'?"}, {}},
      {"NoScore", select({"--score", ","}), {"scores", "empty"}, {}},
      {"UnknownMethod", select({"--methods", "pcaa"}), {"did you mean 'pca'?"}, {}},
      {"EverySettingFails", select({"--methods", "pca:components=99"}), {"every setting failed", "99"}, {}},
      {"OneFileForLabelsAndModel", select({"-o", "x", "--model", "x"}), {"two outputs"}, {}},
      {"MissingGrid", select({"--grid", "no.json"}), {"no.json"}, {}},
      bad_grid("GridNoJson", "{jda", {"g.json", "JSON"}),
      bad_grid("GridNoObject", "[1]", {"g.json", "array", "object"}),
      bad_grid("GridEmpty", "{}", {"g.json", "no method"}),
      bad_grid("GridOfUnknownMethod", R"({"jad": {}})", {"g.json", "no method 'jad'"}),
      bad_grid("GridOfUnknownOption", R"({"jda": {"lamda": [1]}})", {"g.json", "did you mean 'lambda'?"}),
      bad_grid("GridWithoutValues", R"({"jda": {"lambda": []}})", {"g.json", "'lambda' of 'jda'", "empty"}),
      bad_grid("GridOfObjects", R"({"jda": {"lambda": [{"a": 1}]}})", {"g.json", "'lambda' of 'jda'"}),
      bad_grid("GridMethodNoObject", R"({"jda": [1]})", {"g.json", "'jda'", "object"}),
  };
}

class Refused : public ProgramTest, public ::testing::WithParamInterface<BadInput> {};

TEST_P(Refused, WithAMessageExitCode2AndNoOutput) {
  const BadInput& input = GetParam();
  write("good.csv", samples_csv(60, 0.0));
  write("other.csv", samples_csv(45, 0.3));
  for (const auto& [name, content] : input.files) write(name, content);
  const std::vector<std::string> before = names();
  const Outcome outcome = run(input.arguments);
  EXPECT_EQ(outcome.code, 2) << "signal " << outcome.signal << "\n" << outcome.out << outcome.err;
  EXPECT_NE(outcome.err.find("isthmus: error: "), std::string::npos) << outcome.err;
  for (const std::string& word : input.message) {
    EXPECT_NE(outcome.err.find(word), std::string::npos) << "no '" << word << "' in: " << outcome.err;
  }
  EXPECT_EQ(names(), before) << "files were written";
}

std::string name_of(const ::testing::TestParamInfo<BadInput>& info) {
  return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(TextFile, Refused, ::testing::ValuesIn(text_files()), name_of);
INSTANTIATE_TEST_SUITE_P(BinaryFile, Refused, ::testing::ValuesIn(binary_files()), name_of);
INSTANTIATE_TEST_SUITE_P(Path, Refused, ::testing::ValuesIn(paths()), name_of);
INSTANTIATE_TEST_SUITE_P(Argument, Refused, ::testing::ValuesIn(arguments()), name_of);
INSTANTIATE_TEST_SUITE_P(Selection, Refused, ::testing::ValuesIn(selections()), name_of);

}  // namespace
}  // namespace isthmus::testing
