// fetch_one URL NAME BYTES SHA256: downloads one file into the current folder, for tests that disturb it.
#include <fmt/format.h>

#include <string>

#include "fetch/fetch.h"

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  const isthmus::ManifestEntry entry{
      .name = argv[2], .bytes = std::stoul(argv[3]), .sha256 = argv[4], .content = "a test"};
  try {
    fetch(entry, ".", {.base_url = argv[1]});
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}
