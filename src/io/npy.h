#pragma once

#include <string>

#include "io/array_file.h"

namespace isthmus {

/// The header of a NPY array (versions 1 to 3) at the start of `stream`, which has `available` bytes; the
/// elements follow. Checks that they are as many as shape and type say. `where` names the file or its entry.
ArrayInfo read_npy_header(const ByteStream& stream, std::uint64_t available, const std::string& where);

}  // namespace isthmus
