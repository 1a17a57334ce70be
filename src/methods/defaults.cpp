#include "isthmus/adapt.h"

namespace isthmus {

std::string_view default_method() {
  return "rsa-cdda";
}

std::string_view default_preprocessing() {
  return "auto";
}

}  // namespace isthmus
