#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>

namespace isthmus::fuzz {

/// The most memory that reading a file may hold at a time.
struct MemoryBound {
  std::size_t per_byte;  ///< of the file
  std::size_t fixed;
};

/// Calls `read` with a file (in memory) of those bytes. An isthmus::Error is how a bad file is refused; any
/// other exception, and an allocation beyond the bound, ends the program, which libFuzzer reports.
void read_watched(const std::uint8_t* data, std::size_t size, MemoryBound bound,
                  const std::function<void(const std::filesystem::path&)>& read);

/// The same file once more for a second reader; only inside `read`.
void attempt(const std::function<void()>& read);

}  // namespace isthmus::fuzz
