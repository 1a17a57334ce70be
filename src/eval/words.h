#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace isthmus {

/// Splits a list at `separator`; spaces around a word do not count, empty words are left out.
std::vector<std::string> split_words(std::string_view list, char separator);

}  // namespace isthmus
