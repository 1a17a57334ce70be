#pragma once

#include <string>
#include <vector>

#include "io/element.h"
#include "io/input_file.h"

namespace isthmus {

// matio trusts what a file says about its own sizes. These walk over a file first and throw IoError where a
// size does not fit.

/// A variable of a level 5 file.
struct Mat5Variable {
  std::string name;
  Layout layout;  ///< of its numbers as stored, which may be smaller than the array's class
  std::uint64_t offset =
      0;  ///< of the numbers in the file; 0 where they are packed, complex or no plain array
};

/// Level 5: every element lies in the one around it, and has as many bytes as its dimensions and type need;
/// packed elements are unpacked on the way. Returns the variables in order.
std::vector<Mat5Variable> check_mat5(const InputFile& file);

/// Version 7.3 (HDF5): no dataset claims more than the file can hold packed.
void check_mat73(const InputFile& file);

}  // namespace isthmus
