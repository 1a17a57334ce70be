#include "bench/options_markdown.h"

#include <fmt/format.h>

namespace isthmus {
namespace {

/// A bar would end the cell.
std::string cell(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

}  // namespace

std::string option_range(const OptionSpec& option) {
  return option.automatic ? fmt::format("{} or {}", option.range, kAutomatic) : option.range;
}

std::string options_markdown(const MethodInfo& method) {
  if (method.options.empty()) return "It has no options.\n";
  std::string table = "| option | default | range | meaning |\n|---|---|---|---|\n";
  for (const OptionSpec& option : method.options) {
    table += fmt::format("| `{}` | {} | {} | {} |\n", option.name, cell(option.default_value),
                         cell(option_range(option)), cell(option.help));
  }
  return table;
}

}  // namespace isthmus
