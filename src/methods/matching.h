#pragma once

#include <optional>

#include "domain/feature_space.h"
#include "domain/matched_subspace.h"
#include "isthmus/context.h"
#include "isthmus/domain.h"
#include "isthmus/options.h"
#include "methods/source_references.h"
#include "model/state.h"

namespace isthmus {

/// What the weight λ of ‖A‖² is measured in. The closeness it stands against grows with the samples, with the
/// square of the features' scale and with the kernel: per cent of the scatter's trace mean the same for all.
enum class LambdaUnit { Percent, Absolute };

/// The options that TCA, JDA and CDDA have in common.
struct MatchingOptions {
  std::optional<int> components = {};  ///< own: 100, as in the published comparison, or as many as there are
  double lambda = 0.1;  ///< in `lambda_unit`; much less trusts the labels of early rounds too far
  LambdaUnit lambda_unit = LambdaUnit::Percent;
  KernelOptions kernel{};
  Scaling scaling = Scaling::Unit;  ///< as published; whitening loses 27 points on COIL1→COIL2
  bool normalize_embedding = true;
  ReferenceOptions references{};
};
void describe_matching(OptionVisitor& visit, MatchingOptions& options);

enum class Weighting { Plain, Balanced };

/// The options of the methods that match classes round by round.
struct RoundOptions {
  int rounds = 10;  ///< as published; labels are often stable before
  Weighting weighting = Weighting::Plain;
  double balance = 0.5;  ///< both terms alike, as in plain weighting
  EmptyClass empty_class = EmptyClass::Drop;
};
void describe_rounds(OptionVisitor& visit, RoundOptions& options);
/// Plain: C·M₀ + ΣM_c (JDA). Balanced: (1 − μ)·C·M₀ + μ·ΣM_c (BDA).
ClosenessWeights closeness_weights(const RoundOptions& options, int class_count);

/// The loop of the family: subspace, embedding, target labels by the source, and again with these labels
/// until they are stable or the rounds are used up. The first round knows no labels and matches the marginals
/// only. `problem` says what is matched; its components, ridge and scaling come from the options, where what
/// is left to the method is filled in.
ModelState fit_matching(const DomainPair& pair, MatchingOptions& options, MatchingProblem problem, int rounds,
                        const Context& context);

}  // namespace isthmus
