#include "samples/finite.h"

#include <fmt/format.h>

#include <cmath>

#include "isthmus/errors.h"

namespace isthmus {

void require_finite(MatrixView values, std::string_view whose, Index first) {
  if (values.allFinite()) return;
  for (Index sample = 0; sample < values.cols(); ++sample) {
    for (Index feature = 0; feature < values.rows(); ++feature) {
      if (std::isfinite(values(feature, sample))) continue;
      throw InvalidArgument(fmt::format(
          "the {} holds {} at sample {}, feature {} (both from 1); every value must be finite, not "
          "NaN or inf: remove the sample or fill the value in",
          whose, values(feature, sample), first + sample + 1, feature + 1));
    }
  }
}

}  // namespace isthmus
