#pragma once

#include "isthmus/errors.h"
#include "isthmus/report.h"

namespace isthmus {

/// Runs the iterations of a fit and gives the status they end with. They count themselves in `done`, each
/// once all it changed is in place; cancelled after the first, the fit has stopped at the last that counts.
/// Cancelled before, it has no result, and Cancelled goes on to the caller.
template <class Iterations>
Status to_last_finished(const int& done, Iterations&& iterations) {
  try {
    return iterations();
  } catch (const Cancelled&) {
    if (done == 0) throw;
    return Status::Stopped;
  }
}

}  // namespace isthmus
