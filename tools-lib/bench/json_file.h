#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace isthmus {

/// Reads a file that holds one JSON object. Throws IoError naming the path, `what` it should be ("config
/// file") and what is wrong.
nlohmann::ordered_json read_json_object(const std::filesystem::path& path, std::string_view what);

/// The text of an option's JSON value: a word, a number, true or false, a list of numbers, null for "auto".
/// Empty for what is no value.
std::string option_text(const nlohmann::ordered_json& value);

/// JSON as text; bytes that are no UTF-8 (a path) become U+FFFD instead of an error.
std::string json_text(const nlohmann::ordered_json& json, int indent = -1);

}  // namespace isthmus
