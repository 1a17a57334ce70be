#pragma once

#include <filesystem>
#include <string>

#include "io/safetensors.h"

namespace isthmus {

/// Raised when a reader of the older kind could not read the file. Files of every older number must load.
///   1  the first
///   2  has a checksum
///   3  classifiers in one embedding share it
inline constexpr int kFormatVersion = 3;
inline constexpr int kFirstFormatWithChecksum = 2;

/// The metadata that holds the checksum.
inline constexpr const char* kChecksumKey = "isthmus_sha256";

/// The metadata that holds a model's description; a file without it is none.
inline constexpr const char* kModelKey = "isthmus_model";

/// True for a safetensors file that says it holds a model, whether or not it can be loaded.
bool is_model_file(const std::filesystem::path& path);

/// SHA-256 over all that a model file says: metadata (but for the checksum), names, shapes and values of
/// tensors. Spaces between the words of the header do not count.
std::string content_checksum(const TensorFile& file);

}  // namespace isthmus
