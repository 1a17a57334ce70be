#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace isthmus {

/// Far more than any of our files has; each level costs stack when JSON is copied or written.
constexpr int kMaxJsonDepth = 64;

/// JSON from outside, which is all that is not a constant of the program: refused where it would cost stack
/// or time without bound, and where it says two things under one name. Json is nlohmann::json or
/// ordered_json. Throws IoError that begins with `where` ("a.json: the suite").
template <class Json>
Json parse_json(std::string_view text, const std::string& where, int max_depth = kMaxJsonDepth);

/// The same from CBOR.
nlohmann::json parse_cbor(const std::vector<std::uint8_t>& bytes, const std::string& where,
                          int max_depth = kMaxJsonDepth);

}  // namespace isthmus
