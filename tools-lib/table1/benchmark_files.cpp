#include "table1/benchmark_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "isthmus/errors.h"
#include "table1/manifest.h"

namespace isthmus {

void require_benchmark_files(const std::filesystem::path& folder, const std::vector<Table1Task>& tasks) {
  std::set<std::string_view> missing;
  for (const Table1Task& task : tasks) {
    for (const DomainFile& domain : {task.source, task.target}) {
      std::error_code ignored;
      if (!std::filesystem::is_regular_file(folder / domain.file, ignored)) missing.insert(domain.file);
    }
  }
  if (missing.empty()) return;
  std::vector<std::string> files;
  for (const std::string_view file : missing) {
    files.push_back(fmt::format("{} (sha256 {})", file, manifest_entry(file).sha256));
  }
  throw IoError(fmt::format(
      "{}: benchmark files are missing: {}; they come from {}; get them with `isthmus data fetch --data {}`",
      folder.string(), fmt::join(files, ", "), kManifestOrigin, folder.string()));
}

}  // namespace isthmus
