#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace isthmus {

/// SHA-256 of bytes that come piece by piece.
class Sha256 {
 public:
  Sha256();

  void update(std::string_view bytes);
  /// The sum in 64 small hexadecimal digits; ends the computation.
  std::string finish();

 private:
  std::unique_ptr<void, void (*)(void*)> state_;
};

std::string sha256(std::string_view bytes);
/// Reads the file in pieces. Throws IoError when it cannot be read or is empty.
std::string sha256_file(const std::filesystem::path& path);

}  // namespace isthmus
