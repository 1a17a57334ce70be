// A listing of benchmark tasks.
#include "bench/suite.h"

#include "watched_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  isthmus::fuzz::read_watched(data, size, {1032 + 512, 96 << 20}, [](const std::filesystem::path& path) {
    static_cast<void>(isthmus::read_suite(path, {0, 1}));
  });
  return 0;
}
