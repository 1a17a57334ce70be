#include "config_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "data/text.h"
#include "eval/json_file.h"
#include "isthmus/errors.h"

using isthmus::InvalidArgument;

namespace {

std::vector<std::string> long_flags(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      if (name != "help" && name != "config") names.push_back(name);
    }
  }
  return names;
}

/// The text a user would have typed for a JSON value.
std::string plain_text(const nlohmann::ordered_json& value, const std::string& path, const std::string& key) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number() || value.is_boolean()) return value.dump();
  throw InvalidArgument(
      fmt::format("{}: '{}' holds a JSON {}; expected text, a number, true or false, or a list of those",
                  path, key, value.type_name()));
}

}  // namespace

std::vector<std::string> config_arguments(const std::string& path, const CLI::App& command) {
  const std::vector<std::string> known = long_flags(command);
  std::vector<std::string> arguments;
  const nlohmann::ordered_json object = isthmus::read_json_object(path, "config file");
  for (const auto& [key, value] : object.items()) {
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      throw InvalidArgument(fmt::format("{}: '{}' is no flag of `isthmus {}`{}; see its --help", path, key,
                                        command.get_name(), isthmus::did_you_mean(key, known)));
    }
    // A list of numbers is one value ("20,50,100"), a list of texts one flag each.
    const bool repeats = value.is_array() && !value.empty() && value.front().is_string();
    if (repeats) {
      for (const auto& item : value)
        arguments.push_back(fmt::format("--{}={}", key, plain_text(item, path, key)));
    } else if (value.is_array()) {
      std::vector<std::string> words;
      for (const auto& item : value) words.push_back(plain_text(item, path, key));
      arguments.push_back(fmt::format("--{}={}", key, fmt::join(words, ",")));
    } else {
      arguments.push_back(fmt::format("--{}={}", key, plain_text(value, path, key)));
    }
  }
  return arguments;
}
