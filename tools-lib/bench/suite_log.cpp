#include "bench/suite_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "bench/json_file.h"
#include "io/atomic_file.h"
#include "io/bounded_json.h"
#include "isthmus/errors.h"

namespace isthmus {
namespace {

constexpr std::string_view kLineStart = "{\"cell\":";

[[noreturn]] void fail(const std::filesystem::path& path, const char* step) {
  throw IoError(fmt::format("{}: cannot {} the log: {}", path.string(), step, std::strerror(errno)));
}

std::string read_all(int descriptor, const std::filesystem::path& path) {
  std::string text;
  std::array<char, 65536> buffer{};
  while (true) {
    const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(path, "read");
    if (count == 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace

SuiteLog::SuiteLog(std::filesystem::path path) : path_(std::move(path)) {
  descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail(path_, "open");
  try {
    // Not flock: a cell's process would inherit it and hold it a moment longer than a killed run.
    struct flock lock {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    if (::fcntl(descriptor_, F_SETLK, &lock) != 0) {
      throw IoError(
          fmt::format("{}: another run writes to this log; wait for it or name another log", path_.string()));
    }
    load();
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
  sync_folder(path_.has_parent_path() ? path_.parent_path() : ".");
}

SuiteLog::~SuiteLog() {
  ::close(descriptor_);
}

void SuiteLog::load() {
  const std::string text = read_all(descriptor_, path_);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    if (end == std::string::npos && line.substr(0, kLineStart.size()) == kLineStart.substr(0, line.size())) {
      if (::ftruncate(descriptor_, static_cast<off_t>(begin)) != 0) fail(path_, "shorten");
      return;
    }
    keep(line, ++lines_);
    begin = end == std::string::npos ? text.size() : end + 1;
  }
}

void SuiteLog::keep(std::string_view line, int number) {
  try {
    auto json = parse_json<nlohmann::ordered_json>(line, "it");
    if (!json.is_object() || !json.contains("cell") || !json.contains("result"))
      throw IoError("it has no \"cell\" and \"result\"");
    results_[json_text(json.at("cell"))] = {number, std::move(json.at("result"))};
  } catch (const IoError& error) {
    throw IoError(
        fmt::format("{}: line {} is no line of a benchmark log: {}; name another file, or remove the line",
                    path_.string(), number, error.what()));
  }
}

bool SuiteLog::recall(SuiteCell& cell) const {
  const auto at = results_.find(json_text(cell_identity(cell)));
  if (at == results_.end()) return false;
  try {
    set_cell_result(cell, at->second.result);
  } catch (const InvalidArgument& error) {
    throw IoError(fmt::format("{}: line {}: the result of {} on {} is damaged: {}; remove the line",
                              path_.string(), at->second.line, cell.title(), cell.task.name, error.what()));
  }
  cell.from_log = true;
  return true;
}

void SuiteLog::append(const SuiteCell& cell) {
  nlohmann::ordered_json identity = cell_identity(cell);
  nlohmann::ordered_json result = cell_result(cell);
  const std::string line = json_text({{"cell", identity}, {"result", result}}) + "\n";
  std::string_view rest = line;
  while (!rest.empty()) {
    const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(path_, "write to");
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  if (::fsync(descriptor_) != 0) fail(path_, "write to");
  results_[json_text(identity)] = {++lines_, std::move(result)};
}

}  // namespace isthmus
