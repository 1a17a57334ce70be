// Everything the library does with a file of samples of one format.
#include "data/formats.h"

#include <algorithm>

#include "tensor_mutator.h"
#include "watched_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using isthmus::fuzz::attempt;
  const auto formats = isthmus::formats();
  static const isthmus::Format& format =
      *std::find_if(formats.begin(), formats.end(), [](const auto& f) { return f.name == FORMAT; });
  isthmus::fuzz::read_watched(data, size, {PER_BYTE, FIXED}, [&](const std::filesystem::path& path) {
    attempt([&] { format.read(path, {}); });
    attempt([&] { format.read(path, {.labels = "1", .samples = isthmus::SampleAxis::Rows}); });
    attempt([&] { format.read(path, {.features = "x", .samples = isthmus::SampleAxis::Columns}); });
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
