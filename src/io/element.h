#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isthmus/features.h"
#include "isthmus/matrix.h"

namespace isthmus {

/// What one element of a stored array is.
enum class Element {
  Bool,
  Int8,
  UInt8,
  Int16,
  UInt16,
  Int32,
  UInt32,
  Int64,
  UInt64,
  Float16,
  Float32,
  Float64,
  Bytes,    ///< fixed-width byte string, padded with NUL
  Unicode,  ///< fixed-width UTF-32 string, padded with NUL
  Text,     ///< strings of any length, not stored as plain bytes (MATLAB char and cell arrays)
  Other,    ///< listed, never read
};

/// "float64", "uint8", "text"
std::string_view element_name(Element element);
bool is_number(Element element);
/// Bytes of a number; 0 for the others.
std::size_t element_bytes(Element element);

/// Number of elements; nothing on a negative length or when it does not fit 63 bits.
std::optional<std::uint64_t> element_count(std::span<const Index> shape);

/// How elements lie in a file.
struct Layout {
  Element element = Element::Float64;
  std::size_t item_bytes = 8;
  bool big_endian = false;
};

/// Fills the buffer with the next bytes of an array.
using ByteStream = std::function<void(char* to, std::size_t count)>;

/// The next `count` elements as numbers, exactly (64-bit integers are rounded).
void read_numbers(const ByteStream& stream, const Layout& layout, std::uint64_t count, double* to);
/// How elements of that layout become doubles in memory; null where they are doubles that this machine can
/// use in place.
LoadValues load_elements(const Layout& layout, bool aligned = true);
/// The next `count` elements as words: integers exactly, floats in their shortest form, text as UTF-8.
std::vector<std::string> read_words(const ByteStream& stream, const Layout& layout, std::uint64_t count);

}  // namespace isthmus
