// Stands in for the registry of methods: what is read from a file is checked against it, but the methods
// themselves are half of the library and never run here.
#include "made_up_methods.h"

#include <fmt/format.h>

#include "core/options_io.h"
#include "core/text.h"
#include "isthmus/adapt.h"

namespace isthmus {
namespace fuzz {

void describe(OptionVisitor& visit, MadeUpOptions& o) {
  visit.integer("components", o.components, {.low = 1}, "");
  visit.real("lambda", o.lambda, {.low = 0.0}, "");
  visit.flag("scaled", o.scaled, "");
  visit.integer_list("subspaces", o.subspaces, {.low = 1}, "");
  using enum MadeUpOptions::Mode;
  visit.choice("mode", o.mode, {{"plain", Plain}, {"fancy", Fancy}}, "");
}

}  // namespace fuzz

std::span<const MethodInfo> methods() {
  static const std::vector<MethodInfo> list = [] {
    fuzz::MadeUpOptions options;
    auto specs = option_specs([&](OptionVisitor& visit) { describe(visit, options); });
    return std::vector<MethodInfo>{{"nn", "", "", "", {}}, {"jda", "", "", "", std::move(specs)}};
  }();
  return list;
}

const MethodInfo& find_method(std::string_view name) {
  for (const MethodInfo& method : methods()) {
    if (method.name == name) return method;
  }
  throw InvalidArgument(fmt::format("there is no method '{}'{}", name, did_you_mean(name, {"nn", "jda"})));
}

}  // namespace isthmus
