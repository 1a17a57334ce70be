#pragma once

#include <chrono>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace isthmus {

/// How a fit ended. Not converging is no error.
enum class Status {
  Converged,       ///< the stopping rule was met
  IterationLimit,  ///< all allowed iterations were used
  Stopped,         ///< the callback, a cancel or the deadline ended it; the result is the best so far
  Stalled,         ///< no further progress is possible at this precision
};

std::string_view to_string(Status status);
/// Throws InvalidArgument on a word that is no status.
Status parse_status(std::string_view word);

/// What a fit did, in numbers. The command line, the Python package and the HTML report draw from it.
struct Report {
  Status status = Status::Converged;
  int iterations = 0;
  /// Per-iteration series by name, e.g. "objective", "label_changes", "mmd_marginal".
  std::map<std::string, std::vector<double>> series;
  /// Single numbers by name, e.g. "components", "rank".
  std::map<std::string, double> facts;
  /// What a user should know: a limit met, a default that was chosen, a class that vanished.
  std::vector<std::string> notes;
  /// What makes the labels doubtful, such as a target far from the source. Every front end shows it.
  std::vector<std::string> warnings;
  /// Which heavy operations the context's backend did and which it left to the CPU; empty without one. Like
  /// times, no part of the result: a model file does not have it.
  std::vector<std::string> execution = {};
  /// Seconds per phase in the order they ran.
  std::vector<std::pair<std::string, double>> seconds;
};

/// Adds the time between its construction and destruction to a phase of a report.
class PhaseTimer {
 public:
  PhaseTimer(Report& report, std::string phase)
      : report_(report), phase_(std::move(phase)), start_(std::chrono::steady_clock::now()) {}
  ~PhaseTimer();
  PhaseTimer(const PhaseTimer&) = delete;
  PhaseTimer& operator=(const PhaseTimer&) = delete;

 private:
  Report& report_;
  std::string phase_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace isthmus
