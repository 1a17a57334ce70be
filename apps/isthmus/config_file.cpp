#include "config_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "bench/json_file.h"
#include "core/text.h"
#include "isthmus/errors.h"
#include "method_flags.h"

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

/// A list of numbers is one value ("20,50,100"), a list of texts one flag each.
std::vector<std::string> plain_texts(const nlohmann::ordered_json& value, const std::string& path,
                                     const std::string& key) {
  if (!value.is_array()) return {plain_text(value, path, key)};
  std::vector<std::string> words;
  for (const auto& item : value) words.push_back(plain_text(item, path, key));
  if (!value.empty() && value.front().is_string()) return words;
  return {fmt::format("{}", fmt::join(words, ","))};
}

/// What an argument says after the name of the flag: nothing where it is no such flag, an empty text where
/// the value is the next argument's.
std::optional<std::string> after_name(const std::string& argument, const CLI::Option& option) {
  for (const std::string& name : option.get_lnames()) {
    const std::string flag = "--" + name;
    if (argument == flag) return "";
    if (argument.starts_with(flag + "=")) return argument.substr(flag.size() + 1);
  }
  for (const std::string& name : option.get_snames()) {
    if (argument.starts_with("-" + name)) return argument.substr(1 + name.size());
  }
  return std::nullopt;
}

bool takes_assignments(const CLI::Option& option) {
  return option.get_type_name() == kAssignment;
}

std::string assigned_name(const std::string& assignment) {
  return assignment.substr(0, assignment.find('='));
}

/// Long names of the flags that the arguments give; -O name=value gives --name too.
std::set<std::string> given_names(const CLI::App& command, std::span<const std::string> typed) {
  std::set<std::string> given;
  for (std::size_t i = 0; i < typed.size(); ++i) {
    for (const CLI::Option* option : command.get_options()) {
      const auto rest = after_name(typed[i], *option);
      if (!rest) continue;
      given.insert(option->get_lnames().begin(), option->get_lnames().end());
      const std::string& value = rest->empty() && i + 1 < typed.size() ? typed[i + 1] : *rest;
      if (takes_assignments(*option)) given.insert(assigned_name(value));
    }
  }
  return given;
}

}  // namespace

std::vector<std::string> config_arguments(const std::string& path, const CLI::App& command,
                                          std::span<const std::string> typed) {
  const std::vector<std::string> known = long_flags(command);
  const std::set<std::string> given = given_names(command, typed);
  std::vector<std::string> arguments;
  const nlohmann::ordered_json object = isthmus::read_json_object(path, "config file");
  for (const auto& [key, value] : object.items()) {
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      throw InvalidArgument(fmt::format("{}: '{}' is no flag of `isthmus {}`{}; see its --help", path, key,
                                        command.get_name(), isthmus::did_you_mean(key, known)));
    }
    const bool assignments = takes_assignments(*command.get_option("--" + key));
    if (given.contains(key) && !assignments) continue;
    for (const std::string& text : plain_texts(value, path, key)) {
      if (assignments && given.contains(assigned_name(text))) continue;
      arguments.push_back(fmt::format("--{}={}", key, text));
    }
  }
  return arguments;
}
