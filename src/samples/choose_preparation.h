#pragma once

#include <string>

#include "isthmus/domain.h"
#include "isthmus/execution.h"

namespace isthmus {

/// A preparation for features that nobody described, and what about them spoke for it.
struct PreparationChoice {
  std::string steps;   ///< as Preprocessing::parse takes them
  std::string reason;  ///< "features of different scale"
};

/// Chooses by number, signs, scales and likeness of the features of both domains; no label is looked at
/// (docs/preprocessing.md).
PreparationChoice choose_preparation(const DomainPair& pair, const Execution& run);

}  // namespace isthmus
