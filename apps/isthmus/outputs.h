#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "program.h"

/// Standard input as an input, standard output as an output. A file of that name is ./-.
inline constexpr const char* kStandardStream = "-";

/// The files a command writes, and those it reads. All are told before the work starts: an output that cannot
/// be written, or is one of the files read, or is another output, fails at once. Files are compared by what
/// they are, not by their names. The outputs are written together after the work: all or none.
class Outputs {
 public:
  /// The command's --config is the first file it reads.
  explicit Outputs(const CommonFlags& common);

  /// A file that the command reads; one that is not there is left to its reader. `-`, standard input, can be
  /// read once.
  void reads(const std::string& path);
  /// The files of samples as a user names them (eval/samples.h).
  void reads_samples(const std::string& samples, const std::string& labels);

  /// A file that the command writes, or standard output. An empty path (a flag not given) is passed over.
  /// Throws IoError or InvalidArgument.
  void plan(const std::string& path);
  /// The same for a text table of labels, whose name must not say that it is something else.
  void plan_labels(const std::string& path);
  /// The same for what must be a file: it is no text, or it is read again.
  void plan_file(const std::string& path);

  /// Adds what goes into a planned file; passes over an empty path.
  void set(const std::string& path, std::string text);
  /// One file may be written by the library itself; `write` must be atomic.
  void set(const std::string& path, std::function<void(const std::filesystem::path&)> write);

  /// Writes everything. On a failure none of the files is there, or their older versions are.
  void commit() const;

 private:
  /// What a path leads to, whatever it is called: a file, or, where there is none yet, the folder and the
  /// name it will have there.
  struct Place {
    std::string path;  ///< as given, for messages
    std::uint64_t device = 0, inode = 0;
    std::string name = {};    ///< empty for what is there
    bool keeps_data = false;  ///< is there, and writing to it destroys what it holds: no pipe, no terminal
    bool takes_all = false;   ///< the null device, which any number of outputs may go to

    bool is(const Place& other) const {
      return device == other.device && inode == other.inode && name == other.name;
    }
  };
  static Place place_of(const std::string& path, int standard_stream);

  bool json_;
  std::vector<Place> inputs_, planned_;
  std::vector<std::pair<std::string, std::string>> texts_;
  std::function<void()> library_file_;
};
