#include "methods/search_option.h"

#include <fmt/format.h>

namespace isthmus {

void describe_search(OptionVisitor& visit, linalg::NeighbourSearch& search, std::string_view what) {
  visit.choice(
      "search", search,
      {{"exact", linalg::NeighbourSearch::Exact}, {"approximate", linalg::NeighbourSearch::Approximate}},
      fmt::format("{} approximate: by a small-world graph, whose time grows more slowly with the samples and "
                  "which misses a few neighbours; the report tells how many. Slower than exact below some "
                  "300000 samples.",
                  what));
}

void note_recall(Report& report, double recall) {
  report.facts["neighbour_recall"] = recall;
  report.notes.push_back(
      fmt::format("neighbours were searched approximately: {:.1f} % of the nearest were found in a sample",
                  100.0 * recall));
}

}  // namespace isthmus
