#include "bench/peak_memory.h"

#include <sys/resource.h>

#include <fstream>
#include <string>

namespace isthmus {

void reset_peak_memory() {
  // Linux: 5 resets the high water mark VmHWM (proc(5)).
  std::ofstream("/proc/self/clear_refs") << "5";
}

double peak_memory_mib() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    double kib = 0;
    if (word == "VmHWM:" && status >> kib) return kib / 1024.0;
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

}  // namespace isthmus
