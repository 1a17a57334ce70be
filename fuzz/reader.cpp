// Everything the library does with a file of samples of one format.
#include "io/formats.h"

#include <algorithm>

#include "tensor_mutator.h"
#include "watched_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using isthmus::fuzz::attempt;
  const auto formats = isthmus::formats();
  static const isthmus::Format& format =
      *std::find_if(formats.begin(), formats.end(), [](const auto& f) { return f.name == FORMAT; });
  isthmus::fuzz::read_watched(data, size, {PER_BYTE, FIXED}, [&](const std::filesystem::path& path) {
    // Features may be read only when they are used.
    const auto read = [&](const isthmus::ReadOptions& options) {
      attempt([&] { format.read(path, options).domain.features.view(); });
    };
    read({});
    read({.map_from = 0});
    read({.drop = {"a", "2"}, .id = "1", .may_be_absent = true});
    read({.feature_columns = {"1"}});
    read({.labels = "1", .samples = isthmus::SampleAxis::Rows});
    read({.features = "x", .samples = isthmus::SampleAxis::Columns, .map_from = 0});
    attempt([&] { format.read_labels(path, ""); });
    if (format.summarise != nullptr) attempt([&] { format.summarise(path); });
  });
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                               unsigned seed) {
  static const bool tensors = std::string_view(FORMAT) == "safetensors";
  return tensors ? isthmus::fuzz::mutate_tensors(data, size, most, seed) : LLVMFuzzerMutate(data, size, most);
}
