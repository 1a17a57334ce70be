#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace isthmus {

/// The numbers of each iteration by their names, as a report shows them. Made from structs, and read by
/// nobody inside: a fit learns what a part of it found from the struct.
using Series = std::map<std::string, std::vector<double>>;

/// Adds the numbers of one more iteration.
inline void record(Series& series, std::initializer_list<std::pair<std::string, double>> numbers) {
  for (const auto& [name, value] : numbers) series[name].push_back(value);
}

}  // namespace isthmus
