#pragma once

#include <string_view>

#include "isthmus/options.h"
#include "isthmus/report.h"
#include "linalg/neighbours.h"

namespace isthmus {

/// The option `search = exact | approximate`; `what` says what is searched for.
void describe_search(OptionVisitor& visit, linalg::NeighbourSearch& search, std::string_view what);

/// The fact `neighbour_recall`, and a note that the search was approximate.
void note_recall(Report& report, double recall);

}  // namespace isthmus
