#pragma once

#include <string>

#include "isthmus/data.h"
#include "program.h"

/// Reads the samples a user named: FILE, or FILE:VARIABLE for a variable of a MAT, NPZ or safetensors file.
/// `labels` is a column (name or number) or variable of the same file, a FILE[:VARIABLE] of its own, "none",
/// or empty to find out. What the reader found out is noted on standard error unless quiet.
isthmus::Domain read_samples(const std::string& samples, const std::string& labels,
                             const CommonFlags& common);

/// A path and the variable after its last colon; a file that exists under the whole name has none.
struct FileArgument {
  std::string path;
  std::string variable;
};
FileArgument split_variable(const std::string& argument);
