// MATLAB 7.3 files that would crash the HDF5 library in this process.
#include <gtest/gtest.h>

#include <random>

#include "fixtures.h"
#include "isthmus/data.h"
#include "isthmus/errors.h"
#include "scratch_folder.h"

namespace isthmus {
namespace {

using testing::MatWriter;
using testing::ScratchFolder;

std::string good_file(const ScratchFolder& folder, matio_compression compression) {
  const auto path = folder / "good.mat";
  std::filesystem::remove(path);
  MatWriter(path, MAT_FT_MAT73, compression)
      .doubles("x", 3, 2, {1, 2, 3, 4, 5, 6})
      .cells("y", {"cat", "dog", "cat"});
  return testing::file_bytes(path);
}

TEST(Mat73, DamageOfAnyKindGivesDataOrAnError) {
  const ScratchFolder folder;
  std::mt19937 random(7);
  const auto below = [&](std::size_t bound) { return random() % bound; };
  int refused = 0;
  for (const auto compression : {MAT_COMPRESSION_NONE, MAT_COMPRESSION_ZLIB}) {
    const std::string good = good_file(folder, compression);
    for (int round = 0; round < 60; ++round) {
      std::string bytes = good;
      for (std::size_t i = 0; i < 1 + below(24); ++i) {
        // Behind the 512 bytes of MATLAB and the HDF5 signature, which is all that a plain reader would
        // check.
        bytes[520 + below(bytes.size() - 520)] = static_cast<char>(below(4) == 0 ? 0xff : random());
      }
      if (below(8) == 0) bytes.resize(600 + below(bytes.size() - 600));
      const auto path = folder.file("damaged.mat", bytes);
      try {
        const Dataset data = read_dataset(path);
        EXPECT_GT(data.domain.features.count() * data.domain.features.dimension(), 0);
      } catch (const IoError& error) {
        ++refused;
        EXPECT_TRUE(std::string(error.what()).starts_with(path.string())) << error.what();
      }
      inspect_file(path);
    }
  }
  EXPECT_GT(refused, 20);
}

TEST(Mat73, ANameOfAnyBytesComesBackAsItIs) {
  const ScratchFolder folder;
  const auto path = folder / "a.mat";
  MatWriter(path, MAT_FT_MAT73).doubles("caf\xe9", 2, 2, {1, 2, 3, 4});
  EXPECT_EQ(inspect_file(path).variables.at(0).name, "caf\xe9");
  EXPECT_EQ(read_dataset(path, {.features = "caf\xe9"}).domain.features.count(), 2);
}

}  // namespace
}  // namespace isthmus
