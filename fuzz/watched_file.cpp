#include "watched_file.h"

#include <sanitizer/allocator_interface.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "isthmus/errors.h"

namespace isthmus::fuzz {
namespace {

/// What is held since reading began. The readers use one thread.
struct Watch {
  bool on = false;
  std::ptrdiff_t held = 0;
  std::ptrdiff_t limit = 0;
} watch;

void on_malloc(const volatile void* /*block*/, std::size_t size) {
  if (!watch.on) return;
  watch.held += static_cast<std::ptrdiff_t>(size);
  if (watch.held <= watch.limit) return;
  watch.on = false;
  std::fprintf(stderr, "An allocation of %zu bytes makes %td held, above the bound of %td for this file\n",
               size, watch.held, watch.limit);
  std::abort();
}

void on_free(const volatile void* block) {
  if (watch.on && block != nullptr)
    watch.held -= static_cast<std::ptrdiff_t>(__sanitizer_get_allocated_size(block));
}

/// One file for the whole run: a reader wants a path, and a file in memory needs no disk.
int shared_file() {
  static const int descriptor = [] {
    __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
    return ::memfd_create("fuzzed", MFD_CLOEXEC);
  }();
  return descriptor;
}

}  // namespace

void attempt(const std::function<void()>& read) {
  try {
    read();
  } catch (const Error&) {
  }
}

void read_watched(const std::uint8_t* data, std::size_t size, MemoryBound bound,
                  const std::function<void(const std::filesystem::path&)>& read) {
  const int file = shared_file();
  if (file < 0 || ::ftruncate(file, 0) != 0 || ::pwrite(file, data, size, 0) != static_cast<ssize_t>(size)) {
    std::perror("cannot write the file to read");
    std::abort();
  }
  const std::filesystem::path path = "/proc/self/fd/" + std::to_string(file);
  watch = {true, 0, static_cast<std::ptrdiff_t>(bound.per_byte * size + bound.fixed)};
  attempt([&] { read(path); });
  watch.on = false;
}

}  // namespace isthmus::fuzz
