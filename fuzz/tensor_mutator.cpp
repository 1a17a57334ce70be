#include "tensor_mutator.h"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>

namespace isthmus::fuzz {
namespace {

void mutate_text(std::string& text, std::size_t most) {
  const std::size_t size = text.size();
  text.resize(std::max(most, size));
  text.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(text.data()), size, text.size()));
}

/// The model's description inside a header, where it has one.
nlohmann::json* description_of(nlohmann::json& header) {
  if (!header.is_object() || !header.contains("__metadata__")) return nullptr;
  nlohmann::json& metadata = header["__metadata__"];
  if (!metadata.is_object() || !metadata.contains("isthmus_model")) return nullptr;
  nlohmann::json& description = metadata["isthmus_model"];
  return description.is_string() ? &description : nullptr;
}

}  // namespace

std::size_t mutate_tensors(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  std::uint64_t length = 0;
  if (size > 8) std::memcpy(&length, data, 8);
  if (size <= 8 || length > size - 8 || seed % 8 == 0) return LLVMFuzzerMutate(data, size, most);
  const char* const text = reinterpret_cast<const char*>(data) + 8;
  std::string header(text, static_cast<std::size_t>(length));
  std::string tensors(text + length, size - 8 - header.size());
  auto json = nlohmann::json::parse(header, nullptr, false);
  nlohmann::json* const description = description_of(json);
  if (seed % 4 == 1 && !tensors.empty()) {
    mutate_text(tensors, tensors.size());
  } else if (description != nullptr && seed % 4 != 2) {
    auto changed = description->get<std::string>();
    mutate_text(changed, changed.size() + 64);
    *description = changed;
    header = json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  } else {
    mutate_text(header, header.size() + 64);
  }
  if (8 + header.size() + tensors.size() > most) return LLVMFuzzerMutate(data, size, most);
  length = header.size();
  std::memcpy(data, &length, 8);
  std::memcpy(data + 8, header.data(), header.size());
  std::memcpy(data + 8 + header.size(), tensors.data(), tensors.size());
  return 8 + header.size() + tensors.size();
}

}  // namespace isthmus::fuzz
