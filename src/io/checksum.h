#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "isthmus/execution.h"

namespace isthmus {

/// SHA-256 (FIPS 180-4) of bytes that come piece by piece.
class Sha256 {
 public:
  /// Processor: by its own instructions, where it has them; Portable everywhere else. The sums are the same.
  enum class Engine { Processor, Portable };
  explicit Sha256(Engine engine = Engine::Processor);

  void update(std::string_view bytes);
  /// The sum in 64 small hexadecimal digits; ends the computation.
  std::string finish();

 private:
  using State = std::array<std::uint32_t, 8>;
  using Compress = void (*)(State& state, const unsigned char* data, std::size_t blocks);
  static constexpr std::size_t kBlock = 64;

  static void compress_portable(State& state, const unsigned char* data, std::size_t blocks);
  static Compress processor_compress();

  Compress compress_;
  State state_;
  std::array<unsigned char, kBlock> waiting_{};  ///< the start of a block that is not full yet
  std::uint64_t bytes_ = 0;                      ///< so far
};

std::string sha256(std::string_view bytes);
/// Reads the file in pieces. Throws IoError when it cannot be read or is empty.
std::string sha256_file(const std::filesystem::path& path, const Execution& run);

}  // namespace isthmus
