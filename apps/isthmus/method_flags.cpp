#include "method_flags.h"

#include <fmt/format.h>

#include <algorithm>

#include "bench/method_spec.h"
#include "isthmus/adapt.h"

namespace {

/// Every option name of any method; true where all methods that have it have it as a flag.
std::map<std::string, bool> option_names() {
  std::map<std::string, bool> names;
  for (const isthmus::MethodInfo& method : isthmus::methods()) {
    for (const isthmus::OptionSpec& option : method.options) {
      const bool flag = option.type == isthmus::OptionType::Flag;
      const auto [at, fresh] = names.emplace(option.name, flag);
      if (!fresh) at->second = at->second && flag;
    }
  }
  return names;
}

}  // namespace

void MethodFlags::add_to(CLI::App& command) {
  command
      .add_option("-O,--option", assignments_,
                  "Option of the method, name=value; also as a flag, --name value; see `isthmus methods M`")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->expected(1)
      ->type_name(kAssignment);
  for (const auto& [name, is_flag] : option_names()) {
    // A name the command itself uses stays the command's; -O reaches the method's.
    if (command.get_option_no_throw("--" + name) != nullptr) continue;
    CLI::Option* option = command.add_option("--" + name, plain_[name])->group("");
    if (is_flag) option->expected(0, 1);
    flags_.emplace_back(name, option);
  }
}

isthmus::OptionMap MethodFlags::values() const {
  isthmus::OptionMap values;
  for (const std::string& assignment : assignments_) isthmus::add_assignment(values, assignment);
  for (const auto& [name, option] : flags_) {
    if (option->count() == 0) continue;
    const std::string& value = plain_.at(name);
    const bool bare = value.empty() && option->get_items_expected_min() == 0;
    isthmus::add_assignment(values, fmt::format("{}={}", name, bare ? "true" : value));
  }
  return values;
}
