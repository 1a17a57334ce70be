#pragma once

#include <vector>

#include "methods/rsa_cdda/fusion.h"

namespace isthmus {

/// Puts into the state what a fusion says, but for the target's labels: the branches of each run, weighed,
/// the temperature of their probabilities, and the evidence in the report. Where adaptation does not help,
/// the one branch is the source's logistic regression.
void conclude(const Fusion& fusion, std::vector<std::vector<Branch>> branches,
              const SourceWitnesses* witnesses, const RsaCddaOptions& options, ModelState& state);

}  // namespace isthmus
