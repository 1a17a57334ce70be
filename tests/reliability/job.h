#pragma once

#include <chrono>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "process.h"

namespace isthmus::testing {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kUnderSanitizer = true;
#else
constexpr bool kUnderSanitizer = false;
#endif
/// Tests go through all moments of a run; under a sanitizer, where each run takes ten times as long, through
/// some.
constexpr int kStep = kUnderSanitizer ? 7 : 1;

/// A command that writes files, and what is known of them.
struct Job {
  std::string name;
  std::string program;                 ///< a path
  std::vector<std::string> arguments;  ///< their files are in the test's folder
  std::vector<std::string> outputs;    ///< each is written whole or not at all
  std::string log;                     ///< a file that grows and from which a later run goes on; or empty
  int code = 0;                        ///< how an undisturbed run ends
};

inline void PrintTo(const Job& job, std::ostream* out) {
  *out << job.name;
}

/// `adapt` with everything it writes, a large model, a suite, and a selection.
std::vector<Job> writing_jobs();

/// Bytes without what differs from run to run: times, memory, and what came from a log.
std::string lasting(std::string bytes);

/// Runs a job once undisturbed, keeps its outputs, and compares later runs with them.
class JobTest : public ProgramTest {
 protected:
  static constexpr const char* kOld = "what was there before\n";

  /// Writes the inputs that writing_jobs() name.
  void write_inputs() const;

  Outcome run_job(const Job& job, const Surroundings& around = {}) const;
  /// The same with one fault of faulty_calls.cpp.
  Outcome run_with_fault(const Job& job, const std::string& fault) const;

  /// How many moments a fault may have: changes of the file system, and looks at files.
  struct Moments {
    int changes = 0, looks = 0;
  };
  Moments moments(const Job& job) const;

  /// Makes the reference and removes what it wrote.
  void keep_reference(const Job& job);
  /// How long the run for the reference took.
  std::chrono::duration<double> usual() const { return usual_; }

  /// Before a run: every output is an old file, or none is there.
  void set_outputs(const Job& job, bool old) const;
  /// Every output is as set_outputs() left it, or the reference's.
  void expect_old_or_whole(const Job& job, bool old, const std::string& when) const;
  /// Every output is as set_outputs() left it.
  void expect_untouched(const Job& job, bool old, const std::string& when) const;
  /// An undisturbed run now ends as the first one did, with the same bytes.
  void expect_the_usual_run(const Job& job, const std::string& when) const;
  /// Files in the folder that are neither an input nor an output.
  std::vector<std::string> strangers(const Job& job) const;

 private:
  std::map<std::string, std::string> reference_;
  std::vector<std::string> inputs_;
  std::chrono::duration<double> usual_{};
};

}  // namespace isthmus::testing
