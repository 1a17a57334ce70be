#include <gtest/gtest.h>

#include <limits>

#include "fixtures.h"
#include "io/formats.h"
#include "isthmus/errors.h"
#include "random_data.h"
#include "same_bits.h"
#include "scratch_folder.h"

namespace isthmus {
namespace {

using testing::label_names;
using testing::npy;
using testing::random_matrix;
using testing::raw;
using testing::safetensors;
using testing::same_bits;
using testing::ScratchFolder;
using Names = std::vector<std::string>;

TEST(Safetensors, KeepsFeaturesAndLabelsOfEitherKind) {
  const ScratchFolder folder;
  const Matrix values = random_matrix(3, 4, 2);
  for (const Names& names : {Names{"1", "-5", "1", "9007199254740993"}, Names{"cat", "ö", "1", "cat"}}) {
    write_dataset(folder / "a.safetensors", {values, encode_labels(names)});
    const Dataset again = read_dataset(folder / "a.safetensors");
    EXPECT_TRUE(same_bits(again.domain.features.view(), values));
    EXPECT_EQ(label_names(again.domain), names);
  }
  write_dataset(folder / "a.safetensors", {values, std::nullopt});
  EXPECT_FALSE(read_dataset(folder / "a.safetensors").domain.labels);
}

TEST(Safetensors, ReadsEveryType) {
  const ScratchFolder folder;
  const auto check = [&](const std::string& dtype, const std::string& data) {
    const std::string header =
        fmt::format(R"({{"x":{{"dtype":"{}","shape":[1,2],"data_offsets":[0,{}]}}}})", dtype, data.size());
    const Dataset read = read_dataset(folder.file("a.safetensors", safetensors(header, data)));
    EXPECT_EQ(read.domain.features.view(), (Matrix(2, 1) << 1, 0).finished()) << dtype;
  };
  check("F64", raw<double>({1, 0}));
  check("F32", raw<float>({1, 0}));
  check("F16", raw<std::uint16_t>({0x3c00, 0}));
  check("I64", raw<std::int64_t>({1, 0}));
  check("I32", raw<std::int32_t>({1, 0}));
  check("I16", raw<std::int16_t>({1, 0}));
  check("I8", raw<std::int8_t>({1, 0}));
  check("U64", raw<std::uint64_t>({1, 0}));
  check("U32", raw<std::uint32_t>({1, 0}));
  check("U16", raw<std::uint16_t>({1, 0}));
  check("U8", raw<std::uint8_t>({1, 0}));
  check("BOOL", raw<std::uint8_t>({1, 0}));
}

TEST(Formats, AreKnownByContentWhereTheNameSaysNothing) {
  const ScratchFolder folder;
  const auto path = folder.file("noname", npy("<f8", "(1, 1)", raw<double>({3})));
  EXPECT_EQ(read_dataset(path).format, "npy");
}

TEST(Formats, HaveDistinctExtensions) {
  Names seen;
  for (const Format& format : formats()) {
    for (const std::string_view extension : format.extensions) {
      EXPECT_EQ(std::find(seen.begin(), seen.end(), extension), seen.end()) << extension;
      seen.emplace_back(extension);
    }
  }
}

TEST(Inspect, TellsShapesRangesAndMissingValues) {
  const ScratchFolder folder;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  testing::write_zip(folder / "a.npz", {{"X.npy", npy("<f8", "(2, 2)", raw<double>({1, nan, -3, 7}))},
                                        {"labels.npy", npy("|S3", "(2,)", "catdog")},
                                        {"other.npy", npy("<c16", "(1,)", std::string(16, '\0'))}});
  const FileSummary summary = inspect_file(folder / "a.npz");
  EXPECT_EQ(summary.format, "npz");
  EXPECT_EQ(summary.bytes, std::filesystem::file_size(folder / "a.npz"));
  ASSERT_EQ(summary.variables.size(), 3U);
  const VariableSummary& features = summary.variables[0];
  EXPECT_EQ(features.name, "X");
  EXPECT_EQ(features.type, "float64");
  EXPECT_EQ(features.shape, (std::vector<Index>{2, 2}));
  EXPECT_EQ(features.minimum, -3);
  EXPECT_EQ(features.maximum, 7);
  EXPECT_EQ(features.missing, 1);
  EXPECT_EQ(summary.variables[1].type, "text");
  EXPECT_EQ(summary.variables[2].type, "<c16");
  ASSERT_TRUE(summary.dataset) << summary.problem;
  EXPECT_EQ(label_names(summary.dataset->domain), (Names{"cat", "dog"}));
}

TEST(Inspect, SummarisesTables) {
  const ScratchFolder folder;
  const FileSummary summary = inspect_file(folder.file("a.csv", "a,b,label\n1,NA,3\n2,5,4\n"));
  ASSERT_EQ(summary.variables.size(), 2U);
  EXPECT_EQ(summary.variables[0].shape, (std::vector<Index>{2, 2}));
  EXPECT_EQ(summary.variables[0].maximum, 5);
  EXPECT_EQ(summary.variables[0].missing, 1);
  EXPECT_EQ(summary.variables[1].type, "int64");
  EXPECT_EQ(summary.variables[1].maximum, 4);
}

TEST(Inspect, ListsVariablesEvenWhenItCannotChoose) {
  const ScratchFolder folder;
  const std::string x = npy("<f8", "(2, 2)", raw<double>({1, 2, 3, 4}));
  testing::write_zip(folder / "a.npz", {{"a.npy", x}, {"b.npy", x}});
  const FileSummary summary = inspect_file(folder / "a.npz");
  EXPECT_EQ(summary.variables.size(), 2U);
  EXPECT_FALSE(summary.dataset);
  EXPECT_NE(summary.problem.find("'a', 'b' could all be the features"), std::string::npos) << summary.problem;
}

TEST(WriteDataset, RefusesWhatCannotBeReadBack) {
  const ScratchFolder folder;
  const Matrix values = Matrix::Ones(2, 2);
  EXPECT_THROW(write_dataset(folder / "a.mat", {values, std::nullopt}), InvalidArgument);
  EXPECT_THROW(write_dataset(folder / "a", {values, std::nullopt}), InvalidArgument);
  EXPECT_THROW(write_dataset(folder / "a.csv", {Matrix(2, 0), std::nullopt}), InvalidArgument);
  EXPECT_THROW(write_dataset(folder / "a.csv", {values, encode_labels({"a"})}), InvalidArgument);
  Labels unknown = encode_labels({"a", "b"});
  unknown.ids[1] = kUnknownClass;
  EXPECT_THROW(write_dataset(folder / "a.csv", {values, unknown}), InvalidArgument);
  EXPECT_THROW(write_dataset(folder / "missing" / "a.csv", {values, std::nullopt}), IoError);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace isthmus
