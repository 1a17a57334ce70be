#include "io/input_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "isthmus/errors.h"

namespace isthmus {

InputFile::InputFile(std::filesystem::path path) : path_(std::move(path)) {
  descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor_ < 0) {
    throw IoError(fmt::format("{}: cannot open: {}; check the path and its permissions", path_.string(),
                              std::generic_category().message(errno)));
  }
  struct stat status = {};
  const bool known = ::fstat(descriptor_, &status) == 0;
  size_ = known ? static_cast<std::uint64_t>(status.st_size) : 0;
  if (known && S_ISREG(status.st_mode) && size_ > 0) return;
  ::close(descriptor_);
  if (known && S_ISDIR(status.st_mode)) {
    throw IoError(fmt::format("{}: is a folder; give a file in it", path_.string()));
  }
  if (known && !S_ISREG(status.st_mode)) {
    throw IoError(fmt::format("{}: is no regular file; save the data to a file first", path_.string()));
  }
  throw IoError(fmt::format("{}: the file is empty; expected samples", path_.string()));
}

InputFile::InputFile(std::string_view bytes, std::string name)
    : path_(std::move(name)), size_(bytes.size()), memory_(bytes.data()) {
  if (bytes.empty()) throw IoError(fmt::format("{}: there are none", path_.string()));
}

InputFile::~InputFile() {
  if (memory_ == nullptr) ::close(descriptor_);
}

void InputFile::read(std::uint64_t offset, char* to, std::size_t count) const {
  if (memory_ != nullptr) {
    const std::size_t there = offset < size_ ? std::min<std::size_t>(count, size_ - offset) : 0;
    if (there > 0) std::memcpy(to, memory_ + offset, there);
    if (there < count) fail_at_end(offset + there, count - there);
    return;
  }
  while (count > 0) {
    const ssize_t got = ::pread(descriptor_, to, count, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      throw IoError(fmt::format("{}: cannot read at byte {}: {}", path_.string(), offset,
                                std::generic_category().message(errno)));
    }
    if (got == 0) fail_at_end(offset, count);
    to += got;
    offset += static_cast<std::uint64_t>(got);
    count -= static_cast<std::size_t>(got);
  }
}

void InputFile::fail_at_end(std::uint64_t offset, std::size_t missing) const {
  throw IoError(fmt::format("{}: the file ends at byte {}, {} more were expected; it is truncated",
                            path_.string(), offset, missing));
}

std::string InputFile::head(std::size_t count) const {
  std::string bytes(static_cast<std::size_t>(std::min<std::uint64_t>(count, size_)), '\0');
  read(0, bytes.data(), bytes.size());
  return bytes;
}

std::string InputFile::read_all() const {
  return head(static_cast<std::size_t>(size_));
}

}  // namespace isthmus
