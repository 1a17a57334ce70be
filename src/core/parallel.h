#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "isthmus/execution.h"
#include "isthmus/matrix.h"

namespace isthmus {

/// Runs body(block) for every block in [0, blocks) on the threads of `run`, the caller's included, and looks
/// before each whether to stop. The blocks are the same whatever the thread count, so a body that writes only
/// its own block gives the same bytes on one thread and on many. The first exception is passed on after all
/// threads have ended.
template <class Body>
void parallel_blocks(const Execution& run, Index blocks, Body&& body) {
  const auto one_block = [&](Index block) {
    run.look();
    body(block);
  };
  const Index workers = std::min<Index>(std::max(run.threads, 1), blocks);
  if (workers <= 1) {
    for (Index block = 0; block < blocks; ++block) one_block(block);
    return;
  }
  std::atomic<Index> next{0};
  std::mutex guard;
  std::exception_ptr failure;
  const auto work = [&] {
    try {
      for (Index block = next++; block < blocks; block = next++) one_block(block);
    } catch (...) {
      next = blocks;
      const std::lock_guard lock(guard);
      if (!failure) failure = std::current_exception();
    }
  };
  std::vector<std::jthread> team;
  try {
    for (Index i = 1; i < workers; ++i) team.emplace_back(work);
  } catch (const std::system_error&) {
    // No more threads to be had (memory, limits of the user): those there are do the work.
  }
  work();
  team.clear();
  if (failure) std::rethrow_exception(failure);
}

/// Number of blocks of `size` that cover `count`.
inline Index block_count(Index count, Index size) {
  return (count + size - 1) / size;
}

/// Calls body(begin, length) for consecutive ranges of at most `size` that cover [0, count).
template <class Body>
void parallel_ranges(const Execution& run, Index count, Index size, Body&& body) {
  parallel_blocks(run, block_count(count, size), [&](Index block) {
    const Index begin = block * size;
    body(begin, std::min(size, count - begin));
  });
}

}  // namespace isthmus
