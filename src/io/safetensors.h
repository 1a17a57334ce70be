#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "io/input_file.h"
#include "isthmus/matrix.h"

namespace isthmus {

/// The content of a .safetensors file of our own: text metadata, F64 matrices, I64 vectors.
/// A d×n matrix is stored as shape [n, d] in C order, the same memory: samples by rows for other readers.
struct TensorFile {
  std::map<std::string, std::string> metadata;
  std::map<std::string, Matrix> matrices;
  std::map<std::string, std::vector<std::int64_t>> integers;
};

/// Throws IoError on anything that is no valid safetensors file, or holds other types than F64 and I64.
TensorFile read_tensor_file(const InputFile& file);
TensorFile read_tensor_file(const std::filesystem::path& path);
/// Writes atomically; tensors in name order, so that equal content gives equal bytes.
void write_tensor_file(const std::filesystem::path& path, const TensorFile& content);
/// What it would write.
std::string tensor_file_bytes(const TensorFile& content);

}  // namespace isthmus
