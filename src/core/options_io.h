#pragma once

#include <functional>
#include <string>
#include <vector>

#include "isthmus/errors.h"
#include "isthmus/options.h"

namespace isthmus {

/// Runs `describe` over options and collects the specs (defaults are the current values).
std::vector<OptionSpec> option_specs(const std::function<void(OptionVisitor&)>& describe);

/// Parses and range-checks `values` into the options. Throws InvalidArgument naming the option, the value,
/// the bound; an unknown name gets a did-you-mean. `owner` names whose options they are.
void assign_options(const std::function<void(OptionVisitor&)>& describe, const OptionMap& values,
                    const std::string& owner);

/// Every option with its current value as text; assign_options reads it back exactly.
OptionMap option_values(const std::function<void(OptionVisitor&)>& describe);

/// The same of an options struct.
template <class Options>
OptionMap values_of(Options options) {
  return option_values([&](OptionVisitor& visit) { describe(visit, options); });
}

}  // namespace isthmus
