#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <vector>

#include "isthmus/options.h"

/// The type of a flag that takes name=value.
inline constexpr const char* kAssignment = "NAME=VALUE";

/// The options of a method on the command line: -O name=value, and a plain flag for every option of any
/// registered method (--components 20). The method itself says which of them it has.
class MethodFlags {
 public:
  void add_to(CLI::App& command);
  isthmus::OptionMap values() const;

 private:
  std::vector<std::string> assignments_;
  std::map<std::string, std::string> plain_;
  std::vector<std::pair<std::string, CLI::Option*>> flags_;
};
