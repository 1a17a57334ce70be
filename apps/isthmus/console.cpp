#include "console.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "bench/json_file.h"
#include "core/text.h"
#include "interrupt.h"
#include "isthmus/errors.h"

namespace {

bool output_is_a_file = false;  // an output of the command is standard output

void require_written(bool written) {
  if (written || errno == EPIPE) return;
  throw isthmus::IoError(fmt::format("cannot write to standard output: {}", std::strerror(errno)));
}

void print_line_to_stderr(std::string_view start, std::string_view message) {
  const std::string line = fmt::format("{}{}\n", start, isthmus::printable(message));
  static_cast<void>(std::fwrite(line.data(), 1, line.size(), stderr));
}

std::size_t terminal_width(int descriptor, std::size_t otherwise) {
  winsize size{};
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : otherwise;
}

/// JSON escapes the control characters up to 0x1f by itself; here are DEL and C1, which stand in texts only.
std::string escaped_json(std::string_view json) {
  std::string escaped;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const auto byte = static_cast<unsigned char>(json[i]);
    const auto next = static_cast<unsigned char>(i + 1 < json.size() ? json[i + 1] : '\0');
    if (byte == 0x7f) {
      escaped += "\\u007f";
    } else if (byte == 0xc2 && next < 0xa0) {
      escaped += fmt::format("\\u00{:02x}", next);
      ++i;
    } else {
      escaped += json[i];
    }
  }
  return escaped;
}

std::string describe(const isthmus::IterationInfo& info, const std::string& time_left) {
  std::string text = fmt::format("{} {}/{}{}", info.phase, info.iteration, info.limit, time_left);
  if (info.label_changes >= 0)
    text += fmt::format(", {} label{} changed", info.label_changes, info.label_changes == 1 ? "" : "s");
  if (std::isfinite(info.objective)) text += fmt::format(", objective {:.6g}", info.objective);
  return text;
}

}  // namespace

void print(std::string_view text) {
  const std::string shown = isthmus::printable(text, isthmus::LineEnds::Kept);
  if (output_is_a_file) {
    static_cast<void>(std::fwrite(shown.data(), 1, shown.size(), stderr));
  } else {
    print_bytes(shown);
  }
}

void print_bytes(std::string_view bytes) {
  require_written(std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size());
}

void print_json(const nlohmann::ordered_json& json) {
  print_bytes(escaped_json(isthmus::json_text(json, 2)) + "\n");
}

void make_output_a_file() {
  output_is_a_file = true;
}

void flush_output() {
  require_written(std::fflush(stdout) == 0);
}

void print_error(std::string_view message) {
  print_line_to_stderr("isthmus: error: ", message);
}

void print_interrupted() {
  print_line_to_stderr("isthmus: ", "interrupted before there was a result; nothing is written");
}

void print_note(std::string_view message, const CommonFlags& common) {
  if (!common.quiet) print_line_to_stderr("isthmus: ", message);
}

std::size_t output_width() {
  return terminal_width(STDOUT_FILENO, 100);
}

Progress::Progress(const CommonFlags& common) : quiet_(common.quiet), terminal_(isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
  clear();
}

void Progress::clear() {
  if (drawn_) std::fputs("\r\033[K", stderr);
  drawn_ = false;
}

void Progress::stage(const std::string& name, int number, int count) {
  stage_ = name;
  if (quiet_) return;
  if (terminal_) {
    draw(name, number - 1, count);
  } else {
    print_line_to_stderr("", fmt::format("[{}/{}] {}", number, count, name));
  }
}

void Progress::iteration(const isthmus::IterationInfo& info) {
  if (quiet_) return;
  const std::string described = describe(info, terminal_ ? time_left(info) : std::string());
  const std::string text = stage_.empty() ? described : stage_ + ": " + described;
  if (terminal_) {
    draw(text, info.iteration, info.limit);
    return;
  }
  // A solver of a thousand iterations gets about twenty lines.
  const int step = std::max(1, info.limit / 20);
  if (info.iteration == 1 || info.iteration % step == 0) print_line_to_stderr("", text);
}

std::string Progress::time_left(const isthmus::IterationInfo& info) {
  const auto now = std::chrono::steady_clock::now();
  if (info.phase != pace_.phase || info.iteration <= pace_.last) {
    pace_ = {std::string(info.phase), info.iteration, info.iteration, now};
    return {};
  }
  pace_.last = info.iteration;
  const std::chrono::duration<double> taken = now - pace_.since;
  const double left = taken.count() * (info.limit - info.iteration) / (info.iteration - pace_.first);
  // What ends sooner needs no telling.
  return left >= 1.0 ? fmt::format(", at most about {:.0f} s left", left) : std::string();
}

void Progress::share(const std::string& text, double done, double total) {
  if (terminal_ && !quiet_) draw(text, done, total);
}

void Progress::draw(const std::string& text, double done, double count) {
  constexpr int kLength = 24;
  const double share = count > 0 ? std::clamp(done / count, 0.0, 1.0) : 0.0;
  const int filled = static_cast<int>(share * kLength);
  const std::string bar =
      fmt::format("[{:#<{}}{:.<{}}] {}", "", filled, "", kLength - filled, isthmus::printable(text));
  // A line that wraps could not be drawn over.
  const std::string line = "\r\033[K" + bar.substr(0, terminal_width(STDERR_FILENO, 80) - 1);
  static_cast<void>(std::fwrite(line.data(), 1, line.size(), stderr));
  drawn_ = true;
}

void TimeLimitFlag::add_to(CLI::App& command) {
  command
      .add_option("--time-limit", seconds,
                  "Stop at the next iteration after that many seconds, with the best result so far; 0: never")
      ->type_name("SECONDS")
      ->check(CLI::NonNegativeNumber.description(""))
      ->capture_default_str();
}

std::optional<std::chrono::steady_clock::time_point> TimeLimitFlag::deadline() const {
  if (seconds == 0) return std::nullopt;
  return isthmus::Context::deadline_after(seconds);
}

isthmus::Context make_context(const CommonFlags& common, const std::shared_ptr<Progress>& progress) {
  isthmus::Context context;
  context.threads = common.threads;
  context.seed = common.seed;
  keep_results_when_interrupted();
  context.cancel = [] { return interrupted().load(std::memory_order_relaxed); };
  context.on_iteration = [progress](const isthmus::IterationInfo& info) {
    progress->iteration(info);
    return isthmus::Decision::Continue;
  };
  return context;
}
