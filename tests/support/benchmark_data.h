#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>

namespace isthmus::testing {

/// The folder of the real benchmark files, from ISTHMUS_DATA.
inline std::optional<std::filesystem::path> benchmark_data() {
  const char* folder = std::getenv("ISTHMUS_DATA");
  if (folder == nullptr || !std::filesystem::exists(std::filesystem::path(folder) / "COIL_1.mat"))
    return std::nullopt;
  return folder;
}

/// The folder of the fields (`isthmus bench fields`), from ISTHMUS_FIELDS.
inline std::optional<std::filesystem::path> fields_data() {
  const char* folder = std::getenv("ISTHMUS_FIELDS");
  if (folder == nullptr || !std::filesystem::exists(std::filesystem::path(folder) / "suite.json"))
    return std::nullopt;
  return folder;
}

}  // namespace isthmus::testing

/// Skips the test, saying so, where the benchmark files are not at hand.
#define ISTHMUS_REQUIRE_DATA(folder)                                                                         \
  const auto found_##folder = isthmus::testing::benchmark_data();                                            \
  if (!found_##folder) GTEST_SKIP() << "the benchmark files are not here: set ISTHMUS_DATA to their folder"; \
  const std::filesystem::path folder = *found_##folder

/// The same for the fields.
#define ISTHMUS_REQUIRE_FIELDS(folder)                                                                \
  const auto found_##folder = isthmus::testing::fields_data();                                        \
  if (!found_##folder) GTEST_SKIP() << "the fields are not here: set ISTHMUS_FIELDS to their folder"; \
  const std::filesystem::path folder = *found_##folder
