#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "isthmus/errors.h"

namespace isthmus {

class Backend;

/// How far a long pass has come.
struct Progress {
  std::string_view phase;  ///< what is counted, e.g. "block"
  int done = 0;
  int of = 0;
};

/// How work is done: on how many threads, who may end it, who hears of it and who does the heavy operations.
/// Functions that compute take one and hand it on; a number of threads is one that nobody ends.
struct Execution {
  // NOLINTNEXTLINE(google-explicit-constructor): a number says all where nobody cancels
  Execution(int team = 1) : threads(team) {}

  bool out_of_time() const { return deadline && std::chrono::steady_clock::now() >= *deadline; }
  /// Throws Cancelled where the work shall end. Called before every block of work, from any of its threads.
  void look() const {
    if ((cancel && cancel()) || out_of_time()) throw Cancelled();
  }
  /// Reports a step of a pass that takes long; from the thread that began it.
  void tell(const Progress& step) const {
    if (progress) progress(step);
  }
  /// The same for a share of the work that runs beside others, and so reports nothing.
  Execution on(int team) const {
    Execution share = *this;
    share.threads = team;
    share.progress = {};
    return share;
  }

  int threads;                        ///< at least 1; results do not depend on it
  std::function<bool()> cancel = {};  ///< true: stop; called from any thread; may be empty
  std::optional<std::chrono::steady_clock::time_point> deadline = {};  ///< stop from then on
  std::function<void(const Progress&)> progress = {};                  ///< may be empty
  std::shared_ptr<Backend> backend =
      {};  ///< who does the heavy operations (isthmus/backend.h); empty: the CPU
};

}  // namespace isthmus
