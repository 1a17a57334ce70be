#pragma once

namespace isthmus {

/// Starts a new measurement: forgets the peak so far. Does nothing where the kernel does not allow it (then
/// peaks only grow from cell to cell).
void reset_peak_memory();

/// The largest resident size of this process since the last reset, in MiB.
double peak_memory_mib();

}  // namespace isthmus
