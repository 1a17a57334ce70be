#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "isthmus/domain.h"
#include "isthmus/execution.h"
#include "isthmus/matrix.h"

namespace isthmus {

enum class Side { Source, Target };

/// A named, ordered list of preparation steps, fitted on a pair and replayed on new data.
///
///   l2       each sample / its Euclidean norm (a zero sample stays zero)
///   sum      each sample / its sum (histograms; a zero sample stays zero)
///   zscore   each feature to mean 0, population standard deviation 1 (a constant feature gives 0)
///   minmax   each feature to [0, 1] (a constant feature gives 0)
///   center   each feature minus its mean
///   unit     all features / one power of two, which brings the largest magnitude to 1 … 2 and rounds nothing
///
/// The last four take their statistics per domain ("zscore:domain") or from both together
/// ("zscore:joint"). Without a suffix: zscore per domain, minmax, center and unit joint.
/// New samples use the statistics of their side (normally the target's).
///
/// "auto", which stands alone, becomes one of these lists when it is fitted, by number, signs, scales and
/// likeness of the features of both domains (docs/preprocessing.md).
///
/// A feature is constant when its spread is at most 1e-12 of its largest magnitude: what is left then is the
/// rounding of earlier steps, and dividing by it would turn it into noise of size 1.
class Preprocessing {
 public:
  Preprocessing() = default;
  /// Parses "sum,zscore", "none" or "auto". Throws InvalidArgument with a did-you-mean on an unknown step.
  static Preprocessing parse(std::string_view list);

  /// The list in its plain form: "sum,zscore:domain"; "none" when empty, "auto" where it is not chosen yet.
  std::string to_string() const;
  bool empty() const { return steps_.empty() && !automatic_; }
  /// Still to be chosen.
  bool automatic() const { return automatic_; }
  /// What spoke for the list that "auto" became; empty for a list that was given.
  const std::string& reason() const { return reason_; }
  /// These steps, then those of `later`.
  void append(Preprocessing later);

  /// Fits the statistics on the pair and prepares it: in place, without a copy of features nobody shares, or
  /// (features that stream) each time a block of them is read.
  /// Throws InvalidArgument on a sample whose sum is 0 ("sum"), NumericalError on values too large to scale;
  /// the pair is then left without features.
  void fit_apply(DomainPair& pair, const Execution& run = {});
  /// Replays on new samples, in place; messages count them from `first`. Throws InvalidArgument when a step
  /// is not fitted or the dimension differs from the fitted one.
  void apply(Eigen::Ref<Matrix> samples, Side side, const Execution& run = {}, Index first = 0) const;

  /// The fitted numbers, to store: for each step that has any, offset and scale per side, one column each:
  /// [source offset, source scale, target offset, target scale] (d×4); 0×0 for the others.
  /// A prepared value is (x − offset) / scale; scale 0 marks a constant feature, which gives 0.
  std::vector<Matrix> statistics() const;
  /// The fitted list again, from to_string() and statistics(). Throws InvalidArgument when they do not fit.
  static Preprocessing restore(std::string_view list, std::vector<Matrix> statistics);

  enum class Kind { L2, Sum, ZScore, MinMax, Center, Unit };
  struct Step {
    Kind kind;
    bool joint = false;
    Matrix statistics;  ///< d×4 as above once fitted; empty for l2 and sum
  };

 private:
  std::vector<Step> steps_;
  bool automatic_ = false;
  std::string reason_;
};

}  // namespace isthmus
