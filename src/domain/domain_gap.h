#pragma once

#include "isthmus/domain.h"
#include "isthmus/report.h"

namespace isthmus {

/// How far the centre of the target lies from that of the source, in units of the smaller of both domains'
/// deviations (root mean square distances of samples from their centre). Where that would be a wide gap, the
/// nearest centre of a class of the source counts instead: other shares of the same classes are no gap. Looks
/// at some thousand samples of each domain.
double domain_gap(const DomainPair& pair);

/// Warns where the gap of the prepared domains is so wide that one of them was probably scaled and the other
/// not.
void warn_of_gap(const DomainPair& pair, Report& report);

}  // namespace isthmus
