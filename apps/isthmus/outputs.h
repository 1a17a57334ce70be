#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

/// The files a command writes. Their paths are checked before the work starts, so that one that cannot be
/// written fails at once, and they are written together after it: all or none.
class Outputs {
 public:
  /// Checks that a file can be made at `path` and is not planned twice; throws IoError or InvalidArgument. An
  /// empty path (a flag not given) is passed over.
  void plan(const std::filesystem::path& path);

  /// Adds what goes into a planned file; passes over an empty path.
  void set(const std::filesystem::path& path, std::string text);
  /// One file may be written by the library itself; `write` must be atomic.
  void set(const std::filesystem::path& path, std::function<void(const std::filesystem::path&)> write);

  /// Writes everything. On a failure none of the files is there, or their older versions are.
  void commit() const;

 private:
  std::vector<std::filesystem::path> planned_;
  std::vector<std::pair<std::filesystem::path, std::string>> texts_;
  std::function<void()> library_file_;
};
