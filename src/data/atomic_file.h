#pragma once

#include <filesystem>
#include <string_view>

namespace isthmus {

/// Writes a file so that a reader sees the old one or the whole new one: temporary file in the same folder,
/// fsync, rename. Throws IoError (path, reason) and leaves nothing behind. A link is followed, not replaced;
/// what is no regular file (/dev/stdout, a pipe) is written directly.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();  ///< without commit(): the temporary file is removed, the old file stays
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);
  void commit();

 private:
  [[noreturn]] void fail(const char* step, int error) const;
  void open_temporary();

  std::filesystem::path path_;       ///< as given, for messages
  std::filesystem::path target_;     ///< links resolved
  std::filesystem::path temporary_;  ///< empty when written directly, or done
  int descriptor_ = -1;
};

/// Makes a rename in the folder last, where the file system can.
void sync_folder(const std::filesystem::path& folder);

}  // namespace isthmus
