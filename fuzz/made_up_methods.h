#pragma once

#include <optional>
#include <string>
#include <vector>

#include "isthmus/options.h"

namespace isthmus::fuzz {

/// One option of every kind, some of them left to the method.
struct MadeUpOptions {
  enum class Mode { Plain, Fancy };
  std::optional<int> components;
  double lambda = 1.0;
  bool scaled = false;
  std::vector<int> subspaces = {20, 50};
  std::optional<Mode> mode;
};
void describe(OptionVisitor& visit, MadeUpOptions& options);

}  // namespace isthmus::fuzz
