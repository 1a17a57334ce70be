#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace isthmus::testing {

/// What a run of the program left behind.
struct Outcome {
  int code = -1;    ///< exit code; -1 when a signal ended it
  int signal = 0;   ///< the signal that ended it
  std::string out;  ///< standard output
  std::string err;  ///< standard error
};

/// How the program is started.
struct Surroundings {
  long file_size_limit = -1;  ///< bytes a file may have (RLIMIT_FSIZE); -1: no limit
  std::string in_path;        ///< standard input comes from this file or FIFO, held open for writing too
  std::string out_path;       ///< standard output goes to this file instead
  bool close_out = false;     ///< started with standard output closed
  bool broken_out = false;    ///< standard output is a pipe nobody reads
  long memory_limit = -1;     ///< bytes of address space (RLIMIT_AS); -1: no limit
  int user = -1;              ///< user and group to become, where the test runs as root; -1: stays
  bool bare = false;          ///< started with an empty environment
  std::vector<std::string> environment;  ///< NAME=VALUE, beside what is there
  /// Called with the process id once a first whole line, with this text where one is given, stands on
  /// standard error.
  std::function<void(int pid)> on_first_line;
  std::string first_line_text;
  /// Called with the process id again and again while the program runs.
  std::function<void(int pid)> meanwhile;
  /// Asked again and again while the program runs; the program is killed (SIGKILL) once it is true.
  std::function<bool()> kill_when;
};

/// A folder of its own for a test, in which the program runs; removed afterwards.
class ProgramTest : public ::testing::Test {
 protected:
  ProgramTest();
  ~ProgramTest() override;

  /// Runs `isthmus` with these arguments in the folder.
  Outcome run(const std::vector<std::string>& arguments, const Surroundings& around = {}) const;
  /// Runs any program by its name.
  Outcome run_other(const std::string& program, const std::vector<std::string>& arguments,
                    const Surroundings& around = {}) const;

  void write(const std::string& name, const std::string& bytes) const;
  std::string read(const std::string& name) const;
  bool exists(const std::string& name) const { return std::filesystem::exists(folder_ / name); }
  const std::filesystem::path& folder() const { return folder_; }
  /// Names of everything in the folder, sorted.
  std::vector<std::string> names() const;

  /// Two domains of three classes in five dimensions: source.csv and target.csv, with a column "label".
  void write_domains() const;

 private:
  std::filesystem::path folder_;
};

/// Samples of three classes around three corners, moved by `shift`, as CSV with a header.
std::string samples_csv(int count, double shift, bool with_labels = true);

}  // namespace isthmus::testing
