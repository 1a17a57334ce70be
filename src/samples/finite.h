#pragma once

#include <string_view>

#include "isthmus/matrix.h"

namespace isthmus {

/// Throws InvalidArgument on the first value that is NaN or infinite, with its place: "the target holds nan
/// at sample 3, feature 2". `values` are the samples from number `first` on (from 0) of what `whose` names.
void require_finite(MatrixView values, std::string_view whose, Index first);

}  // namespace isthmus
