#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "isthmus/data.h"
#include "isthmus/execution.h"

namespace isthmus {

/// A path and the variable after its last colon; a file that exists under the whole name has none.
struct FileArgument {
  std::string path;
  std::string variable;
};
FileArgument split_variable(const std::string& argument);

/// Samples as a user names them: FILE, or FILE:VARIABLE for a variable of a MAT, NPZ or safetensors file.
/// `labels` is a column (name or number) or variable of the same file, a FILE[:VARIABLE] of its own, "none",
/// or empty to find out. Relative paths start at `folder`; the rest of `options` is as for read_dataset.
struct SamplesName {
  std::string samples = {};
  std::string labels = {};
};
Dataset read_samples(const SamplesName& name, const std::filesystem::path& folder = {},
                     ReadOptions options = {});
/// The same for samples at hand as CSV; `name.samples` is what messages call them.
Dataset read_samples_text(std::string csv, const SamplesName& name, ReadOptions options = {});
/// The files that read_samples reads.
std::vector<std::string> sample_files(const SamplesName& name, const std::filesystem::path& folder = {});

/// What tells the content of their files from any other: the SHA-256 of each. Copied or touched files have
/// the same; one that cannot be read has none.
std::string samples_content(const SamplesName& name, const std::filesystem::path& folder,
                            const Execution& run);

}  // namespace isthmus
