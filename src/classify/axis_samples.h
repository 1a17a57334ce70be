#pragma once

#include <functional>
#include <vector>

#include "isthmus/execution.h"
#include "isthmus/features.h"

namespace isthmus {

/// Samples about their mean along their principal axes, for what is fitted to linear scores of them in many
/// readings. Where features outnumber samples the axes span the samples, so that there are fewer of them.
/// Held in memory up to 128 MiB, else read block by block from `samples`, which must outlive this.
///
/// Parameters of the scores of K classes are (r+1)×K along r axes, offsets in the last row.
class AxisSamples {
 public:
  /// Values that are held.
  static constexpr Index kMostHeld = Index{1} << 24;

  explicit AxisSamples(const SampleView& samples, const Execution& run, Index most_held = kMostHeld);

  Index count() const { return samples_.cols(); }
  /// r values: the sum of squares along each axis.
  const Vector& scatter() const { return scatter_; }

  /// For every sample its scores under `parameters` (K×m for a block of samples that begins at `begin`), what
  /// change(begin, scores) makes of them, and the sum of sample·(changed scores)ᵀ, again (r+1)×K. Adds what
  /// `change` returns to *total. Blocks go over the threads; the same bytes on any number of them.
  using Change = std::function<double(Index begin, Matrix& scores)>;
  Matrix sum_over(const Matrix& parameters, const Change& change, double* total, const Execution& run) const;

  /// The same scores by features: (d+1)×K.
  Matrix by_features(const Matrix& parameters) const;
  /// Parameters along the axes that score the samples as those by features do.
  Matrix by_axes(const Matrix& by_features) const;

 private:
  Matrix on_axes(const Matrix& directions) const;

  SampleView samples_;
  Vector mean_;
  Matrix axes_;  ///< d×r, orthonormal; 0×0: the features themselves
  Vector scatter_;
  Matrix held_;  ///< r×n; 0×0 where samples are read each time
};

}  // namespace isthmus
