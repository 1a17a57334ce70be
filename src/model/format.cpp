#include "model/format.h"

#include <fmt/format.h>

#include "io/checksum.h"
#include "io/input_file.h"
#include "io/safetensors_header.h"
#include "isthmus/errors.h"

namespace isthmus {
namespace {

/// A text with its length before it, so that no two contents give the same bytes.
void add_text(Sha256& sum, std::string_view text) {
  sum.update(fmt::format("{}:", text.size()));
  sum.update(text);
}

}  // namespace

bool is_model_file(const std::filesystem::path& path) {
  const InputFile file(path);
  if (!begins_like_safetensors(file)) return false;
  try {
    return read_safetensors_header(file).metadata.contains(kModelKey);
  } catch (const IoError&) {
    return false;
  }
}

std::string content_checksum(const TensorFile& file) {
  Sha256 sum;
  for (const auto& [key, value] : file.metadata) {
    if (key == kChecksumKey) continue;
    add_text(sum, "metadata");
    add_text(sum, key);
    add_text(sum, value);
  }
  for (const auto& [name, matrix] : file.matrices) {
    add_text(sum, fmt::format("F64 {} {}", matrix.cols(), matrix.rows()));
    add_text(sum, name);
    add_text(sum, {reinterpret_cast<const char*>(matrix.data()),
                   static_cast<std::size_t>(matrix.size()) * sizeof(double)});
  }
  for (const auto& [name, integers] : file.integers) {
    add_text(sum, "I64");
    add_text(sum, name);
    add_text(sum, {reinterpret_cast<const char*>(integers.data()), integers.size() * sizeof(std::int64_t)});
  }
  return sum.finish();
}

}  // namespace isthmus
