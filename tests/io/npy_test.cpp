#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "fixtures.h"
#include "isthmus/data.h"
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
using testing::same_bits;
using testing::ScratchFolder;
using testing::write_zip;
using Names = std::vector<std::string>;

template <class T>
struct NpyKind {
  using Type = T;
};

template <class T>
std::string descr(bool big_endian) {
  const char kind = std::is_floating_point_v<T> ? 'f' : std::is_signed_v<T> ? 'i' : 'u';
  return fmt::format("{}{}{}", big_endian ? '>' : '<', kind, sizeof(T));
}

template <class T>
class Npy : public ::testing::Test {};
using NumberTypes = ::testing::Types<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
                                     std::uint32_t, std::int64_t, std::uint64_t, float, double>;
TYPED_TEST_SUITE(Npy, NumberTypes);

TYPED_TEST(Npy, ReadsEitherEndianAndOrderInEveryVersion) {
  using T = TypeParam;
  const ScratchFolder folder;
  const T low = std::numeric_limits<T>::lowest();
  const T high = std::numeric_limits<T>::max();
  // Two samples of three features.
  const std::vector<T> by_rows{low, T(1), T(2), T(3), high, T(5)};
  const std::vector<T> by_columns{low, T(3), T(1), high, T(2), T(5)};
  Matrix expected(3, 2);
  expected << double(low), 3, 1, double(high), 2, 5;
  for (const bool big_endian : {false, true}) {
    for (const bool fortran : {false, true}) {
      for (const int version : {1, 2, 3}) {
        const std::string data = raw(fortran ? by_columns : by_rows, big_endian);
        const auto path = folder.file("a.npy", npy(descr<T>(big_endian), "(2, 3)", data, fortran, version));
        for (const std::uintmax_t map_from : {0, 1000}) {
          const Dataset read = read_dataset(path, {.map_from = map_from});
          EXPECT_TRUE(same_bits(read.domain.features.view(), expected))
              << big_endian << fortran << version << map_from;
          EXPECT_EQ(read.format, "npy");
        }
      }
    }
  }
}

TYPED_TEST(Npy, ReadsLabelsExactly) {
  using T = TypeParam;
  const ScratchFolder folder;
  const std::vector<T> values{T(1), std::numeric_limits<T>::max(), T(1)};
  const Labels labels = read_labels(folder.file("y.npy", npy(descr<T>(true), "(3,)", raw(values, true))));
  if constexpr (std::is_integral_v<T>) {
    EXPECT_TRUE(labels.classes.find(std::to_string(values[1]))) << "64-bit labels must not be rounded";
  }
  EXPECT_EQ(labels.ids[0], labels.ids[2]);
  EXPECT_NE(labels.ids[0], labels.ids[1]);
}

TEST(NpyFile, ReadsHalvesAndBools) {
  const ScratchFolder folder;
  // 1, -2, smallest subnormal, largest, infinite, -0
  const std::string halves = raw<std::uint16_t>({0x3c00, 0xc000, 0x0001, 0x7bff, 0x7c00, 0x8000});
  const Dataset read = read_dataset(folder.file("h.npy", npy("<f2", "(1, 6)", halves)));
  Matrix expected(6, 1);
  expected << 1, -2, 5.9604644775390625e-08, 65504, std::numeric_limits<double>::infinity(), -0.0;
  EXPECT_TRUE(same_bits(read.domain.features.view(), expected));
  const Dataset flags =
      read_dataset(folder.file("b.npy", npy("|b1", "(2, 2)", raw<std::uint8_t>({1, 0, 0, 1}))));
  EXPECT_EQ(flags.domain.features.view(), Matrix::Identity(2, 2));
}

TEST(NpyFile, ReadsAVectorAsSamplesOfOneFeature) {
  const ScratchFolder folder;
  const Dataset read = read_dataset(folder.file("v.npy", npy("<f8", "(3,)", raw<double>({1, 2, 3}))));
  EXPECT_EQ(read.domain.features.view(), (Matrix(1, 3) << 1, 2, 3).finished());
}

TEST(NpyFile, ReadsSamplesByColumnsWhenTold) {
  const ScratchFolder folder;
  const auto path = folder.file("v.npy", npy("<f8", "(2, 3)", raw<double>({1, 2, 3, 4, 5, 6})));
  const Dataset read = read_dataset(path, {.samples = SampleAxis::Columns});
  EXPECT_EQ(read.domain.features.view(), (Matrix(2, 3) << 1, 2, 3, 4, 5, 6).finished());
}

TEST(NpyFile, ReadsTextLabels) {
  const ScratchFolder folder;
  const std::string words("cat\0dogs", 8);
  const Labels bytes = read_labels(folder.file("s.npy", npy("|S4", "(2,)", words)));
  EXPECT_EQ(bytes.classes.all(), (Names{"cat", "dogs"}));
  for (const bool big_endian : {false, true}) {
    const std::string units = raw<std::uint32_t>({'a', 0xe4, 'b', 0, 0x1f600, 0x20ac}, big_endian);
    const Labels wide = read_labels(folder.file("u.npy", npy(big_endian ? ">U2" : "<U2", "(3,)", units)));
    EXPECT_EQ(label_names({FeatureMatrix(), wide}), (Names{"aä", "b", "😀€"}));
  }
}

TEST(NpyFile, WritesWhatReadsBackBitEqual) {
  const ScratchFolder folder;
  Matrix values = random_matrix(4, 9, 1);
  values(0, 0) = std::numeric_limits<double>::quiet_NaN();
  write_dataset(folder / "a.npy", {values, std::nullopt});
  EXPECT_TRUE(same_bits(read_dataset(folder / "a.npy").domain.features.view(), values));
  EXPECT_EQ(testing::file_bytes(folder / "a.npy").size() % 64, (4 * 9 * 8) % 64)
      << "the header ends at a multiple of 64";
}

TEST(Npz, ReadsFeaturesAndLabelsPackedOrStored) {
  const ScratchFolder folder;
  const std::string x = npy("<f4", "(3, 2)", raw<float>({1, 2, 3, 4, 5, 6}));
  for (const bool deflated : {true, false}) {
    const auto path =
        write_zip(folder / "a.npz",
                  {{"X.npy", x}, {"y.npy", npy("<i8", "(3,)", raw<std::int64_t>({7, 8, 7}))}}, deflated);
    const Dataset read = read_dataset(path);
    EXPECT_EQ(read.format, "npz");
    EXPECT_EQ(read.domain.features.view(), (Matrix(2, 3) << 1, 3, 5, 2, 4, 6).finished());
    EXPECT_EQ(label_names(read.domain), (Names{"7", "8", "7"}));
    EXPECT_FALSE(read_dataset(path, {.without_labels = true}).domain.labels);
  }
}

TEST(Npz, FindsLabelsByTheirKinshipWithTheFeatures) {
  const ScratchFolder folder;
  const auto matrix = [](double first) { return npy("<f8", "(2, 2)", raw<double>({first, 2, 3, 4})); };
  const auto vector = [](std::int32_t first) { return npy("<i4", "(2,)", raw<std::int32_t>({first, 9})); };
  const auto path = write_zip(folder / "a.npz", {{"X_train.npy", matrix(1)},
                                                 {"X_test.npy", matrix(5)},
                                                 {"y_train.npy", vector(1)},
                                                 {"y_test.npy", vector(5)},
                                                 {"Xs.npy", matrix(8)},
                                                 {"Ys.npy", vector(8)}});
  EXPECT_EQ(label_names(read_dataset(path, {.features = "X_test"}).domain), (Names{"5", "9"}));
  EXPECT_EQ(label_names(read_dataset(path, {.features = "Xs"}).domain), (Names{"8", "9"}));
  EXPECT_EQ(read_dataset(path, {.labels = "y_train"}).domain.features.view()(0, 0), 1);
  EXPECT_THROW(read_dataset(path), IoError);
}

}  // namespace
}  // namespace isthmus
