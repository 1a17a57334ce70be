#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "bench/suite.h"
#include "isthmus/context.h"

namespace isthmus {

struct SuiteRunOptions {
  int jobs = 1;               ///< cells at a time; they share the context's threads
  double seconds_a_cell = 0;  ///< a cell that takes longer is ended; 0: no limit
  /// Finished cells are kept here and not run again; empty: nowhere.
  std::filesystem::path log = {};
  bool retry = false;  ///< run again what the log holds as failed or timed out
};

/// Called before each cell that is run with its number (cells that the log holds come first), after it with
/// how many are done; and with how many there are.
struct SuiteProgress {
  std::function<void(const SuiteCell&, int number, int count)> on_start;
  std::function<void(const SuiteCell&, int done, int count)> on_finish;
};

/// Runs the cells that the log does not hold, each in a process of its own: a crash, a time limit or a lack
/// of memory marks its cell, and the rest goes on. Gives the finished cells in the suite's order; fewer than
/// the suite has when the context is cancelled (cells in work are dropped, and run by the next call).
std::vector<SuiteCell> run_suite(const Suite& suite, const SuiteRunOptions& options, const Context& context,
                                 const SuiteProgress& progress = {});

}  // namespace isthmus
