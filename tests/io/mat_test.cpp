#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>

#include "benchmark_data.h"
#include "fixtures.h"
#include "isthmus/data.h"
#include "isthmus/errors.h"
#include "scratch_folder.h"

namespace isthmus {
namespace {

using testing::label_names;
using testing::MatWriter;
using testing::ScratchFolder;
using Names = std::vector<std::string>;

struct MatKind {
  const char* name;
  mat_ft version;
  matio_compression compression;
};
class Mat : public ::testing::TestWithParam<MatKind> {
 protected:
  MatWriter create() const { return {path(), GetParam().version, GetParam().compression}; }
  std::filesystem::path path() const { return folder_ / "a.mat"; }

 private:
  ScratchFolder folder_;
};
INSTANTIATE_TEST_SUITE_P(Versions, Mat,
                         ::testing::Values(MatKind{"v5_plain", MAT_FT_MAT5, MAT_COMPRESSION_NONE},
                                           MatKind{"v5_packed", MAT_FT_MAT5, MAT_COMPRESSION_ZLIB},
                                           MatKind{"v73_plain", MAT_FT_MAT73, MAT_COMPRESSION_NONE},
                                           MatKind{"v73_packed", MAT_FT_MAT73, MAT_COMPRESSION_ZLIB}),
                         [](const auto& kind) { return kind.param.name; });

const std::vector<double> kSix{1, 2, 3, 4, 5, 6};

TEST_P(Mat, TellsRowsFromColumnsByTheLengthOfTheLabels) {
  create().doubles("fts", 3, 2, kSix).doubles("labels", 3, 1, {1, 2, 1});
  const Dataset rows = read_dataset(path());
  EXPECT_EQ(rows.format, "mat");
  EXPECT_EQ(rows.domain.features.view(), (Matrix(2, 3) << 1, 2, 3, 4, 5, 6).finished());
  EXPECT_EQ(label_names(rows.domain), (Names{"1", "2", "1"}));

  create().doubles("fts", 3, 2, kSix).doubles("labels", 1, 2, {1, 2});
  const Dataset columns = read_dataset(path());
  EXPECT_EQ(columns.domain.features.view(), (Matrix(3, 2) << 1, 4, 2, 5, 3, 6).finished());
  EXPECT_EQ(label_names(columns.domain), (Names{"1", "2"}));
  const Dataset unlabelled = read_dataset(path(), {.without_labels = true});
  EXPECT_EQ(unlabelled.domain.features.count(), 2) << "the labels tell the direction even when not wanted";
  EXPECT_FALSE(unlabelled.domain.labels);
}

TEST_P(Mat, ReadsEveryClassOfNumbers) {
  const Matrix expected = (Matrix(2, 3) << 1, 2, 3, 4, 5, 6).finished();
  const auto check = [&]<class T>(T, matio_classes array_class, matio_types type) {
    create().array<T>("x", array_class, type, 3, 2, {1, 2, 3, 4, 5, 6});
    EXPECT_EQ(read_dataset(path()).domain.features.view(), expected) << array_class;
    EXPECT_EQ(read_dataset(path(), {.map_from = 0}).domain.features.view(), expected) << array_class;
  };
  check(double{}, MAT_C_DOUBLE, MAT_T_DOUBLE);
  check(float{}, MAT_C_SINGLE, MAT_T_SINGLE);
  check(std::int8_t{}, MAT_C_INT8, MAT_T_INT8);
  check(std::uint8_t{}, MAT_C_UINT8, MAT_T_UINT8);
  check(std::int16_t{}, MAT_C_INT16, MAT_T_INT16);
  check(std::uint16_t{}, MAT_C_UINT16, MAT_T_UINT16);
  check(std::int32_t{}, MAT_C_INT32, MAT_T_INT32);
  check(std::uint32_t{}, MAT_C_UINT32, MAT_T_UINT32);
  check(std::int64_t{}, MAT_C_INT64, MAT_T_INT64);
  check(std::uint64_t{}, MAT_C_UINT64, MAT_T_UINT64);
}

TEST_P(Mat, ReadsLogicalValues) {
  create().array<std::uint8_t>("x", MAT_C_UINT8, MAT_T_UINT8, 2, 2, {1, 0, 0, 1}, MAT_F_LOGICAL);
  const FileSummary summary = inspect_file(path());
  ASSERT_EQ(summary.variables.size(), 1U);
  EXPECT_EQ(summary.variables[0].type, "bool");
  EXPECT_EQ(read_dataset(path()).domain.features.view(), Matrix::Identity(2, 2));
}

TEST_P(Mat, ReadsWordsAsLabels) {
  create().doubles("x", 3, 2, kSix).cells("y", {"cat", "dog", "cat"});
  EXPECT_EQ(label_names(read_dataset(path()).domain), (Names{"cat", "dog", "cat"}));
  // A char matrix: one word a row, padded with blanks.
  create()
      .doubles("x", 3, 2, kSix)
      .array<char>("y", MAT_C_CHAR, MAT_T_UINT8, 3, 2, {'a', 'b', 'a', ' ', 'c', ' '});
  EXPECT_EQ(label_names(read_dataset(path()).domain), (Names{"a", "bc", "a"}));
}

TEST_P(Mat, ReadsSparseMatrices) {
  mat_sparse_t sparse = {};
  std::vector<mat_uint32_t> rows{0, 2};
  std::vector<mat_uint32_t> starts{0, 1, 2};
  std::vector<double> values{5, 7};
  sparse.nzmax = sparse.nir = sparse.ndata = 2;
  sparse.ir = rows.data();
  sparse.njc = 3;
  sparse.jc = starts.data();
  sparse.data = values.data();
  std::size_t dims[2] = {3, 2};
  create().write(Mat_VarCreate("x", MAT_C_SPARSE, MAT_T_DOUBLE, 2, dims, &sparse, MAT_F_DONT_COPY_DATA));
  EXPECT_EQ(read_dataset(path()).domain.features.view(), (Matrix(2, 3) << 5, 0, 0, 0, 0, 7).finished());
}

TEST(MatFile, RefusesASparseMatrixThatWouldFillAllMemory) {
  const ScratchFolder folder;
  // No entries, but 2^31-1 rows: the array flags, dimensions and name are followed by rows, column starts,
  // values.
  const std::string nothing = testing::mat_element(5, "") +
                              testing::mat_element(5, testing::raw<std::int32_t>({0, 0, 0})) +
                              testing::mat_element(9, "");
  const auto path =
      folder.file("a.mat", testing::mat5_file(testing::mat_matrix("x", {2147483647, 2}, nothing, false, 5)));
  try {
    read_dataset(path);
    FAIL() << "no error";
  } catch (const IoError& error) {
    EXPECT_NE(std::string(error.what()).find("variable 'x' (sparse 2147483647×2) would fill"),
              std::string::npos)
        << error.what();
  }
}

TEST_P(Mat, AsksWhichVariableWhenSeveralCouldBeTheFeatures) {
  create()
      .doubles("X_src", 3, 2, kSix)
      .doubles("X_tar", 3, 2, kSix)
      .doubles("Y_src", 3, 1, {1, 2, 3})
      .doubles("Y_tar", 2, 1, {4, 5});
  try {
    read_dataset(path());
    FAIL() << "no error";
  } catch (const IoError& error) {
    EXPECT_NE(
        std::string(error.what()).find("'X_src' (float64 3×2), 'X_tar' (float64 3×2), 'Y_src' (float64 3×1)"),
        std::string::npos)
        << error.what();
  }
  const Dataset source = read_dataset(path(), {.features = "X_src"});
  EXPECT_EQ(label_names(source.domain), (Names{"1", "2", "3"}));
  EXPECT_NE(fmt::format("{}", fmt::join(source.notes, "\n")).find("labels: variable 'Y_src'"),
            std::string::npos);
  const Dataset target = read_dataset(path(), {.features = "X_tar"});
  EXPECT_EQ(label_names(target.domain), (Names{"4", "5"}));
  EXPECT_EQ(target.domain.features.dimension(), 3);
}

TEST_P(Mat, RefusesASquareMatrixUnlessTold) {
  create().doubles("x", 2, 2, {1, 2, 3, 4}).doubles("y", 2, 1, {1, 2});
  EXPECT_THROW(read_dataset(path()), IoError);
  EXPECT_EQ(read_dataset(path(), {.samples = SampleAxis::Rows}).domain.features.view(),
            (Matrix(2, 2) << 1, 2, 3, 4).finished());
  EXPECT_EQ(read_dataset(path(), {.samples = SampleAxis::Columns}).domain.features.view(),
            (Matrix(2, 2) << 1, 3, 2, 4).finished());
}

TEST_P(Mat, ListsWhatItCannotRead) {
  std::size_t dims[2] = {1, 1};
  const char* fields[] = {"a"};
  {
    MatWriter writer = create();
    writer.doubles("x", 3, 2, kSix);
    matvar_t* const record = Mat_VarCreateStruct("info", 2, dims, fields, 1);
    double one = 1;
    Mat_VarSetStructFieldByName(record, "a", 0,
                                Mat_VarCreate(nullptr, MAT_C_DOUBLE, MAT_T_DOUBLE, 2, dims, &one, 0));
    writer.write(record);
  }
  const FileSummary summary = inspect_file(path());
  ASSERT_EQ(summary.variables.size(), 2U);
  EXPECT_TRUE(summary.dataset) << summary.problem;
  EXPECT_TRUE(summary.variables[0].type == "struct" || summary.variables[1].type == "struct");
}

/// Every cut and every changed byte must give data or an error, never a crash; cuts of v5 files always an
/// error.
TEST_P(Mat, SurvivesDamage) {
  create().doubles("x", 3, 2, kSix).cells("y", {"cat", "dog", "cat"});
  const std::string bytes = testing::file_bytes(path());
  const bool v5 = GetParam().version == MAT_FT_MAT5;
  const std::size_t step = v5 ? 3 : 197;
  const ScratchFolder folder;
  for (std::size_t length = 1; length < bytes.size(); length += step) {
    folder.file("cut.mat", std::string_view(bytes).substr(0, length));
    try {
      const Dataset data = read_dataset(folder / "cut.mat");
      EXPECT_TRUE(!v5 || !data.domain.labels) << "only a cut between variables may pass: " << length;
    } catch (const IoError&) {
    }
  }
  for (std::size_t at = 124; at < bytes.size(); at += step) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
    folder.file("damaged.mat", damaged);
    try {
      read_dataset(folder / "damaged.mat");
    } catch (const IoError&) {
    }
  }
}

TEST(MatFile, ReadsEitherEndianAndTheSmallTypesThatDoublesArePackedInto) {
  const ScratchFolder folder;
  for (const bool big_endian : {false, true}) {
    const std::string data =
        testing::mat_element(3, testing::raw<std::int16_t>({1, -2, 3, 4, 5, 600}, big_endian), big_endian);
    const auto path = folder.file(
        "a.mat", testing::mat5_file(testing::mat_matrix("features", {3, 2}, data, big_endian), big_endian));
    EXPECT_EQ(read_dataset(path).domain.features.view(), (Matrix(2, 3) << 1, -2, 3, 4, 5, 600).finished())
        << big_endian;
  }
}

TEST(MatFile, ReadsCharMatricesInUtf8) {
  const ScratchFolder folder;
  // Two rows "aö" and "b ", column by column.
  const std::string text = testing::mat_element(16, "abö ");
  const auto path =
      folder.file("a.mat", testing::mat5_file(testing::mat_matrix("y", {2, 2}, text, false, 4)));
  EXPECT_EQ(read_labels(path).classes.all(), (Names{"aö", "b"}));
}

TEST(Benchmarks, AreReadWithTheirShapesAndLabels) {
  ISTHMUS_REQUIRE_DATA(folder);
  struct Expected {
    const char* file;
    const char* features;
    Index count;
    Index dimension;
    int classes;
  };
  const std::vector<Expected> files{
      {"COIL_1.mat", "X_src", 720, 1024, 20},        {"COIL_1.mat", "X_tar", 720, 1024, 20},
      {"COIL_2.mat", "X_src", 720, 1024, 20},        {"COIL_2.mat", "X_tar", 720, 1024, 20},
      {"MNIST_vs_USPS.mat", "X_src", 2000, 256, 10}, {"MNIST_vs_USPS.mat", "X_tar", 1800, 256, 10},
      {"USPS_vs_MNIST.mat", "X_src", 1800, 256, 10}, {"USPS_vs_MNIST.mat", "X_tar", 2000, 256, 10},
      {"Caltech10_SURF_L10.mat", "", 1123, 800, 10}, {"amazon_SURF_L10.mat", "", 958, 800, 10},
      {"webcam_SURF_L10.mat", "", 295, 800, 10},     {"dslr_SURF_L10.mat", "", 157, 800, 10}};
  for (const Expected& expected : files) {
    const Dataset data = read_dataset(folder / expected.file, {.features = expected.features});
    EXPECT_EQ(data.domain.features.count(), expected.count) << expected.file;
    EXPECT_EQ(data.domain.features.dimension(), expected.dimension) << expected.file;
    ASSERT_TRUE(data.domain.labels) << expected.file;
    EXPECT_EQ(data.domain.labels->classes.size(), expected.classes) << expected.file;
    EXPECT_EQ(data.domain.labels->classes[0], "1");
    EXPECT_TRUE(data.domain.features.view().allFinite());
    if (expected.features[0] != '\0') {
      EXPECT_THROW(read_dataset(folder / expected.file), IoError);
    }
  }
  const Dataset swapped = read_dataset(folder / "COIL_2.mat", {.features = "X_src"});
  EXPECT_EQ(swapped.domain.features.view(),
            read_dataset(folder / "COIL_1.mat", {.features = "X_tar"}).domain.features.view());
}

}  // namespace
}  // namespace isthmus
