#pragma once

#include "isthmus/execution.h"

namespace isthmus::linalg {

/// Lets OpenBLAS take now what it needs for calls from all threads of a run at once; throws std::bad_alloc
/// where the address space is too small for it. Without, a call that finds no memory later never returns:
/// OpenBLAS (0.3.21) asks again without end. Costs address space only (128 MiB a thread), and that once a
/// process.
void reserve_blas_memory(const Execution& run);

}  // namespace isthmus::linalg
