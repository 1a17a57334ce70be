#include "linalg/blas_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <mutex>
#include <new>

// Exported by OpenBLAS; another BLAS has no such functions, and no such trouble.
extern "C" {
[[gnu::weak]] void* blas_memory_alloc(int position);
[[gnu::weak]] void blas_memory_free(void* buffer);
[[gnu::weak]] int openblas_get_num_procs();
}

namespace isthmus::linalg {
namespace {

// A buffer has 128 MiB and a page; the rest is for what asking takes itself.
constexpr std::size_t kBufferBytes = std::size_t{130} << 20U;
// OpenBLAS has places for twice as many as it has threads, 64 in Debian.
constexpr int kMostBuffers = 96;

/// The threads OpenBLAS starts for itself when it is loaded. They do nothing here, but each takes a buffer,
/// which may be one of those reserved.
int idle_threads() {
  return openblas_get_num_procs == nullptr ? 0 : openblas_get_num_procs() - 1;
}

/// Whether that much address space can be had at this moment.
bool is_free(std::size_t bytes) {
  void* const space =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (space == MAP_FAILED) return false;
  ::munmap(space, bytes);
  return true;
}

}  // namespace

void reserve_blas_memory(const Execution& run) {
  if (blas_memory_alloc == nullptr || blas_memory_free == nullptr) return;
  static std::mutex guard;
  static int reserved = 0;
  const std::lock_guard lock(guard);
  const int wanted = std::clamp(run.threads + idle_threads(), 1, kMostBuffers);
  if (wanted <= reserved) return;
  if (!is_free(kBufferBytes * static_cast<std::size_t>(wanted - reserved))) throw std::bad_alloc();
  std::array<void*, kMostBuffers> buffers{};
  for (int i = 0; i < wanted; ++i) buffers.at(static_cast<std::size_t>(i)) = blas_memory_alloc(0);
  // Given back they stay with OpenBLAS, for its next calls.
  for (int i = 0; i < wanted; ++i) blas_memory_free(buffers.at(static_cast<std::size_t>(i)));
  reserved = wanted;
}

}  // namespace isthmus::linalg
