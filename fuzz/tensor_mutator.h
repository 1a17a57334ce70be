#pragma once

#include <cstddef>
#include <cstdint>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace isthmus::fuzz {

/// Changes a safetensors file so that its first 8 bytes still say how long its header is, and the model's
/// description stays a JSON text: a plain change nearly always breaks one of the two and is refused there.
std::size_t mutate_tensors(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed);

}  // namespace isthmus::fuzz
