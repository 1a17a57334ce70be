#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "io/element.h"
#include "io/input_file.h"

namespace isthmus {

struct TensorEntry {
  std::string name;
  std::string dtype;  ///< as written: "F64", "BF16"
  Layout layout;      ///< Element::Other for a type that is not read
  std::vector<Index> shape;
  std::uint64_t offset = 0;  ///< in the file
  std::uint64_t bytes = 0;
};

struct SafetensorsHeader {
  std::map<std::string, std::string> metadata;
  std::vector<TensorEntry> tensors;  ///< in name order
};

/// True for what begins as every safetensors file does: the length of a header, and "{".
bool begins_like_safetensors(const InputFile& file);

/// Reads and checks the header: every tensor's bytes lie in the file, without gaps or overlaps, and are as
/// many as its shape and type need. Throws IoError.
SafetensorsHeader read_safetensors_header(const InputFile& file);

}  // namespace isthmus
