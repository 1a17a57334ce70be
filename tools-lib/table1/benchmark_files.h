#pragma once

#include <filesystem>
#include <vector>

#include "table1/table1.h"

namespace isthmus {

/// Throws IoError when a file of the tasks is not in the folder: which ones, their checksums, where they come
/// from and how to get them.
void require_benchmark_files(const std::filesystem::path& folder, const std::vector<Table1Task>& tasks);

}  // namespace isthmus
