#include "config_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "data/text.h"
#include "isthmus/errors.h"

using isthmus::InvalidArgument;
using isthmus::IoError;

namespace {

nlohmann::json read_object(const std::string& path) {
  std::ifstream file(path);
  if (!file || std::filesystem::is_directory(path)) {
    throw IoError(fmt::format("{}: cannot read the config file: {}", path,
                              file ? "it is a folder" : std::strerror(errno)));
  }
  try {
    nlohmann::json json = nlohmann::json::parse(file);
    if (!json.is_object()) {
      throw IoError(fmt::format(
          R"({}: the config file holds a JSON {}; expected an object such as {{"method": "pca"}})", path,
          json.type_name()));
    }
    return json;
  } catch (const nlohmann::json::parse_error& error) {
    throw IoError(fmt::format("{}: the config file is no valid JSON: {}", path, error.what()));
  }
}

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
std::string plain_text(const nlohmann::json& value, const std::string& path, const std::string& key) {
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
  const nlohmann::json object = read_object(path);
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
