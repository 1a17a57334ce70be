#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "bench/suite.h"

namespace isthmus {

/// A file of finished cells, one line of JSON each: {"cell": what it is, "result": what came out}. A line is
/// written whole and synced before the next cell is counted as done, so that a process killed at any moment
/// loses at most a last line without its end, which is dropped when the log is opened again.
class SuiteLog {
 public:
  /// Opens or creates the file and keeps others from writing to it. Throws IoError when it cannot, when
  /// another run has it open, or on content that is no log (which is left as it is).
  explicit SuiteLog(std::filesystem::path path);
  ~SuiteLog();
  SuiteLog(const SuiteLog&) = delete;
  SuiteLog& operator=(const SuiteLog&) = delete;

  /// Fills in what came out of a cell, and says so in it; false where the log does not know the cell. Of
  /// several results the last one counts. Throws IoError naming the line where that is no result.
  bool recall(SuiteCell& cell) const;
  void append(const SuiteCell& cell);

 private:
  struct Entry {
    int line;
    nlohmann::ordered_json result;
  };
  void load();
  void keep(std::string_view line, int number);

  std::filesystem::path path_;
  int descriptor_ = -1;
  int lines_ = 0;
  std::map<std::string, Entry> results_;  ///< by the cell's text
};

}  // namespace isthmus
