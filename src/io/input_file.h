#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace isthmus {

/// A file to read, opened. Throws IoError that says what is wrong with the path: missing, a folder, not
/// readable, empty.
class InputFile {
 public:
  explicit InputFile(std::filesystem::path path);
  /// What a file would hold, in memory that outlives it; `name` is what messages call it. It has no
  /// descriptor.
  InputFile(std::string_view bytes, std::string name);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::uint64_t size() const { return size_; }
  int descriptor() const { return descriptor_; }

  /// Exactly `count` bytes from `offset`; throws IoError when the file ends before.
  void read(std::uint64_t offset, char* to, std::size_t count) const;
  /// The first `count` bytes, or the whole file where it is shorter.
  std::string head(std::size_t count) const;
  std::string read_all() const;

 private:
  [[noreturn]] void fail_at_end(std::uint64_t offset, std::size_t missing) const;

  std::filesystem::path path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  const char* memory_ = nullptr;
};

}  // namespace isthmus
