#include "io/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <optional>
#include <system_error>
#include <utility>

#include "isthmus/errors.h"

namespace isthmus {
namespace {

namespace fs = std::filesystem;

/// What must be written in place: renaming over it would replace a device, a pipe or the shell's open file.
bool is_special(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::exists(status) && !fs::is_regular_file(status)) return true;
  const std::string text = path.lexically_normal().string();
  return text.starts_with("/dev/fd/") || text.starts_with("/dev/std") || text.starts_with("/proc/");
}

/// The open descriptor that such a path names: opened anew, a file that the shell appends to would be
/// overwritten from its beginning.
std::optional<int> own_descriptor(const fs::path& path) {
  const std::string text = path.lexically_normal().string();
  if (text == "/dev/stdout") return STDOUT_FILENO;
  if (text == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!text.starts_with(folder)) continue;
    int number = -1;
    const char* const last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data() + folder.size(), last, number);
    if (error == std::errc() && end == last) return number;
  }
  return std::nullopt;
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

}  // namespace

fs::path behind_links(fs::path path) {
  constexpr int kMostLinks = 40;  // as many as the system follows
  const std::string given = path.string();
  std::error_code error;
  for (int i = 0; i < kMostLinks; ++i) {
    if (!fs::is_symlink(fs::symlink_status(path, error))) return path;
    const fs::path link = fs::read_symlink(path, error);
    if (error) break;
    path = folder_of(path) / link;
  }
  throw IoError(fmt::format("{}: cannot follow the link: {}; give the file it should lead to", given,
                            error ? error.message() : "it leads in a circle"));
}

void sync_folder(const fs::path& folder) {
  // Not every file system lets a folder be synced; the file itself is safe by now.
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

AtomicFile::AtomicFile(fs::path path) : path_(std::move(path)), target_(path_) {
  std::error_code error;
  if (path_.empty()) throw IoError("cannot write: the path is empty; give a file name");
  if (fs::is_directory(path_, error)) {
    throw IoError(fmt::format("{}: cannot write: it is a folder; give a file name", path_.string()));
  }
  direct_ = is_special(path_);
  if (direct_) {
    const auto own = own_descriptor(path_);
    descriptor_ = own ? ::fcntl(*own, F_DUPFD_CLOEXEC, 0) : ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail("open", errno);
    return;
  }
  target_ = behind_links(path_);
  open_temporary();
}

template <class Make>
bool AtomicFile::name_temporary(const Make& make) {
  static std::atomic<unsigned> serial{0};
  for (int attempt = 0; attempt < 100; ++attempt) {
    temporary_ = folder_of(target_) / fmt::format(".isthmus-{}-{}.tmp", ::getpid(), serial++);
    if (make(temporary_.c_str())) return true;
    if (errno != EEXIST) break;
  }
  temporary_.clear();
  return false;
}

bool AtomicFile::open_nameless() {
  // A name is given through /proc later.
  if (::access("/proc/self/fd", X_OK) != 0) return false;
  descriptor_ = ::open(folder_of(target_).c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
  return descriptor_ >= 0;
}

void AtomicFile::open_named() {
  // Not mkstemp: its mode 0600 would outlive the rename. Here the umask applies as to any new file.
  const auto make = [this](const char* name) {
    descriptor_ = ::open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    return descriptor_ >= 0;
  };
  if (!name_temporary(make)) fail("create a file in its folder", errno);
}

void AtomicFile::open_temporary() {
  if (!open_nameless()) open_named();
  struct stat old = {};
  if (::stat(target_.c_str(), &old) != 0) return;
  // The owner before the mode, which a change of owner cuts. Who may not give files away may still be in the
  // group; programs that run as their owner are not made for another one.
  const bool kept = ::fchown(descriptor_, old.st_uid, old.st_gid) == 0;
  const bool group_kept = kept || ::fchown(descriptor_, static_cast<uid_t>(-1), old.st_gid) == 0;
  ::fchmod(descriptor_, old.st_mode & (kept ? 07777U : group_kept ? 03777U : 01777U));
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::fail(const char* step, int error) const {
  throw IoError(fmt::format("{}: cannot {}: {}; check the folder, its permissions and the free space",
                            path_.string(), step, std::generic_category().message(error)));
}

void AtomicFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("write", errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void AtomicFile::prepare() {
  // A pipe or a device cannot be synced and says EINVAL; a regular file must be.
  if (direct_ || prepared_) return;
  if (::fsync(descriptor_) != 0) fail("write", errno);
  prepared_ = true;
  if (!temporary_.empty()) return;
  const std::string nameless = fmt::format("/proc/self/fd/{}", descriptor_);
  const auto link = [&](const char* name) {
    return ::linkat(AT_FDCWD, nameless.c_str(), AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
  };
  if (!name_temporary(link)) fail("create a file in its folder", errno);
}

void AtomicFile::commit() {
  prepare();
  if (::close(std::exchange(descriptor_, -1)) != 0) fail("close", errno);
  if (direct_) return;
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail("put the new file in place", errno);
  temporary_.clear();
  sync_folder(folder_of(target_));
}

}  // namespace isthmus
