// A model from a stranger: loaded, and asked for labels.
#include "isthmus/model.h"

#include "tensor_mutator.h"
#include "watched_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  isthmus::fuzz::read_watched(data, size, {256, 4 << 20}, [](const std::filesystem::path& path) {
    const isthmus::Model model = isthmus::Model::load(path);
    static_cast<void>(model.target().confidence());
    const isthmus::Matrix samples = isthmus::Matrix::Constant(model.dimension(), 3, 0.5);
    static_cast<void>(model.predict(samples).confidence());
    static_cast<void>(model.transform(samples, isthmus::Side::Source));
  });
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                               unsigned seed) {
  return isthmus::fuzz::mutate_tensors(data, size, most, seed);
}
