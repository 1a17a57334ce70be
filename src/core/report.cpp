#include "isthmus/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "isthmus/errors.h"

namespace isthmus {
namespace {

constexpr std::array<std::pair<Status, std::string_view>, 4> kStatusWords{{
    {Status::Converged, "converged"},
    {Status::IterationLimit, "iteration limit"},
    {Status::Stopped, "stopped"},
    {Status::Stalled, "stalled"},
}};

}  // namespace

std::string_view to_string(Status status) {
  for (const auto& [value, word] : kStatusWords) {
    if (value == status) return word;
  }
  return "unknown";
}

Status parse_status(std::string_view word) {
  for (const auto& [value, name] : kStatusWords) {
    if (name == word) return value;
  }
  throw InvalidArgument(fmt::format("'{}' is no status", word));
}

PhaseTimer::~PhaseTimer() {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
  auto& seconds = report_.seconds;
  const auto at =
      std::find_if(seconds.begin(), seconds.end(), [&](const auto& s) { return s.first == phase_; });
  if (at != seconds.end()) {
    at->second += elapsed.count();
  } else {
    seconds.emplace_back(phase_, elapsed.count());
  }
}

}  // namespace isthmus
