#pragma once

#include <cstddef>
#include <memory>

#include "io/element.h"
#include "io/input_file.h"

namespace isthmus {

/// A whole file as memory, read by the system as it is touched. Where the file is made shorter by someone
/// else meanwhile, touching what is gone raises SIGBUS.
class MappedFile {
 public:
  /// Throws IoError where the system cannot.
  explicit MappedFile(const InputFile& file);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  const std::byte* data() const { return data_; }

  /// Gives the pages of a part back to the system, which reads them again when they are touched: a pass over
  /// a file larger than memory then does not fill it.
  void forget(const std::byte* from, std::size_t bytes) const;

 private:
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

/// The elements of an array in a mapped file.
struct MappedArray {
  const std::byte* data = nullptr;
  Layout layout;
  std::shared_ptr<const MappedFile> file;
};
MappedArray map_array(const InputFile& file, std::uint64_t offset, const Layout& layout);

}  // namespace isthmus
