#pragma once

#include <vector>

#include "methods/rsa_cdda/labels.h"
#include "methods/rsa_cdda/rsa_cdda.h"

namespace isthmus {

/// How many graph runs differ from each other.
inline constexpr int kLargestCommittee = 8;

/// One run of a committee: the options it goes by, and the voices that speak in it.
struct RunSetting {
  RsaCddaOptions options;
  Voices voices;
};

/// The runs that resolved options ask for: graph runs first, then linear ones.
std::vector<RunSetting> run_settings(const RsaCddaOptions& options);

}  // namespace isthmus
