#pragma once

#include <string>
#include <vector>

#include "isthmus/options.h"

namespace isthmus::fuzz {

/// One option of every kind.
struct MadeUpOptions {
  enum class Mode { Plain, Fancy };
  int components = 20;
  double lambda = 1.0;
  bool scaled = false;
  std::vector<int> subspaces = {20, 50};
  Mode mode = Mode::Plain;
};
void describe(OptionVisitor& visit, MadeUpOptions& options);

}  // namespace isthmus::fuzz
