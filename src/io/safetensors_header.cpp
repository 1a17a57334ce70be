#include "io/safetensors_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "io/bounded_json.h"
#include "isthmus/errors.h"

namespace isthmus {
namespace {

using nlohmann::json;

/// Names → entry → list.
constexpr int kHeaderDepth = 3;
/// The limit of the format's reference implementation.
constexpr std::uint64_t kMaxSafetensorsHeaderBytes = 100'000'000;

[[noreturn]] void fail(const InputFile& file, const std::string& what) {
  throw IoError(fmt::format("{}: no valid safetensors file: {}", file.path().string(), what));
}

struct DtypeName {
  std::string_view dtype;
  Element element;
  std::size_t bytes;
};
constexpr std::array<DtypeName, 15> kDtypes{{{"BOOL", Element::Bool, 1},
                                             {"I8", Element::Int8, 1},
                                             {"U8", Element::UInt8, 1},
                                             {"I16", Element::Int16, 2},
                                             {"U16", Element::UInt16, 2},
                                             {"I32", Element::Int32, 4},
                                             {"U32", Element::UInt32, 4},
                                             {"I64", Element::Int64, 8},
                                             {"U64", Element::UInt64, 8},
                                             {"F16", Element::Float16, 2},
                                             {"F32", Element::Float32, 4},
                                             {"F64", Element::Float64, 8},
                                             {"BF16", Element::Other, 2},
                                             {"F8_E4M3", Element::Other, 1},
                                             {"F8_E5M2", Element::Other, 1}}};

/// A non-negative whole number that fits an Index.
Index whole_number(const InputFile& file, const std::string& name, const json& value) {
  if (value.is_number_unsigned() && value.get<std::uint64_t>() <= std::uint64_t{1} << 62) {
    return static_cast<Index>(value.get<std::uint64_t>());
  }
  fail(file, fmt::format("tensor '{}' has {} where a length or offset from 0 to 2^62 is expected", name,
                         value.dump()));
}

std::vector<Index> whole_numbers(const InputFile& file, const std::string& name, const json& entry,
                                 const char* key) {
  const auto list = entry.find(key);
  if (list == entry.end() || !list->is_array())
    fail(file, fmt::format("tensor '{}' has no list '{}'", name, key));
  std::vector<Index> numbers;
  for (const json& value : *list) numbers.push_back(whole_number(file, name, value));
  return numbers;
}

TensorEntry read_entry(const InputFile& file, const std::string& name, const json& entry,
                       std::uint64_t data_start) {
  if (!entry.is_object()) fail(file, fmt::format("the entry of tensor '{}' is no object", name));
  const auto dtype = entry.find("dtype");
  if (dtype == entry.end() || !dtype->is_string())
    fail(file, fmt::format("tensor '{}' has no 'dtype'", name));
  TensorEntry tensor;
  tensor.name = name;
  tensor.dtype = dtype->get<std::string>();
  tensor.shape = whole_numbers(file, name, entry, "shape");
  const auto* const known = std::find_if(kDtypes.begin(), kDtypes.end(),
                                         [&](const DtypeName& item) { return item.dtype == tensor.dtype; });
  const std::vector<Index> offsets = whole_numbers(file, name, entry, "data_offsets");
  if (offsets.size() != 2 || offsets[0] > offsets[1]) {
    fail(file, fmt::format("tensor '{}' needs data_offsets [begin, end] with begin ≤ end", name));
  }
  const std::uint64_t data_bytes = file.size() - data_start;
  if (static_cast<std::uint64_t>(offsets[1]) > data_bytes) {
    fail(file, fmt::format("tensor '{}' ends at byte {} of the data, but the file has {}; it is truncated",
                           name, offsets[1], data_bytes));
  }
  tensor.offset = data_start + static_cast<std::uint64_t>(offsets[0]);
  tensor.bytes = static_cast<std::uint64_t>(offsets[1] - offsets[0]);
  const auto count = element_count(tensor.shape);
  std::uint64_t needed = 0;
  const bool is_known = known != kDtypes.end();
  tensor.layout = is_known ? Layout{known->element, known->bytes, false} : Layout{Element::Other, 0, false};
  if (!count || __builtin_mul_overflow(*count, tensor.layout.item_bytes, &needed) ||
      (is_known && needed != tensor.bytes)) {
    fail(file, fmt::format("tensor '{}' of shape [{}] and type {} does not fit its {} bytes", name,
                           fmt::join(tensor.shape, ", "), tensor.dtype, tensor.bytes));
  }
  return tensor;
}

void check_cover(const InputFile& file, const SafetensorsHeader& header, std::uint64_t data_start) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> spans;
  for (const TensorEntry& tensor : header.tensors)
    spans.emplace_back(tensor.offset, tensor.offset + tensor.bytes);
  std::sort(spans.begin(), spans.end());
  std::uint64_t at = data_start;
  for (const auto& [begin, end] : spans) {
    if (begin != at)
      fail(file, fmt::format("its tensors overlap or leave a gap at byte {}", std::min(begin, at)));
    at = end;
  }
  if (at != file.size()) {
    fail(file, fmt::format("its tensors end at byte {}, the file at byte {}", at, file.size()));
  }
}

void read_metadata(const InputFile& file, const json& entry, SafetensorsHeader& header) {
  if (!entry.is_object()) fail(file, "__metadata__ is no object of texts");
  for (const auto& [key, value] : entry.items()) {
    if (!value.is_string()) fail(file, fmt::format("__metadata__ '{}' is no text", key));
    header.metadata.emplace(key, value.get<std::string>());
  }
}

/// The number in the first 8 bytes.
std::uint64_t header_length(std::string_view head) {
  std::uint64_t length = 0;
  for (std::size_t i = 8; i-- > 0;) length = (length << 8) | static_cast<unsigned char>(head[i]);
  return length;
}

}  // namespace

bool begins_like_safetensors(const InputFile& file) {
  const std::string head = file.head(9);
  return head.size() == 9 && head[8] == '{' && header_length(head) <= kMaxSafetensorsHeaderBytes;
}

SafetensorsHeader read_safetensors_header(const InputFile& file) {
  if (file.size() < 8) fail(file, fmt::format("it has {} bytes, at least 8 are needed", file.size()));
  const std::uint64_t length = header_length(file.head(8));
  if (length > kMaxSafetensorsHeaderBytes || length > file.size() - 8) {
    fail(file, fmt::format("its first 8 bytes claim a header of {} bytes; the file has {}, the limit is {}",
                           length, file.size() - 8, kMaxSafetensorsHeaderBytes));
  }
  std::string text(static_cast<std::size_t>(length), '\0');
  file.read(8, text.data(), text.size());
  const auto root = parse_json<json>(
      text, fmt::format("{}: no valid safetensors file: its header", file.path().string()), kHeaderDepth);
  if (!root.is_object()) fail(file, "its header is no JSON object");

  SafetensorsHeader header;
  for (const auto& [name, entry] : root.items()) {
    if (name == "__metadata__") {
      read_metadata(file, entry, header);
    } else {
      header.tensors.push_back(read_entry(file, name, entry, 8 + length));
    }
  }
  check_cover(file, header, 8 + length);
  return header;
}

}  // namespace isthmus
