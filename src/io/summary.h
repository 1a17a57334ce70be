#pragma once

#include <span>
#include <string>
#include <vector>

#include "isthmus/data.h"

namespace isthmus {

/// Without values yet: minimum and maximum are NaN.
VariableSummary empty_summary(std::string name, std::string type, std::vector<Index> shape);
/// Widens minimum and maximum over the finite values, and counts the others as missing.
void add_values(VariableSummary& summary, std::span<const double> values);

}  // namespace isthmus
