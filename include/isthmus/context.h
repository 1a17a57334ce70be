#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>

#include "isthmus/execution.h"

namespace isthmus {

/// What a method tells while it runs; one per round or solver iteration.
struct IterationInfo {
  std::string_view phase;  ///< what repeats, e.g. "round" or "reconstruction"
  int iteration = 0;       ///< from 1
  int limit = 0;           ///< iterations at most
  double objective = std::numeric_limits<double>::quiet_NaN();  ///< where there is one
  int label_changes = -1;  ///< pseudo labels that changed, -1 where there are none
};

enum class Decision { Continue, Stop };

/// Everything a computation needs to know about its surroundings. Passed by reference, never stored globally.
struct Context {
  int threads = 1;         ///< at least 1; results do not depend on it
  std::uint64_t seed = 0;  ///< for whatever is drawn at random; same seed, same bytes
  /// Called after every iteration, always from the calling thread. Stop ends the fit with the best state so
  /// far. Long passes outside of iterations report their blocks here, too, and go on whatever it says.
  std::function<Decision(const IterationInfo&)> on_iteration = {};
  /// Asked before every block of work, from any of its threads; true stops: a fit ends with its last finished
  /// iteration, and where there is none, Cancelled is thrown. May be empty.
  std::function<bool()> cancel = {};
  /// When to stop with what the last finished iteration left; none: never. The first iteration, without which
  /// there is no result, runs to its end. A point in time, so that several fits can share it.
  std::optional<std::chrono::steady_clock::time_point> deadline = {};
  bool has_result = false;  ///< the work under way can be dropped: its kernels hear the deadline, too
  /// Who does the heavy operations (isthmus/backend.h); empty: the CPU.
  std::shared_ptr<Backend> backend = {};

  /// The deadline that many seconds from now; none where that is beyond what the clock can hold.
  static std::optional<std::chrono::steady_clock::time_point> deadline_after(double seconds) {
    using Clock = std::chrono::steady_clock;
    const auto now = Clock::now();
    const std::chrono::duration<double> wanted(seconds);
    if (wanted >= Clock::time_point::max() - now) return std::nullopt;
    return now + std::chrono::duration_cast<Clock::duration>(wanted);
  }

  bool out_of_time() const { return deadline && std::chrono::steady_clock::now() >= *deadline; }
  /// Told to stop, or out of time.
  bool cancelled() const { return (cancel && cancel()) || out_of_time(); }
  /// Reports an iteration and asks whether to go on.
  Decision report(const IterationInfo& info) const {
    const Decision decision = on_iteration ? on_iteration(info) : Decision::Continue;
    return cancelled() ? Decision::Stop : decision;
  }
  /// The same without reports, for work inside an iteration.
  Context quiet() const {
    Context inner = *this;
    inner.on_iteration = {};
    return inner;
  }
  /// The same for what a stopped fit still needs to have a result.
  Context unstoppable() const {
    Context inner = *this;
    inner.cancel = {};
    inner.has_result = false;
    return inner;
  }
  /// The same for the iteration that comes after so many finished ones.
  Context after(int finished) const {
    Context inner = *this;
    inner.has_result = finished > 0;
    return inner;
  }
  /// Of work inside a kernel, which reports nothing and draws nothing.
  static Context inside(const Execution& run) {
    Context inner;
    inner.threads = run.threads;
    inner.cancel = run.cancel;
    inner.deadline = run.deadline;
    inner.has_result = true;
    return inner;
  }

  // NOLINTNEXTLINE(google-explicit-constructor): what a kernel needs to know of it
  operator Execution() const {
    Execution run(threads);
    run.cancel = cancel;
    if (has_result) run.deadline = deadline;
    if (on_iteration) {
      run.progress = [tell = on_iteration](const Progress& step) {
        tell({.phase = step.phase, .iteration = step.done, .limit = step.of});
      };
    }
    run.backend = backend;
    return run;
  }
};

}  // namespace isthmus
