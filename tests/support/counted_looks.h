#pragma once

#include <atomic>

#include "isthmus/execution.h"

namespace isthmus::testing {

/// Counts how often a computation looks whether to stop.
class CountedLooks {
 public:
  Execution on(int threads = 1) {
    Execution run(threads);
    run.cancel = [this] {
      ++count_;
      return false;
    };
    return run;
  }
  long count() const { return count_; }

 private:
  std::atomic<long> count_{0};
};

/// The looks of one computation on one thread.
template <class Work>
long looks_of(const Work& work) {
  CountedLooks looks;
  work(looks.on());
  return looks.count();
}

}  // namespace isthmus::testing
