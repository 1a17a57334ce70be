#include "io/mapped_file.h"

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
  // With a page that is touched Linux maps the piece of the page cache it lies in, of so many bytes at most
  // and aligned in the file; what was forgotten of it before goes with it.
  constexpr std::size_t kPiece = std::size_t{2} << 20;
  const auto offset = static_cast<std::size_t>(from - data_);
  const std::size_t begin = offset / kPiece * kPiece;
  const std::size_t end = std::min(size_, (offset + bytes + kPiece - 1) / kPiece * kPiece);
  // Advice only: where it is refused, the pages stay.
  ::madvise(const_cast<std::byte*>(data_) + begin, end - begin, MADV_DONTNEED);
}

MappedArray map_array(const InputFile& file, std::uint64_t offset, const Layout& layout) {
  auto mapped = std::make_shared<const MappedFile>(file);
  return {mapped->data() + offset, layout, mapped};
}

}  // namespace isthmus
