#include "eval/defaults.h"

#include <algorithm>

#include "isthmus/adapt.h"

namespace isthmus {

std::string_view default_method() {
  const auto list = methods();
  const bool full =
      std::any_of(list.begin(), list.end(), [](const MethodInfo& m) { return m.name == "rsa-cdda"; });
  return full ? "rsa-cdda" : "pca";
}

std::string_view default_preprocessing() {
  return "l2";
}

}  // namespace isthmus
