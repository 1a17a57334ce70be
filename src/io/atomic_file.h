#pragma once

#include <filesystem>
#include <string_view>

namespace isthmus {

/// Writes a file so that a reader sees the old one or the whole new one: temporary file in the same folder,
/// fsync, rename. Throws IoError (path, reason) and leaves nothing behind. Where the file system has files
/// without a name, the temporary one gets its name only before the rename, so that a process that is killed
/// leaves nothing behind either. A link is followed, not replaced; a file that is replaced keeps its mode,
/// and its owner and group where the process may give them; what is no regular file (/dev/stdout, a pipe) is
/// written directly.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();  ///< without commit(): the temporary file is removed, the old file stays
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);
  /// Brings everything to the disk: afterwards commit() needs no more space.
  void prepare();
  void commit();

 private:
  [[noreturn]] void fail(const char* step, int error) const;
  void open_temporary();
  bool open_nameless();
  void open_named();
  /// Tries `make` with fresh names for the temporary file until one is not taken; false: `make` set errno.
  template <class Make>
  bool name_temporary(const Make& make);

  std::filesystem::path path_;       ///< as given, for messages
  std::filesystem::path target_;     ///< links resolved
  std::filesystem::path temporary_;  ///< empty when written directly, without a name yet, or done
  int descriptor_ = -1;
  bool direct_ = false;    ///< written in place
  bool prepared_ = false;  ///< on the disk, under a name
};

/// The path itself, or what the link there leads to, whether or not there is a file yet. Throws IoError on
/// links in a circle.
std::filesystem::path behind_links(std::filesystem::path path);

/// Makes a rename in the folder last, where the file system can.
void sync_folder(const std::filesystem::path& folder);

}  // namespace isthmus
