#include "eval/json_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <set>
#include <string>

#include "isthmus/errors.h"
#include "isthmus/options.h"

namespace isthmus {
namespace {

/// Far more than any of our files has; each level costs stack when JSON is copied or written.
constexpr int kMaxDepth = 64;
/// Names are kept in their order, and each new one is compared with all before it.
constexpr std::size_t kMaxNames = 10'000;

/// Parses, refusing what would cost stack or time without bound, and a name that an object has twice: only
/// one of its values would be kept.
nlohmann::ordered_json parse_bounded(std::ifstream& file, const std::string& where) {
  using Json = nlohmann::ordered_json;
  std::array<std::set<std::string>, kMaxDepth + 2> names;
  return Json::parse(file, [&](int depth, Json::parse_event_t event, const Json& value) {
    if (depth > kMaxDepth)
      throw IoError(fmt::format("{} is nested deeper than {}; write it flatter", where, kMaxDepth));
    if (event == Json::parse_event_t::object_start) names[static_cast<std::size_t>(depth) + 1].clear();
    if (event != Json::parse_event_t::key) return true;
    std::set<std::string>& seen = names[static_cast<std::size_t>(depth)];
    if (!seen.insert(value.get<std::string>()).second)
      throw IoError(fmt::format("{} has '{}' twice; give it once", where, value.get<std::string>()));
    if (seen.size() > kMaxNames)
      throw IoError(fmt::format("{} has an object of more than {} names", where, kMaxNames));
    return true;
  });
}

}  // namespace

nlohmann::ordered_json read_json_object(const std::filesystem::path& path, std::string_view what) {
  std::ifstream file(path);
  if (!file || std::filesystem::is_directory(path)) {
    throw IoError(fmt::format("{}: cannot read the {}: {}", path.string(), what,
                              file ? "it is a folder" : std::strerror(errno)));
  }
  try {
    nlohmann::ordered_json json = parse_bounded(file, fmt::format("{}: the {}", path.string(), what));
    if (json.is_object()) return json;
    throw IoError(fmt::format("{}: the {} holds a JSON {}; expected an object, {{\"name\": value, ...}}",
                              path.string(), what, json.type_name()));
  } catch (const nlohmann::json::exception& error) {
    throw IoError(fmt::format("{}: the {} is no valid JSON: {}", path.string(), what, error.what()));
  }
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
