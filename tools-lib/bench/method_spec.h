#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "isthmus/options.h"

namespace isthmus {

/// A method with the options it was asked for.
struct MethodSpec {
  std::string name;
  OptionMap options;
  /// As asked for: "jda", "rsa-cdda:mode=corrected;classifier=nn".
  std::string text() const;
};

/// How a method is run on a task: preparation of the samples and the options that differ from its defaults.
struct MethodSetting {
  std::string preprocessing;
  OptionMap options;
};

/// Parses "name=value". Throws InvalidArgument on a missing name or '='.
std::pair<std::string, std::string> parse_assignment(std::string_view text);
/// Adds what "name=value" says. Throws InvalidArgument when the name has a value already.
void add_assignment(OptionMap& options, std::string_view text);

/// Parses "jda,rsa-cdda:mode=corrected;classifier=nn": methods by comma, options after a colon, by semicolon.
/// A comma before a digit continues a list ("rsa-cdda:components=20,50"): no method starts with one.
/// Throws InvalidArgument (with a did-you-mean) on an unknown method or option, or an empty list.
std::vector<MethodSpec> parse_method_list(std::string_view list);

/// Throws InvalidArgument with a did-you-mean when the method lacks one of the options.
void require_known_options(const MethodSpec& spec);

}  // namespace isthmus
