#include "bench/suite_run.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <map>
#include <memory>
#include <new>
#include <optional>

#include "bench/json_file.h"
#include "bench/peak_memory.h"
#include "bench/suite_log.h"
#include "io/bounded_json.h"
#include "isthmus/adapt.h"
#include "isthmus/errors.h"

namespace isthmus {
namespace {

using Clock = std::chrono::steady_clock;

DomainPair read_pair(const Suite& suite, const SuiteCell& cell, const Execution& run) {
  if (cell.task.demo) {
    DemoOptions size = *cell.task.demo;
    size.seed = cell.seed;
    return make_demo(size, run);
  }
  Domain target = read_samples(cell.task.target, suite.folder).domain;
  if (!target.labels) {
    throw InvalidArgument(fmt::format("{}: the target has no labels to score with; name them (target_labels)",
                                      cell.task.target.samples));
  }
  return {read_samples(cell.task.source, suite.folder).domain, std::move(target)};
}

/// Fills in what came out. Only the memory running out is left to the caller.
void run_cell(const Suite& suite, SuiteCell& cell, const Context& context) {
  try {
    DomainPair pair = read_pair(suite, cell, context);
    const std::vector<int> truth = pair.target_truth();
    const AdaptRequest request{cell.method.name, cell.setting.options,
                               Preprocessing::parse(cell.setting.preprocessing)};
    reset_peak_memory();
    const auto start = Clock::now();
    const Model model = adapt(std::move(pair), request, context);
    cell.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    cell.peak_mib = peak_memory_mib();
    cell.accuracy = accuracy_percent(model.target().labels, truth);
    cell.labels = labels_checksum(model.target().labels);
    cell.options = model.options();
    cell.preprocessing = model.preprocessing().to_string();
    cell.report = model.report();
  } catch (const Error& error) {
    cell.status = "failed";
    cell.problem = error.what();
  }
}

void write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) _exit(1);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

/// A cell at work in a process of its own, which sends its result through a pipe.
class CellProcess {
 public:
  CellProcess(const Suite& suite, const SuiteCell& cell, std::size_t position, const Context& context)
      : position_(position) {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) throw IoError(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
    const pid_t parent = ::getpid();
    pid_ = ::fork();
    if (pid_ < 0) throw IoError(fmt::format("cannot start a process: {}", std::strerror(errno)));
    if (pid_ == 0) {
      // A cell must not outlive a run that is killed.
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (::getppid() != parent) _exit(1);
      work(suite, cell, context, ends[1]);
    }
    ::close(ends[1]);
    pipe_ = ends[0];
  }
  ~CellProcess() {
    if (pid_ > 0) {
      ::kill(pid_, SIGKILL);
      wait();
    }
    ::close(pipe_);
  }
  CellProcess(const CellProcess&) = delete;
  CellProcess& operator=(const CellProcess&) = delete;

  std::size_t position() const { return position_; }
  int pipe() const { return pipe_; }
  double age() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  /// Takes what the pipe holds; true once the process has ended.
  bool receive() {
    std::array<char, 65536> buffer{};
    const ssize_t count = ::read(pipe_, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) return false;
    if (count > 0) {
      sent_.append(buffer.data(), static_cast<std::size_t>(count));
      return false;
    }
    wait();
    return true;
  }

  /// The result, once receive() was true.
  void put_into(SuiteCell& cell) const {
    try {
      set_cell_result(cell, parse_json<nlohmann::ordered_json>(sent_, "what the process sent"));
      return;
    } catch (const Error&) {
      // Torn by what ended the process.
    }
    cell.status = "failed";
    cell.accuracy.reset();
    cell.problem = WIFSIGNALED(status_) ? fmt::format("its process was ended by signal {} ({})",
                                                      WTERMSIG(status_), ::strsignal(WTERMSIG(status_)))
                                        : fmt::format("its process ended with code {}", WEXITSTATUS(status_));
    cell.seconds = age();
  }

 private:
  [[noreturn]] static void work(const Suite& suite, SuiteCell cell, Context context, int pipe) {
    context.seed = cell.seed;
    try {
      run_cell(suite, cell, context);
    } catch (const std::bad_alloc&) {
      cell.status = "failed";
      cell.problem = "memory ran out";
    }
    write_all(pipe, json_text(cell_result(cell)));
    _exit(0);
  }

  void wait() {
    while (::waitpid(pid_, &status_, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
  }

  std::size_t position_;
  pid_t pid_ = -1;
  int pipe_ = -1;
  int status_ = 0;
  std::string sent_;
  Clock::time_point start_ = Clock::now();
};

/// The context of a cell: its share of the threads. It runs to its end or is killed, never stops half way.
Context cell_context(const Context& context, int jobs) {
  Context cell = context;
  cell.threads = std::max(1, context.threads / jobs);
  cell.cancel = {};
  if (jobs > 1) cell.on_iteration = {};  // lines of several cells would mix
  return cell;
}

class SuiteRunner {
 public:
  SuiteRunner(const Suite& suite, const SuiteRunOptions& options, const Context& context,
              const SuiteProgress& progress)
      : suite_(suite), options_(options), context_(context), progress_(progress), done_(suite.cells.size()) {
    if (!options.log.empty()) {
      log_.emplace(options.log);
      look_at_files();
    }
    for (std::size_t i = 0; i < suite_.cells.size(); ++i) {
      SuiteCell known = suite_.cells[i];
      if (!log_ || !log_->recall(known) || (options.retry && known.status != "ok")) {
        waiting_.push_back(i);
        continue;
      }
      done_[i] = std::move(known);
      ++count_;
    }
    std::reverse(waiting_.begin(), waiting_.end());
  }

  std::vector<SuiteCell> run() {
    while (!context_.cancelled() && !(waiting_.empty() && working_.empty())) {
      while (!waiting_.empty() && working_.size() < static_cast<std::size_t>(options_.jobs)) start_next();
      listen();
      end_late_ones();
    }
    working_.clear();
    std::vector<SuiteCell> cells;
    for (std::optional<SuiteCell>& cell : done_) {
      if (cell) cells.push_back(std::move(*cell));
    }
    return cells;
  }

 private:
  int count() const { return static_cast<int>(done_.size()); }

  /// Writes into the cells what their files hold, each looked at once.
  void look_at_files() {
    std::map<std::pair<std::string, std::string>, std::string> contents;
    const auto content = [&](const SamplesName& name) {
      const auto [at, is_new] = contents.try_emplace({name.samples, name.labels});
      if (is_new) at->second = samples_content(name, suite_.folder, context_);
      return at->second;
    };
    for (SuiteCell& cell : suite_.cells) {
      if (cell.task.demo) continue;
      cell.task.source_content = content(cell.task.source);
      cell.task.target_content = content(cell.task.target);
    }
  }

  void start_next() {
    const std::size_t position = waiting_.back();
    waiting_.pop_back();
    const int number = count_ + static_cast<int>(working_.size()) + 1;
    if (progress_.on_start) progress_.on_start(suite_.cells[position], number, count());
    working_.push_back(std::make_unique<CellProcess>(suite_, suite_.cells[position], position,
                                                     cell_context(context_, options_.jobs)));
  }

  /// Waits a moment for results; not longer, for the sake of time limits and interrupts.
  void listen() {
    constexpr int kMilliseconds = 50;
    std::vector<pollfd> ends;
    for (const auto& cell : working_) ends.push_back({cell->pipe(), POLLIN, 0});
    if (::poll(ends.data(), ends.size(), kMilliseconds) <= 0) return;
    for (std::size_t i = ends.size(); i-- > 0;) {
      if (ends[i].revents == 0 || !working_[i]->receive()) continue;
      SuiteCell cell = suite_.cells[working_[i]->position()];
      working_[i]->put_into(cell);
      finish(i, std::move(cell));
    }
  }

  void end_late_ones() {
    for (std::size_t i = working_.size(); i-- > 0;) {
      if (options_.seconds_a_cell <= 0 || working_[i]->age() < options_.seconds_a_cell) continue;
      SuiteCell cell = suite_.cells[working_[i]->position()];
      cell.status = "timeout";
      cell.problem = fmt::format("took longer than {} seconds", options_.seconds_a_cell);
      cell.seconds = working_[i]->age();
      finish(i, std::move(cell));
    }
  }

  void finish(std::size_t i, SuiteCell cell) {
    const std::size_t position = working_[i]->position();
    working_.erase(working_.begin() + static_cast<std::ptrdiff_t>(i));
    if (log_) log_->append(cell);
    done_[position] = std::move(cell);
    ++count_;
    if (progress_.on_finish) progress_.on_finish(*done_[position], count_, count());
  }

  Suite suite_;
  const SuiteRunOptions& options_;
  const Context& context_;
  const SuiteProgress& progress_;
  std::optional<SuiteLog> log_;
  std::vector<std::size_t> waiting_;  ///< positions, last first
  std::vector<std::unique_ptr<CellProcess>> working_;
  std::vector<std::optional<SuiteCell>> done_;
  int count_ = 0;
};

}  // namespace

std::vector<SuiteCell> run_suite(const Suite& suite, const SuiteRunOptions& options, const Context& context,
                                 const SuiteProgress& progress) {
  return SuiteRunner(suite, options, context, progress).run();
}

}  // namespace isthmus
