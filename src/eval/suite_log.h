#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

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

  /// The result of a cell, null where there is none yet; of several the last one counts.
  const nlohmann::ordered_json* find(const nlohmann::ordered_json& cell) const;
  void append(const nlohmann::ordered_json& cell, const nlohmann::ordered_json& result);

 private:
  void load();

  std::filesystem::path path_;
  int descriptor_ = -1;
  std::map<std::string, nlohmann::ordered_json> results_;  ///< by the cell's text
};

}  // namespace isthmus
