#include "io/npy.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cstring>

#include "io/atomic_file.h"
#include "io/formats.h"
#include "io/input_file.h"
#include "isthmus/errors.h"

namespace isthmus {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
/// NumPy's own headers have some hundred bytes; a list of fields of a structured array may have more.
constexpr std::uint64_t kMaxNpyHeaderBytes = 1 << 20;
/// Of NumPy itself.
constexpr std::size_t kMaxNpyDimensions = 64;
constexpr std::size_t kMaxWord = 256;

/// Reads the Python dict literal of a header: {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }
class HeaderParser {
 public:
  HeaderParser(std::string_view text, const std::string& where) : text_(text), where_(where) {}

  void parse() {
    expect('{');
    while (!accept('}')) {
      const std::string key = quoted();
      expect(':');
      if (key == "descr") {
        descr = peek() == '\'' || peek() == '"' ? quoted() : structured();
      } else if (key == "fortran_order") {
        fortran_order = flag();
      } else if (key == "shape") {
        tuple();
      } else {
        fail(fmt::format("unknown key '{}'", key));
      }
      if (!accept(',') && peek() != '}') fail("expected ',' or '}'");
    }
    if (descr.empty() || !has_shape_) fail("expected the keys descr, fortran_order and shape");
  }

  std::string descr;
  bool fortran_order = false;
  std::vector<Index> shape;

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw IoError(fmt::format("{}: no valid NPY header, at its character {}: {}", where_, at_ + 1, what));
  }
  char peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool accept(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail(fmt::format("expected '{}'", c));
  }
  std::string quoted() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') fail("expected a quoted word");
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) fail("a quoted word does not end");
    if (end - at_ > kMaxWord) fail(fmt::format("a quoted word has more than {} bytes", kMaxWord));
    std::string word(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return word;
  }
  /// The descr of a structured array: not read, but skipped so that it can be listed.
  std::string structured() {
    expect('[');
    int depth = 1;
    for (; depth > 0; ++at_) {
      if (at_ >= text_.size()) fail("a list does not end");
      if (text_[at_] == '[') ++depth;
      if (text_[at_] == ']') --depth;
    }
    return "structured";
  }
  bool flag() {
    peek();
    for (const std::string_view word : {"True", "False"}) {
      if (!text_.substr(at_).starts_with(word)) continue;
      at_ += word.size();
      return word == "True";
    }
    fail("expected True or False");
  }
  void tuple() {
    has_shape_ = true;
    expect('(');
    while (!accept(')')) {
      peek();
      Index length = 0;
      const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), length);
      if (error != std::errc() || length < 0) fail("expected a length from 0 to 2^63-1 in the shape");
      at_ = static_cast<std::size_t>(end - text_.data());
      accept('L');  // Python 2 wrote long integers so
      shape.push_back(length);
      if (shape.size() > kMaxNpyDimensions) fail(fmt::format("more than {} dimensions", kMaxNpyDimensions));
      if (!accept(',') && peek() != ')') fail("expected ',' or ')' in the shape");
    }
  }

  std::string_view text_;
  const std::string& where_;
  std::size_t at_ = 0;
  bool has_shape_ = false;
};

Element number_element(char kind, std::size_t bytes) {
  constexpr std::string_view kSizes = "1248";
  if (bytes > 8 || kSizes.find(static_cast<char>('0' + bytes)) == std::string_view::npos)
    return Element::Other;
  const int power = std::countr_zero(bytes);
  constexpr Element kSigned[] = {Element::Int8, Element::Int16, Element::Int32, Element::Int64};
  constexpr Element kUnsigned[] = {Element::UInt8, Element::UInt16, Element::UInt32, Element::UInt64};
  constexpr Element kFloat[] = {Element::Other, Element::Float16, Element::Float32, Element::Float64};
  switch (kind) {
    case 'i':
      return kSigned[power];
    case 'u':
      return kUnsigned[power];
    case 'f':
      return kFloat[power];
    case 'b':
      return bytes == 1 ? Element::Bool : Element::Other;
    default:
      return Element::Other;
  }
}

/// "<f8", "|b1", ">U12"
Layout parse_descr(std::string_view descr) {
  Layout layout{Element::Other, 0, false};
  if (descr.size() < 3 || std::string_view("<>|=").find(descr[0]) == std::string_view::npos) return layout;
  layout.big_endian = descr[0] == '>' || (descr[0] == '=' && std::endian::native == std::endian::big);
  std::size_t size = 0;
  const auto [end, error] = std::from_chars(descr.data() + 2, descr.data() + descr.size(), size);
  if (error != std::errc() || end != descr.data() + descr.size() || size == 0 || size > (1U << 20))
    return layout;
  const char kind = descr[1];
  if (kind == 'S' || kind == 'a') return {Element::Bytes, size, false};
  if (kind == 'U') return {Element::Unicode, 4 * size, layout.big_endian};
  layout.element = number_element(kind, size);
  if (layout.element != Element::Other) layout.item_bytes = size;
  return layout;
}

std::uint32_t little_endian(std::string_view bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = (value << 8) | static_cast<unsigned char>(bytes[i]);
  return value;
}

class NpyFile : public ArrayFile {
 public:
  explicit NpyFile(const std::filesystem::path& file_path) : file_(std::make_shared<InputFile>(file_path)) {
    path = file_path;
    format = "npy";
    std::uint64_t at = 0;
    const ByteStream stream = [&](char* to, std::size_t count) {
      file_->read(at, to, count);
      at += count;
    };
    arrays.push_back(read_npy_header(stream, file_->size(), path.string()));
    data_start_ = at;
  }
  ByteStream open(std::size_t /*array*/) const override {
    return [file = file_, at = data_start_](char* to, std::size_t count) mutable {
      file->read(at, to, count);
      at += count;
    };
  }
  std::optional<MappedArray> map(std::size_t array) const override {
    return map_array(*file_, data_start_, arrays[array].layout);
  }

 private:
  std::shared_ptr<InputFile> file_;
  std::uint64_t data_start_ = 0;
};

}  // namespace

ArrayInfo read_npy_header(const ByteStream& stream, std::uint64_t available, const std::string& where) {
  const auto take = [&](std::uint64_t count) {
    if (count > available) {
      throw IoError(fmt::format("{}: the NPY header needs {} bytes more, {} are left; the file is truncated",
                                where, count, available));
    }
    std::string bytes(static_cast<std::size_t>(count), '\0');
    stream(bytes.data(), bytes.size());
    available -= count;
    return bytes;
  };
  const std::string start = take(8);
  if (!start.starts_with(kMagic)) {
    throw IoError(fmt::format("{}: does not begin with \\x93NUMPY; a NPY array is expected", where));
  }
  const int version = static_cast<unsigned char>(start[6]);
  if (version < 1 || version > 3) {
    throw IoError(fmt::format("{}: NPY version {} is not known; versions 1 to 3 are", where, version));
  }
  const std::uint32_t length = little_endian(take(version == 1 ? 2 : 4));
  if (length > kMaxNpyHeaderBytes) {
    throw IoError(fmt::format("{}: the NPY header claims {} bytes; the limit is {}", where, length,
                              kMaxNpyHeaderBytes));
  }
  const std::string text = take(length);
  HeaderParser header(text, where);
  header.parse();

  ArrayInfo info;
  info.layout = parse_descr(header.descr);
  info.type = info.layout.element == Element::Other ? header.descr : element_name(info.layout.element);
  info.shape = header.shape;
  info.fortran_order = header.fortran_order;
  if (info.layout.element == Element::Other) return info;
  const auto count = element_count(info.shape);
  std::uint64_t needed = 0;
  if (!count || __builtin_mul_overflow(*count, info.layout.item_bytes, &needed) || needed != available) {
    throw IoError(
        fmt::format("{}: the header says shape ({}) of {}, which are {} bytes, but {} follow; the file is "
                    "truncated or damaged",
                    where, fmt::join(info.shape, ", "), info.type,
                    count && needed > 0 ? std::to_string(needed) : "too many", available));
  }
  return info;
}

std::unique_ptr<ArrayFile> open_npy(const std::filesystem::path& path) {
  return std::make_unique<NpyFile>(path);
}

void write_npy(const std::filesystem::path& path, const Domain& domain) {
  const auto values = domain.features.view();
  std::string header = fmt::format("{{'descr': '<f8', 'fortran_order': False, 'shape': ({}, {}), }}",
                                   values.cols(), values.rows());
  // Magic, version, length and header together are a multiple of 64, so that the data can be mapped.
  header.append(63 - (kMagic.size() + 4 + header.size()) % 64, ' ');
  header += '\n';
  AtomicFile file(path);
  file.write(kMagic);
  file.write(std::string_view("\x01\x00", 2));
  file.write(std::string{static_cast<char>(header.size() & 0xff), static_cast<char>(header.size() >> 8)});
  file.write(header);
  static_assert(std::endian::native == std::endian::little, "values are written as they lie in memory");
  file.write({reinterpret_cast<const char*>(values.data()),
              static_cast<std::size_t>(values.size()) * sizeof(double)});
  file.commit();
}

}  // namespace isthmus
