#include "io/summary.h"

#include <cmath>
#include <limits>
#include <utility>

namespace isthmus {

VariableSummary empty_summary(std::string name, std::string type, std::vector<Index> shape) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  return {std::move(name), std::move(type), std::move(shape), kNone, kNone, 0};
}

void add_values(VariableSummary& summary, std::span<const double> values) {
  for (const double value : values) {
    if (std::isfinite(value)) {
      summary.minimum = std::fmin(summary.minimum, value);
      summary.maximum = std::fmax(summary.maximum, value);
    } else {
      ++summary.missing;
    }
  }
}

}  // namespace isthmus
