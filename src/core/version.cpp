#include "isthmus/version.h"

#include <algorithm>
#include <thread>

namespace isthmus {

std::string version() {
  return ISTHMUS_VERSION;
}

int available_cores() {
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

}  // namespace isthmus
