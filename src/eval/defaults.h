#pragma once

#include <string_view>

namespace isthmus {

/// The method used when none is named, whatever the data.
std::string_view default_method();

/// The preparation used when none is given. Unit length suits every method here: the published digits and
/// COIL results use it, and cosine-like distances are what features of a network or a histogram want.
std::string_view default_preprocessing();

}  // namespace isthmus
