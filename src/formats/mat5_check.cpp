#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <utility>

#include "formats/mat_check.h"
#include "io/element.h"
#include "io/limits.h"
#include "isthmus/errors.h"

namespace isthmus {
namespace {

constexpr std::uint64_t kHeaderBytes = 128;
constexpr int kMaxDepth = 16;
constexpr std::uint64_t kMaxRank = 8;
/// MATLAB allows 63 bytes a name.
constexpr std::uint64_t kMaxFieldNames = 1 << 20;
/// What matio holds for a cell or field, be it empty (8 bytes in the file, which may be packed).
constexpr std::uint64_t kCellBytes = 512;

// Element types and array classes of the level 5 format.
enum Type : std::uint32_t { kInt8 = 1, kInt32 = 5, kUInt32 = 6, kMatrix = 14, kCompressed = 15, kUtf8 = 16 };
enum Class : std::uint32_t { kCell = 1, kStruct = 2, kChar = 4, kSparse = 5, kDouble = 6, kLastNumber = 15 };

/// Bytes of one item of a type; 0 for what holds no items.
std::uint64_t item_bytes(std::uint32_t type) {
  constexpr std::array<std::uint8_t, 19> kBytes{0, 1, 1, 2, 2, 4, 4, 4, 0, 8, 0, 0, 8, 8, 0, 0, 1, 2, 4};
  return type < kBytes.size() ? kBytes[type] : 0;
}

Element stored_element(std::uint32_t type) {
  constexpr std::array kElements{Element::Other,  Element::Int8,    Element::UInt8,  Element::Int16,
                                 Element::UInt16, Element::Int32,   Element::UInt32, Element::Float32,
                                 Element::Other,  Element::Float64, Element::Other,  Element::Other,
                                 Element::Int64,  Element::UInt64};
  return type < kElements.size() ? kElements[type] : Element::Other;
}

/// Unpacks the bytes of a compressed element as they are asked for.
class Inflater {
 public:
  Inflater(const InputFile& file, std::uint64_t offset, std::uint64_t size)
      : file_(file), at_(offset), left_(size) {
    if (inflateInit(&stream_) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  /// False when the packed data end or break before.
  bool read(char* to, std::size_t count) {
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    while (count > 0) {
      if (stream_.avail_in == 0 && left_ > 0) {
        const auto chunk = static_cast<std::size_t>(std::min<std::uint64_t>(left_, packed_.size()));
        file_.read(at_, packed_.data(), chunk);
        at_ += chunk;
        left_ -= chunk;
        stream_.next_in = reinterpret_cast<Bytef*>(packed_.data());
        stream_.avail_in = static_cast<uInt>(chunk);
      }
      const auto part = static_cast<uInt>(std::min<std::size_t>(count, 1U << 30));
      stream_.avail_out = part;
      const int status = inflate(&stream_, Z_NO_FLUSH);
      const std::size_t made = part - stream_.avail_out;
      count -= made;
      if (count > 0 && (status != Z_OK || (made == 0 && stream_.avail_in == 0 && left_ == 0))) return false;
    }
    return true;
  }

 private:
  const InputFile& file_;
  std::uint64_t at_;
  std::uint64_t left_;
  std::array<char, 1 << 14> packed_;
  z_stream stream_ = {};
};

/// Walks over one miMATRIX element, read from its tag on.
class MatrixWalk {
 public:
  /// `cells_left` is how many cells and fields there may still be in the file.
  MatrixWalk(ByteStream read, bool big_endian, std::string path, std::uint64_t& cells_left)
      : read_(std::move(read)), big_endian_(big_endian), path_(std::move(path)), cells_left_(cells_left) {}

  /// The tag is still to be read; `limit` bytes are there where that is known. The offset of the variable's
  /// numbers is counted from the tag.
  Mat5Variable top_level(std::uint64_t limit) {
    const Tag tag = take_tag(limit);
    if (tag.type != kMatrix) fail(fmt::format("an array (type 14) is expected, type {} is there", tag.type));
    matrix(tag.bytes, 0);
    return {name_, layout_, numbers_at_};
  }

 private:
  struct Tag {
    std::uint32_t type = 0;
    std::uint64_t bytes = 0;
    bool small = false;  ///< the data were in the tag itself
    std::array<char, 4> data = {};
  };

  [[noreturn]] void fail(const std::string& what) const {
    throw IoError(fmt::format("{}: no valid MAT file: variable '{}': {}", path_, name_, what));
  }

  std::uint32_t number(const char* bytes) const {
    std::array<unsigned char, 4> b;
    std::memcpy(b.data(), bytes, 4);
    if (!big_endian_) std::reverse(b.begin(), b.end());
    return static_cast<std::uint32_t>(b[0]) << 24 | static_cast<std::uint32_t>(b[1]) << 16 |
           static_cast<std::uint32_t>(b[2]) << 8 | b[3];
  }

  /// Takes bytes off what is left of the element around.
  void spend(std::uint64_t& left, std::uint64_t bytes, const char* what) const {
    if (bytes > left)
      fail(fmt::format("{} needs {} bytes where {} are left; the file is truncated or damaged", what, bytes,
                       left));
    left -= bytes;
  }

  Tag take_tag(std::uint64_t& left) {
    spend(left, 8, "an element");
    std::array<char, 8> bytes;
    take(bytes.data(), bytes.size());
    const std::uint32_t first = number(bytes.data());
    Tag tag;
    tag.small = first >> 16 != 0;
    tag.type = first & 0xffff;
    tag.bytes = tag.small ? first >> 16 : number(bytes.data() + 4);
    if (!tag.small) tag.type = first;
    if (tag.small && tag.bytes > 4) fail("a small element claims more than 4 bytes");
    std::memcpy(tag.data.data(), bytes.data() + 4, 4);
    return tag;
  }

  /// Reads an element that must have that type and at most `most` bytes.
  std::string take_element(std::uint64_t& left, std::uint32_t type, std::uint64_t most, const char* what) {
    const Tag tag = take_tag(left);
    if (tag.type != type || tag.bytes > most)
      fail(fmt::format("{} is expected, type {} of {} bytes is there", what, tag.type, tag.bytes));
    if (tag.small) return {tag.data.data(), static_cast<std::size_t>(tag.bytes)};
    const std::uint64_t padded = (tag.bytes + 7) / 8 * 8;
    spend(left, padded, what);
    std::string bytes(static_cast<std::size_t>(padded), '\0');
    take(bytes.data(), bytes.size());
    bytes.resize(static_cast<std::size_t>(tag.bytes));
    return bytes;
  }

  void pass_over(std::uint64_t count) {
    std::array<char, 1 << 14> block;
    while (count > 0) {
      const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(count, block.size()));
      read_(block.data(), part);
      position_ += part;
      count -= part;
    }
  }

  void take(char* to, std::size_t count) {
    pass_over(std::exchange(unread_, 0));
    read_(to, count);
    position_ += count;
  }

  /// Passes over an element of numbers and returns how many there are.
  std::uint64_t skip_items(std::uint64_t& left, const char* what, Tag& tag) {
    tag = take_tag(left);
    const std::uint64_t item = item_bytes(tag.type);
    if (item == 0 || tag.bytes % item != 0) fail(fmt::format("{} has the unknown type {}", what, tag.type));
    if (!tag.small) {
      const std::uint64_t padded = std::min((tag.bytes + 7) / 8 * 8, std::max(left, tag.bytes));
      spend(left, padded, what);
      pass_over(std::exchange(unread_, 0) + tag.bytes);
      unread_ = padded - tag.bytes;
    }
    return tag.bytes / item;
  }

  std::uint64_t dimensions(const std::string& bytes, std::vector<Index>& dims) const {
    for (std::size_t i = 0; i + 4 <= bytes.size(); i += 4) {
      dims.push_back(static_cast<std::int32_t>(number(bytes.data() + i)));
    }
    const auto count = element_count(dims);
    if (dims.size() < 2 || bytes.size() % 4 != 0 || !count) {
      fail(fmt::format("dimensions {} are impossible", fmt::join(dims, "×")));
    }
    return *count;
  }

  void matrix(std::uint64_t left, int depth) {
    if (depth > kMaxDepth) fail(fmt::format("cells are nested deeper than {}", kMaxDepth));
    const std::string flags = take_element(left, kUInt32, 8, "the array flags");
    if (flags.size() != 8) fail("array flags of 8 bytes are expected");
    const std::uint32_t word = number(flags.data());
    const std::uint32_t array_class = word & 0xff;
    const bool complex = (word & 0x0800) != 0;
    if (array_class != kCell && array_class != kStruct &&
        (array_class < kChar || array_class > kLastNumber)) {
      fail(fmt::format(
          "it is a function, object or other thing that is no data (class {}); save the file without it",
          array_class));
    }
    std::vector<Index> dims;
    const std::uint64_t count = dimensions(take_element(left, kInt32, 4 * kMaxRank, "the dimensions"), dims);
    const std::string name = take_element(left, kInt8, 4096, "the name");
    if (depth == 0) name_ = name;
    if (array_class == kCell) {
      children(left, count, depth);
    } else if (array_class == kStruct) {
      const std::string length = take_element(left, kInt32, 4, "the length of field names");
      const std::uint64_t field = length.size() == 4 ? number(length.data()) : 0;
      const std::string names = take_element(left, kInt8, kMaxFieldNames, "the field names");
      if (field == 0 || names.size() % field != 0) fail("field names are damaged");
      const std::uint64_t fields = names.size() / field;
      std::uint64_t total = 0;
      if (__builtin_mul_overflow(count, fields, &total)) fail("too many fields");
      children(left, total, depth);
    } else if (array_class == kSparse) {
      sparse(left, dims, complex);
    } else {
      for (int part = 0; part < (complex ? 2 : 1); ++part) numbers(left, count, array_class == kChar, dims);
      if (depth > 0 || complex || array_class == kChar) numbers_at_ = 0;
    }
    unread_ += left;
  }

  void numbers(std::uint64_t& left, std::uint64_t count, bool text, const std::vector<Index>& dims) {
    if (count == 0 && left == 0) return;
    Tag tag;
    const std::uint64_t items = skip_items(left, "the data", tag);
    layout_ = {stored_element(tag.type), static_cast<std::size_t>(item_bytes(tag.type)), big_endian_};
    numbers_at_ = tag.small || layout_.element == Element::Other ? 0 : position_ - tag.bytes;
    const bool fits = text && tag.type == kUtf8 ? items >= count && items <= 4 * count : items == count;
    if (!fits || (!text && tag.type >= kUtf8)) {
      fail(fmt::format("{} needs {} items, {} are there; the file is truncated or damaged",
                       fmt::join(dims, "×"), count, items));
    }
  }

  void sparse(std::uint64_t& left, const std::vector<Index>& dims, bool complex) {
    Tag tag;
    const std::uint64_t rows = skip_items(left, "the row indices", tag);
    if (tag.type != kInt32 && tag.type != kUInt32) fail("row indices of 32 bits are expected");
    const std::uint64_t columns = skip_items(left, "the column starts", tag);
    if (tag.type != kInt32 && tag.type != kUInt32) fail("column starts of 32 bits are expected");
    if (dims.size() != 2 || columns != static_cast<std::uint64_t>(dims[1]) + 1)
      fail("the column starts are not one more than the columns");
    for (int part = 0; part < (complex ? 2 : 1); ++part) {
      if (skip_items(left, "the data", tag) > rows) fail("there are more values than row indices");
    }
  }

  void children(std::uint64_t& left, std::uint64_t count, int depth) {
    if (count > left / 8)
      fail(fmt::format("claims {} cells or fields in {} bytes; the file is truncated or damaged", count,
                       left));
    if (count > cells_left_) fail("the file has more cells and fields than one of its size may");
    cells_left_ -= count;
    for (std::uint64_t i = 0; i < count; ++i) {
      const Tag tag = take_tag(left);
      if (tag.type != kMatrix || tag.small)
        fail(fmt::format("a cell or field is no array but type {}", tag.type));
      spend(left, tag.bytes, "a cell or field");
      if (tag.bytes > 0) matrix(tag.bytes, depth + 1);
    }
  }

  ByteStream read_;
  bool big_endian_;
  std::string path_;
  std::uint64_t& cells_left_;
  std::string name_ = "?";
  std::uint64_t position_ = 0;    ///< bytes read so far
  std::uint64_t numbers_at_ = 0;  ///< where the numbers of a plain array began
  Layout layout_;
  /// Padding before the next element. Passed over late: some writers leave it out after the last one.
  std::uint64_t unread_ = 0;
};

}  // namespace

std::vector<Mat5Variable> check_mat5(const InputFile& file) {
  const std::string path = file.path().string();
  const bool big_endian = file.head(kHeaderBytes).substr(126) == "MI";
  std::vector<Mat5Variable> variables;
  std::uint64_t cells_left = max_dense_bytes(file.size()) / kCellBytes;
  for (std::uint64_t at = kHeaderBytes; at < file.size();) {
    std::array<char, 8> tag = {};
    if (file.size() - at < tag.size()) {
      throw IoError(fmt::format("{}: no valid MAT file: {} bytes at its end are no element; it is truncated",
                                path, file.size() - at));
    }
    file.read(at, tag.data(), tag.size());
    if (big_endian) {
      std::reverse(tag.begin(), tag.begin() + 4);
      std::reverse(tag.begin() + 4, tag.end());
    }
    std::array<std::uint32_t, 2> words;
    std::memcpy(words.data(), tag.data(), tag.size());
    const auto [type, size] = words;
    if (type != kMatrix && type != kCompressed) {
      throw IoError(
          fmt::format("{}: no valid MAT file: at byte {} type {} is there, an array (14) or a packed one "
                      "(15) is expected",
                      path, at, type));
    }
    if (size > file.size() - at - 8) {
      throw IoError(fmt::format(
          "{}: no valid MAT file: the element at byte {} claims {} bytes, {} are left; it is truncated", path,
          at, size, file.size() - at - 8));
    }
    if (type == kMatrix) {
      const ByteStream read = [&file, from = at](char* to, std::size_t count) mutable {
        file.read(from, to, count);
        from += count;
      };
      variables.push_back(MatrixWalk(read, big_endian, path, cells_left).top_level(size + 8));
      if (variables.back().offset > 0) variables.back().offset += at;
    } else {
      Inflater inflater(file, at + 8, size);
      const ByteStream read = [&](char* to, std::size_t count) {
        if (!inflater.read(to, count)) {
          throw IoError(fmt::format(
              "{}: no valid MAT file: the packed element at byte {} is broken or ends too early", path, at));
        }
      };
      variables.push_back(MatrixWalk(read, big_endian, path, cells_left).top_level(~std::uint64_t{0}));
      variables.back().offset = 0;
    }
    at += 8 + size;
  }
  return variables;
}

}  // namespace isthmus
