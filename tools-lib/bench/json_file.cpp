#include "bench/json_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "io/bounded_json.h"
#include "isthmus/errors.h"
#include "isthmus/options.h"

namespace isthmus {

nlohmann::ordered_json read_json_object(const std::filesystem::path& path, std::string_view what) {
  std::ifstream file(path);
  if (!file || std::filesystem::is_directory(path)) {
    throw IoError(fmt::format("{}: cannot read the {}: {}", path.string(), what,
                              file ? "it is a folder" : std::strerror(errno)));
  }
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const std::string where = fmt::format("{}: the {}", path.string(), what);
  auto json = parse_json<nlohmann::ordered_json>(text, where);
  if (json.is_object()) return json;
  throw IoError(fmt::format("{} holds a JSON {}; expected an object, {{\"name\": value, ...}}", where,
                            json.type_name()));
}

std::string option_text(const nlohmann::ordered_json& value) {
  if (value.is_null()) return std::string(kAutomatic);
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number() || value.is_boolean()) return value.dump();
  std::vector<std::string> words;
  if (value.is_array()) {
    for (const nlohmann::ordered_json& item : value) {
      if (!item.is_number()) return "";
      words.push_back(item.dump());
    }
  }
  return fmt::format("{}", fmt::join(words, ","));
}

std::string json_text(const nlohmann::ordered_json& json, int indent) {
  return json.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace isthmus
