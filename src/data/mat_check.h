#pragma once

#include <string>
#include <vector>

#include "data/input_file.h"

namespace isthmus {

// matio trusts what a file says about its own sizes. These walk over a file first and throw IoError where a
// size does not fit.

/// Level 5: every element lies in the one around it, and has as many bytes as its dimensions and type need;
/// packed elements are unpacked on the way. Returns the names of the variables in order.
std::vector<std::string> check_mat5(const InputFile& file);

/// Version 7.3 (HDF5): no dataset claims more than the file can hold packed.
void check_mat73(const InputFile& file);

}  // namespace isthmus
