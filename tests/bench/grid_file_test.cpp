#include "bench/grid_file.h"

#include <gtest/gtest.h>

#include "scratch_folder.h"

namespace isthmus {
namespace {

using testing::ScratchFolder;

TEST(GridFile, IsReadFromJson) {
  const ScratchFolder folder;
  const auto grids = read_grids(
      folder.file("grid.json",
                  R"({"rsa-cdda": {"components": [[20, 50], "30"], "gamma": 1}, "jda": {"lambda": [0.5]}})"));
  EXPECT_EQ(grids.at("rsa-cdda").at("components"), (std::vector<std::string>{"20,50", "30"}));
  EXPECT_EQ(grids.at("rsa-cdda").at("gamma"), std::vector<std::string>{"1"});
  EXPECT_EQ(grids.at("jda").at("lambda"), std::vector<std::string>{"0.5"});
}

}  // namespace
}  // namespace isthmus
