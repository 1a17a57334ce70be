#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace isthmus {

/// Where the heavy operations run; what it lacks falls to the CPU (Report::execution tells).
class Backend;

/// The names of those there are: "cpu" first, then what was added.
std::vector<std::string> backends();

/// Throws InvalidArgument on an unknown name.
///
///     context.backend = isthmus::find_backend("cpu");
std::shared_ptr<Backend> find_backend(std::string_view name);

}  // namespace isthmus
