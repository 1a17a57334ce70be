#pragma once

#include <any>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/options_io.h"
#include "isthmus/adapt.h"
#include "model/state.h"

namespace isthmus {

/// A method with its options given.
using Fit = std::function<ModelState(const DomainPair&, const Context&)>;

/// One method: what it is called, and its fit by options as text or as its own struct.
struct Method {
  MethodInfo info;
  std::function<Fit(const OptionMap&)> by_text;
  std::function<std::optional<Fit>(const std::any&)> by_struct;  ///< nothing where they are another method's
};

/// Ties a method's options struct, its description and its fit function together.
template <class Options>
Method entry(std::string_view name, std::string_view title, std::string_view summary,
             std::string_view reference, ModelState (*fit)(const DomainPair&, Options, const Context&)) {
  const auto by_text = [name, fit](const OptionMap& values) -> Fit {
    Options options;
    assign_options([&](OptionVisitor& visit) { describe(visit, options); }, values,
                   "method '" + std::string(name) + "'");
    return [fit, options](const DomainPair& pair, const Context& context) {
      ModelState state = fit(pair, options, context);
      state.requested = values_of(options);
      return state;
    };
  };
  // By their text, so that one place holds values to their bounds; it reads back exactly.
  const auto by_struct = [by_text](const std::any& given) -> std::optional<Fit> {
    const auto* options = std::any_cast<Options>(&given);
    return options == nullptr ? std::nullopt : std::optional(by_text(values_of(*options)));
  };
  Options defaults;
  return {{name, title, summary, reference,
           option_specs([&](OptionVisitor& visit) { describe(visit, defaults); })},
          by_text,
          by_struct};
}

/// The one list of methods, in the order of Table 1.
const std::vector<Method>& registry();
/// Throws InvalidArgument with a did-you-mean on an unknown name.
const Method& find_entry(const std::vector<Method>& methods, std::string_view name);

/// Prepares the pair, fits the method and labels the target.
Model adapt_with(const Method& method, const Fit& fit, DomainPair pair, Preprocessing preprocessing,
                 const Context& context);

}  // namespace isthmus
