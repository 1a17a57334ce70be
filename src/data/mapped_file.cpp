#include "data/mapped_file.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

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

void MappedFile::forget(const std::byte* from, std::size_t bytes) {
  static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto address = reinterpret_cast<std::uintptr_t>(from);
  const std::uintptr_t begin = address / page * page;
  // Advice only: where it is refused, the pages stay.
  ::madvise(reinterpret_cast<void*>(begin), address + bytes - begin, MADV_DONTNEED);
}

MappedArray map_array(const InputFile& file, std::uint64_t offset, const Layout& layout) {
  auto mapped = std::make_shared<const MappedFile>(file);
  return {mapped->data() + offset, layout, mapped};
}

}  // namespace isthmus
