#pragma once

#include <filesystem>
#include <string_view>

namespace isthmus {

/// Writes a file so that a reader sees the old one or the whole new one: temporary file in the same folder,
/// fsync, rename. Throws IoError (path, reason) and leaves nothing behind. In `append` calls no size limit.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();  ///< without commit(): the temporary file is removed, the old file stays
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);
  void commit();

 private:
  std::filesystem::path path_;
  std::filesystem::path temporary_;
  int descriptor_ = -1;
};

}  // namespace isthmus
