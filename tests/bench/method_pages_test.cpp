#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "bench/options_markdown.h"

namespace isthmus {
namespace {

std::string content(const std::filesystem::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(MethodPages, EveryMethodHasAPageWithItsOptionsAsTheyAre) {
  for (const MethodInfo& method : methods()) {
    const std::filesystem::path page =
        std::filesystem::path(ISTHMUS_DOCS) / "methods" / (std::string(method.name) + ".md");
    const std::string text = content(page);
    ASSERT_FALSE(text.empty()) << page;
    const std::string section = "<!-- options:" + std::string(method.name) + " -->\n" +
                                options_markdown(method) + "<!-- /options -->";
    EXPECT_NE(text.find(section), std::string::npos) << page << " is behind; run tools/update-docs";
  }
}

}  // namespace
}  // namespace isthmus
