#include <fmt/format.h>

#include <memory>

#include "bench/options_markdown.h"
#include "bench/results.h"
#include "bench/text_table.h"
#include "console.h"
#include "isthmus/adapt.h"
#include "program.h"

namespace {

struct MethodsFlags : CommonFlags {
  std::string method;
  bool markdown = false;
};

std::string list_methods() {
  using enum isthmus::TextTable::Align;
  isthmus::TextTable table({"method", "what it does"}, {Left, Left});
  for (const isthmus::MethodInfo& method : isthmus::methods()) {
    table.add_row({std::string(method.name), std::string(method.summary)});
  }
  return table.to_string() +
         fmt::format("\nDefault: {}. `isthmus methods METHOD` shows a method's options.\n",
                     isthmus::default_method());
}

std::string describe(const isthmus::MethodInfo& method) {
  std::string text =
      fmt::format("{}: {}\n{}\n{}\n", method.name, method.title, method.summary, method.reference);
  if (method.options.empty()) return text + "\nIt has no options.\n";
  text += "\nOptions (as --name value, or -O name=value):\n";
  for (const isthmus::OptionSpec& option : method.options) {
    text += fmt::format("\n  {} = {}    ({})\n      {}\n", option.name, option.default_value,
                        isthmus::option_range(option), option.help);
  }
  return text;
}

int run_methods(const MethodsFlags& flags) {
  if (!flags.method.empty()) {
    const isthmus::MethodInfo& method = isthmus::find_method(flags.method);
    if (flags.markdown) {
      print(isthmus::options_markdown(method));
      return kOk;
    }
    flags.json ? print_json(isthmus::method_json(method)) : print(describe(method));
    return kOk;
  }
  if (!flags.json) {
    print(list_methods());
    return kOk;
  }
  nlohmann::ordered_json json{{"default", isthmus::default_method()},
                              {"methods", nlohmann::ordered_json::array()}};
  for (const isthmus::MethodInfo& method : isthmus::methods()) json["methods"].push_back(method_json(method));
  print_json(json);
  return kOk;
}

}  // namespace

void add_methods(Program& program) {
  const auto flags = std::make_shared<MethodsFlags>();
  CLI::App& command =
      program.add_command(program.root(), "methods", "List the methods, or one method's options",
                          "isthmus methods pca", *flags, [flags] { return run_methods(*flags); });
  command.add_option("method", flags->method, "Show this one's options: default, range, meaning")
      ->type_name("METHOD");
  command.add_flag("--markdown", flags->markdown, "With a METHOD: its options as a Markdown table");
}
