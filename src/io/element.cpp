#include "io/element.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "core/text.h"

namespace isthmus {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 20;

struct ElementTraits {
  std::string_view name;
  std::size_t bytes;
};
constexpr std::array<ElementTraits, 16> kTraits{{{"bool", 1},
                                                 {"int8", 1},
                                                 {"uint8", 1},
                                                 {"int16", 2},
                                                 {"uint16", 2},
                                                 {"int32", 4},
                                                 {"uint32", 4},
                                                 {"int64", 8},
                                                 {"uint64", 8},
                                                 {"float16", 2},
                                                 {"float32", 4},
                                                 {"float64", 8},
                                                 {"text", 0},
                                                 {"text", 0},
                                                 {"text", 0},
                                                 {"other", 0}}};

/// IEEE 754 binary16, every value of which a double holds.
struct Half {
  std::uint16_t bits;
};

double to_double(Half half) {
  const int exponent = (half.bits >> 10) & 0x1f;
  const int fraction = half.bits & 0x3ff;
  const double sign = (half.bits & 0x8000) != 0 ? -1.0 : 1.0;
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  if (exponent == 31) {
    return fraction == 0 ? sign * std::numeric_limits<double>::infinity()
                         : std::numeric_limits<double>::quiet_NaN();
  }
  return sign * std::ldexp(1024 + fraction, exponent - 25);
}

template <class T>
double to_double(T value) {
  return static_cast<double>(value);
}

template <class T>
T load(const char* from, bool big_endian) {
  std::array<char, sizeof(T)> bytes;
  std::memcpy(bytes.data(), from, sizeof(T));
  if (big_endian != (std::endian::native == std::endian::big)) std::reverse(bytes.begin(), bytes.end());
  return std::bit_cast<T>(bytes);
}

/// Calls visit(T{}) with the C++ type of a number.
template <class Visit>
void with_type(Element element, Visit&& visit) {
  switch (element) {
    case Element::Int8:
      return visit(std::int8_t{});
    case Element::Bool:
    case Element::UInt8:
      return visit(std::uint8_t{});
    case Element::Int16:
      return visit(std::int16_t{});
    case Element::UInt16:
      return visit(std::uint16_t{});
    case Element::Int32:
      return visit(std::int32_t{});
    case Element::UInt32:
      return visit(std::uint32_t{});
    case Element::Int64:
      return visit(std::int64_t{});
    case Element::UInt64:
      return visit(std::uint64_t{});
    case Element::Float16:
      return visit(Half{});
    case Element::Float32:
      return visit(float{});
    case Element::Float64:
      return visit(double{});
    default:
      return;
  }
}

/// Calls visit(first byte, number of items) for blocks of items.
template <class Visit>
void for_each_block(const ByteStream& stream, std::size_t item_bytes, std::uint64_t count, Visit&& visit) {
  const std::uint64_t per_block = std::max<std::uint64_t>(1, kBlockBytes / item_bytes);
  std::string buffer(static_cast<std::size_t>(std::min(per_block, count) * item_bytes), '\0');
  while (count > 0) {
    const auto items = static_cast<std::size_t>(std::min(per_block, count));
    stream(buffer.data(), items * item_bytes);
    visit(buffer.data(), items);
    count -= items;
  }
}

std::string text_item(const char* item, const Layout& layout) {
  std::string text;
  if (layout.element == Element::Bytes) {
    text.assign(item, layout.item_bytes);
  } else {
    for (std::size_t at = 0; at + 4 <= layout.item_bytes; at += 4) {
      append_utf8(text, load<std::uint32_t>(item + at, layout.big_endian));
    }
  }
  text.erase(text.find_last_not_of('\0') + 1);
  return text;
}

template <class T, bool kBigEndian>
void load_values(const std::byte* from, std::ptrdiff_t stride, Index count, double* to) {
  const auto load_at = [&](std::ptrdiff_t step) {
    for (Index i = 0; i < count; ++i) {
      to[i] = to_double(load<T>(reinterpret_cast<const char*>(from + i * step), kBigEndian));
    }
  };
  // With the step known the loop is vectorised.
  if (stride == sizeof(T)) return load_at(sizeof(T));
  load_at(stride);
}

bool native_double(const Layout& layout) {
  return layout.element == Element::Float64 && layout.big_endian == (std::endian::native == std::endian::big);
}

}  // namespace

std::string_view element_name(Element element) {
  return kTraits[static_cast<std::size_t>(element)].name;
}
std::size_t element_bytes(Element element) {
  return kTraits[static_cast<std::size_t>(element)].bytes;
}
bool is_number(Element element) {
  return element_bytes(element) > 0;
}

std::optional<std::uint64_t> element_count(std::span<const Index> shape) {
  Index count = 1;
  for (const Index length : shape) {
    if (length < 0 || __builtin_mul_overflow(count, length, &count)) return std::nullopt;
  }
  return static_cast<std::uint64_t>(count);
}

void read_numbers(const ByteStream& stream, const Layout& layout, std::uint64_t count, double* to) {
  if (count == 0) return;
  if (native_double(layout)) {
    stream(reinterpret_cast<char*>(to), static_cast<std::size_t>(count) * sizeof(double));
    return;
  }
  with_type(layout.element, [&](auto type) {
    using T = decltype(type);
    for_each_block(stream, sizeof(T), count, [&](const char* from, std::size_t items) {
      for (std::size_t i = 0; i < items; ++i)
        *to++ = to_double(load<T>(from + i * sizeof(T), layout.big_endian));
    });
  });
}

LoadValues load_elements(const Layout& layout, bool aligned) {
  LoadValues loads = nullptr;
  if (native_double(layout) && aligned) return loads;
  with_type(layout.element, [&](auto type) {
    using T = decltype(type);
    loads = layout.big_endian ? load_values<T, true> : load_values<T, false>;
  });
  return loads;
}

std::vector<std::string> read_words(const ByteStream& stream, const Layout& layout, std::uint64_t count) {
  std::vector<std::string> words;
  if (layout.item_bytes == 0) return std::vector<std::string>(static_cast<std::size_t>(count));
  words.reserve(static_cast<std::size_t>(count));
  if (!is_number(layout.element)) {
    for_each_block(stream, layout.item_bytes, count, [&](const char* from, std::size_t items) {
      for (std::size_t i = 0; i < items; ++i)
        words.push_back(text_item(from + i * layout.item_bytes, layout));
    });
    return words;
  }
  with_type(layout.element, [&](auto type) {
    using T = decltype(type);
    for_each_block(stream, sizeof(T), count, [&](const char* from, std::size_t items) {
      for (std::size_t i = 0; i < items; ++i) {
        const T value = load<T>(from + i * sizeof(T), layout.big_endian);
        if constexpr (std::is_integral_v<T>) {
          words.push_back(std::to_string(value));
        } else {
          words.push_back(fmt::format("{}", to_double(value)));
        }
      }
    });
  });
  return words;
}

}  // namespace isthmus
