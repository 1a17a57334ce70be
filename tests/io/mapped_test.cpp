#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>

#include "fixtures.h"
#include "isthmus/data.h"
#include "random_data.h"
#include "scratch_folder.h"

namespace isthmus {
namespace {

using testing::MatWriter;
using testing::npy;
using testing::random_matrix;
using testing::raw;
using testing::safetensors;
using testing::ScratchFolder;

const ReadOptions kMapped{.map_from = 0};

/// Whether doubles are used where they lie in the file.
bool in_place(const FeatureMatrix& features) {
  return features.streams() && features.view().data() == features.view().data();
}

TEST(MappedFile, DoublesAreUsedWhereTheyLieEvenAfterTheFileIsDeleted) {
  const ScratchFolder folder;
  const Matrix values = random_matrix(5, 2000, 1);
  for (const char* name : {"a.npy", "a.safetensors"}) {
    write_dataset(folder / name, {values, {}});
    const Dataset read = read_dataset(folder / name, kMapped);
    std::filesystem::remove(folder / name);
    EXPECT_TRUE(in_place(read.domain.features)) << name;
    EXPECT_EQ(read.domain.features.columns(700, 600), values.middleCols(700, 600)) << name;
    EXPECT_EQ(read.domain.features.view(), values) << name;
  }
}

TEST(MappedFile, LevelFiveMatIsUsedInPlaceWhereItIsPlain) {
  const ScratchFolder folder;
  const Matrix values = random_matrix(4, 30, 2);
  const std::vector<double> list(values.data(), values.data() + values.size());
  for (const auto& [compression, plain] :
       {std::pair(MAT_COMPRESSION_NONE, true), std::pair(MAT_COMPRESSION_ZLIB, false)}) {
    MatWriter(folder / "a.mat", MAT_FT_MAT5, compression)
        .doubles("other", 2, 2, {1, 2, 3, 4})
        .doubles("x", 4, 30, list)
        .doubles("y", 30, 1, std::vector<double>(30, 1.0));
    const Dataset read = read_dataset(folder / "a.mat", {.features = "x", .map_from = 0});
    EXPECT_EQ(in_place(read.domain.features), plain);
    EXPECT_EQ(read.domain.features.view(), values);
  }
}

TEST(MappedFile, ValuesThatDoNotLieOnTheirBoundsAreReadAllTheSame) {
  const ScratchFolder folder;
  const std::vector<double> values{1.5, -2, 3, 4, 5, 1e300};
  const std::string header = R"({"x":{"dtype":"F64","shape":[2,3],"data_offsets":[0,48]}})";
  for (std::size_t blanks = 0; blanks < 8; ++blanks) {
    const auto path =
        folder.file("a.safetensors", safetensors(header + std::string(blanks, ' '), raw(values)));
    EXPECT_EQ(read_dataset(path, kMapped).domain.features.view(),
              (Matrix(3, 2) << 1.5, 4, -2, 5, 3, 1e300).finished());
  }
}

TEST(MappedFile, SmallTypesStayAsSmallAsTheyAre) {
  const ScratchFolder folder;
  const std::string bytes = npy("|u1", "(2, 3)", std::string("\x01\x02\x03\x04\x05\xff", 6));
  for (const std::uintmax_t map_from : {0, 1000}) {
    const Dataset read = read_dataset(folder.file("a.npy", bytes), {.map_from = map_from});
    EXPECT_TRUE(read.domain.features.streams()) << "held as bytes, mapped or read";
    EXPECT_EQ(read.domain.features.view(), (Matrix(3, 2) << 1, 4, 2, 5, 3, 255).finished());
  }
}

TEST(MappedFile, LeavesSignalsToTheProgramAroundTheLibrary) {
  const auto handler = [](int number) {
    struct sigaction action {};
    ::sigaction(number, nullptr, &action);
    return action.sa_handler;
  };
  const auto of_bus_errors = handler(SIGBUS);
  const auto of_interrupts = handler(SIGINT);
  const ScratchFolder folder;
  write_dataset(folder / "a.npy", {random_matrix(5, 2000, 4), {}});
  const Dataset read = read_dataset(folder / "a.npy", kMapped);
  EXPECT_TRUE(read.domain.features.streams());
  EXPECT_EQ(handler(SIGBUS), of_bus_errors);
  EXPECT_EQ(handler(SIGINT), of_interrupts);
}

TEST(MappedFile, SmallFilesAreReadAtOnceByDefault) {
  const ScratchFolder folder;
  write_dataset(folder / "a.npy", {random_matrix(5, 20, 3), {}});
  EXPECT_FALSE(read_dataset(folder / "a.npy").domain.features.streams());
}

}  // namespace
}  // namespace isthmus
