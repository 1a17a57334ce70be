#include "io/safetensors.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <nlohmann/json.hpp>
#include <string_view>

#include "io/atomic_file.h"
#include "io/safetensors_header.h"
#include "isthmus/errors.h"

namespace isthmus {
namespace {

using nlohmann::json;

static_assert(std::endian::native == std::endian::little, "tensors are written as they lie in memory");

Matrix read_matrix(const InputFile& file, const TensorEntry& tensor) {
  if (tensor.shape.size() != 2) {
    throw IoError(fmt::format("{}: tensor '{}' has shape [{}]; a matrix [n, d] is expected",
                              file.path().string(), tensor.name, fmt::join(tensor.shape, ", ")));
  }
  Matrix values(tensor.shape[1], tensor.shape[0]);
  file.read(tensor.offset, reinterpret_cast<char*>(values.data()), static_cast<std::size_t>(tensor.bytes));
  return values;
}

std::vector<std::int64_t> read_integers(const InputFile& file, const TensorEntry& tensor) {
  if (tensor.shape.size() != 1) {
    throw IoError(fmt::format("{}: tensor '{}' has shape [{}]; a vector [n] is expected",
                              file.path().string(), tensor.name, fmt::join(tensor.shape, ", ")));
  }
  std::vector<std::int64_t> values(static_cast<std::size_t>(tensor.shape[0]));
  file.read(tensor.offset, reinterpret_cast<char*>(values.data()), static_cast<std::size_t>(tensor.bytes));
  return values;
}

std::string_view as_bytes(const void* data, std::size_t count, std::size_t item_bytes) {
  return {static_cast<const char*>(data), count * item_bytes};
}

/// The bytes of every tensor in name order, which is the order in the file.
std::map<std::string, std::string_view> tensor_bytes(const TensorFile& content, json& header) {
  std::map<std::string, std::string_view> bytes;
  for (const auto& [name, matrix] : content.matrices) {
    header[name] = {{"dtype", "F64"}, {"shape", {matrix.cols(), matrix.rows()}}};
    bytes[name] = as_bytes(matrix.data(), static_cast<std::size_t>(matrix.size()), sizeof(double));
  }
  for (const auto& [name, vector] : content.integers) {
    if (content.matrices.contains(name)) {
      throw InvalidArgument(
          fmt::format("tensor '{}' is both a matrix and a vector; every name must be unique", name));
    }
    header[name] = {{"dtype", "I64"}, {"shape", json::array({vector.size()})}};
    bytes[name] = as_bytes(vector.data(), vector.size(), sizeof(std::int64_t));
  }
  std::size_t at = 0;
  for (const auto& [name, data] : bytes) {
    header[name]["data_offsets"] = {at, at + data.size()};
    at += data.size();
  }
  return bytes;
}

std::string header_text(const json& header) {
  std::string text;
  try {
    text = header.dump();
  } catch (const json::type_error&) {
    throw InvalidArgument("a safetensors file holds text as UTF-8 only; a name or text given is not UTF-8");
  }
  // The data start at a multiple of 8, so that a reader may map them.
  text.append((8 - text.size() % 8) % 8, ' ');
  return text;
}

/// Hands all bytes of the file to `put`, part by part.
template <class Put>
void write_parts(const TensorFile& content, Put&& put) {
  json header = json::object();
  const auto bytes = tensor_bytes(content, header);
  if (!content.metadata.empty()) header["__metadata__"] = content.metadata;
  const std::string text = header_text(header);
  const std::uint64_t length = text.size();
  put(as_bytes(&length, 1, sizeof(length)));
  put(text);
  for (const auto& [name, data] : bytes) put(data);
}

}  // namespace

TensorFile read_tensor_file(const InputFile& file) {
  SafetensorsHeader header = read_safetensors_header(file);
  TensorFile content;
  content.metadata = std::move(header.metadata);
  for (const TensorEntry& tensor : header.tensors) {
    if (tensor.layout.element == Element::Float64) {
      content.matrices.emplace(tensor.name, read_matrix(file, tensor));
    } else if (tensor.layout.element == Element::Int64) {
      content.integers.emplace(tensor.name, read_integers(file, tensor));
    } else {
      throw IoError(fmt::format("{}: tensor '{}' has type {}; F64 or I64 is expected", file.path().string(),
                                tensor.name, tensor.dtype));
    }
  }
  return content;
}

TensorFile read_tensor_file(const std::filesystem::path& path) {
  return read_tensor_file(InputFile(path));
}

void write_tensor_file(const std::filesystem::path& path, const TensorFile& content) {
  AtomicFile file(path);
  write_parts(content, [&](std::string_view part) { file.write(part); });
  file.commit();
}

std::string tensor_file_bytes(const TensorFile& content) {
  std::string bytes;
  write_parts(content, [&](std::string_view part) { bytes += part; });
  return bytes;
}

}  // namespace isthmus
