#include "data/mapped_file.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <system_error>

#include "isthmus/errors.h"

namespace isthmus {

MappedFile::MappedFile(const InputFile& file) : size_(static_cast<std::size_t>(file.size())) {
  void* const memory = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file.descriptor(), 0);
  if (memory == MAP_FAILED) {
    throw IoError(fmt::format("{}: cannot be mapped into memory: {}", file.path().string(),
                              std::generic_category().message(errno)));
  }
  data_ = static_cast<const std::byte*>(memory);
}

MappedFile::~MappedFile() {
  ::munmap(const_cast<std::byte*>(data_), size_);
}

void MappedFile::forget(const std::byte* from, std::size_t bytes) const {
  // Linux maps up to so many bytes around a page that is touched; they go with it.
  constexpr std::uintptr_t kAround = 1 << 16;
  const auto start = reinterpret_cast<std::uintptr_t>(data_);
  const auto address = reinterpret_cast<std::uintptr_t>(from);
  const std::uintptr_t begin = std::max(start, address / kAround * kAround);
  const std::uintptr_t end = std::min(start + size_, (address + bytes + kAround - 1) / kAround * kAround);
  // Advice only: where it is refused, the pages stay.
  ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

MappedArray map_array(const InputFile& file, std::uint64_t offset, const Layout& layout) {
  auto mapped = std::make_shared<const MappedFile>(file);
  return {mapped->data() + offset, layout, mapped};
}

}  // namespace isthmus
