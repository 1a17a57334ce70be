// The log of a benchmark: opened, and asked for the results of two cells.
#include "bench/suite_log.h"
#include "watched_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using isthmus::fuzz::attempt;
  isthmus::fuzz::read_watched(data, size, {512, 1 << 20}, [](const std::filesystem::path& path) {
    const isthmus::SuiteLog log(path);
    isthmus::SuiteCell cell;  // as the seeds name it
    cell.task.name = "t";
    cell.method.name = "nn";
    cell.setting.preprocessing = "l2";
    for (const std::uint64_t seed : {0U, 1U}) {
      cell.seed = seed;
      attempt([&] { static_cast<void>(log.recall(cell)); });
    }
  });
  return 0;
}
