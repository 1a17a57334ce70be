#pragma once

#include <string>

#include "isthmus/adapt.h"

namespace isthmus {

/// What an option may be, for people: "≥ 1 or auto".
std::string option_range(const OptionSpec& option);

/// A method's options as the Markdown table its page in docs/methods shows; a sentence where it has none.
std::string options_markdown(const MethodInfo& method);

}  // namespace isthmus
