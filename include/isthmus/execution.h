#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "isthmus/errors.h"

namespace isthmus {

class Backend;

/// How work is done: on how many threads, and who may end it. Functions that compute take one and hand it
/// on; a number of threads is one that nobody ends.
struct Execution {
  // NOLINTNEXTLINE(google-explicit-constructor): a number says all where nobody cancels
  Execution(int team = 1, std::function<bool()> asked_to_stop = {})
      : threads(team), cancel(std::move(asked_to_stop)) {}

  /// Throws Cancelled where the work shall end. Called before every block of work, from any of its threads.
  void look() const {
    if (cancel && cancel()) throw Cancelled();
  }
  /// The same for a share of the work that runs beside others.
  Execution on(int team) const {
    Execution share = *this;
    share.threads = team;
    return share;
  }

  int threads;                       ///< at least 1; results do not depend on it
  std::function<bool()> cancel;      ///< true: stop; called from any thread; may be empty
  std::shared_ptr<Backend> backend;  ///< who does the heavy operations (isthmus/backend.h); empty: the CPU
};

}  // namespace isthmus
