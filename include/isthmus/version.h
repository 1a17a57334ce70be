#pragma once

#include <string>

namespace isthmus {

/// "0.1.0"
std::string version();
/// Name, version and flavour of the BLAS in use: "OpenBLAS 0.3.21 ... SINGLE_THREADED".
std::string blas_description();
/// Cores this process may use.
int available_cores();

}  // namespace isthmus
