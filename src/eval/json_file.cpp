#include "eval/json_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "isthmus/errors.h"

namespace isthmus {

nlohmann::ordered_json read_json_object(const std::filesystem::path& path, std::string_view what) {
  std::ifstream file(path);
  if (!file || std::filesystem::is_directory(path)) {
    throw IoError(fmt::format("{}: cannot read the {}: {}", path.string(), what,
                              file ? "it is a folder" : std::strerror(errno)));
  }
  try {
    nlohmann::ordered_json json = nlohmann::ordered_json::parse(file);
    if (json.is_object()) return json;
    throw IoError(fmt::format("{}: the {} holds a JSON {}; expected an object, {{\"name\": value, ...}}",
                              path.string(), what, json.type_name()));
  } catch (const nlohmann::json::exception& error) {
    throw IoError(fmt::format("{}: the {} is no valid JSON: {}", path.string(), what, error.what()));
  }
}

std::string json_text(const nlohmann::ordered_json& json, int indent) {
  return json.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace isthmus
