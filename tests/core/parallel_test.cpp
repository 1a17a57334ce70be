#include "core/parallel.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <stdexcept>

namespace isthmus {
namespace {

TEST(Parallel, EveryBlockRunsOnceOnAnyNumberOfThreads) {
  for (const int threads : {0, 1, 2, 7}) {
    std::vector<int> visits(101, 0);
    parallel_blocks(threads, 101, [&](Index block) { ++visits[static_cast<std::size_t>(block)]; });
    EXPECT_EQ(visits, std::vector<int>(101, 1)) << threads;
  }
}

TEST(Parallel, RangesCoverEverythingWithoutOverlap) {
  std::vector<int> visits(10, 0);
  parallel_ranges(2, 10, 4, [&](Index begin, Index length) {
    for (Index i = begin; i < begin + length; ++i) ++visits[static_cast<std::size_t>(i)];
  });
  EXPECT_EQ(visits, std::vector<int>(10, 1));
}

TEST(Parallel, AnExceptionReachesTheCaller) {
  const auto fail = [](Index block) {
    if (block == 5) throw std::runtime_error("block 5");
  };
  EXPECT_THROW(parallel_blocks(3, 20, fail), std::runtime_error);
}

TEST(Parallel, ItLooksBeforeEveryBlockAndStopsThere) {
  for (const int threads : {1, 3}) {
    std::atomic<int> looks{0};
    std::atomic<int> visits{0};
    Execution run(threads);
    run.cancel = [&] { return ++looks > 10; };
    EXPECT_THROW(parallel_blocks(run, 100, [&](Index) { ++visits; }), Cancelled);
    EXPECT_EQ(visits, 10);
    EXPECT_LE(looks, 10 + threads);
  }
}

TEST(Parallel, WithoutFurtherThreadsTheCallerDoesTheWork) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer cannot live with a limit on its address space";
#endif
  rlimit before = {};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  // Enough for what a block needs, not for the stacks of a thousand threads.
  const rlimit small{rlim_t{512} << 20U, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_AS, &small), 0);
  std::atomic<int> visits{0};
  EXPECT_NO_THROW(parallel_blocks(1000, 2000, [&](Index) { ++visits; }));
  ASSERT_EQ(setrlimit(RLIMIT_AS, &before), 0);
  EXPECT_EQ(visits, 2000);
}

TEST(Parallel, NothingToDoDoesNothing) {
  parallel_blocks(4, 0, [](Index) { FAIL(); });
}

}  // namespace
}  // namespace isthmus
