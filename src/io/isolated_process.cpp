#include "io/isolated_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): kill is POSIX
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <limits>
#include <new>
#include <utility>

#include "isthmus/errors.h"

namespace isthmus {
namespace {

using std::chrono::milliseconds;

/// How a process says that its memory ran out.
constexpr int kOutOfMemory = 3;

/// Bytes of address space this process has; 0 where that cannot be told.
std::uint64_t address_space() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t pages = 0;
  file >> pages;
  return file ? pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) : 0;
}

void set_limit(decltype(RLIMIT_AS) resource, std::uint64_t value) {
  rlimit limit{};
  ::getrlimit(resource, &limit);
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, value);
  ::setrlimit(resource, &limit);
}

/// A crash must leave no trace: no core, no message, no handler of the program around.
void fall_silent() {
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGPIPE, SIGXCPU}) {
    ::signal(signal, SIG_DFL);
  }
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0) return;
  ::dup2(nowhere, STDOUT_FILENO);
  ::dup2(nowhere, STDERR_FILENO);
}

void write_all(int pipe, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(pipe, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) ::_exit(1);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

[[noreturn]] void work_in_child(const IsolatedProcess::Limits& limits, int pipe,
                                const std::function<void(const IsolatedProcess::Send&)>& work) {
  int code = 0;
  try {
    fall_silent();
    set_limit(RLIMIT_CORE, 0);
    set_limit(RLIMIT_FSIZE, 0);
    set_limit(RLIMIT_NPROC, 0);
    set_limit(RLIMIT_CPU, static_cast<std::uint64_t>(limits.work.count()));
    if (const std::uint64_t now = address_space(); now > 0) set_limit(RLIMIT_AS, now + limits.memory_bytes);
    work([pipe](std::string_view bytes) { write_all(pipe, bytes); });
  } catch (const std::bad_alloc&) {
    code = kOutOfMemory;
  } catch (...) {
    code = 1;
  }
  ::_exit(code);
}

}  // namespace

IsolatedProcess::IsolatedProcess(std::string where, Limits limits,
                                 const std::function<void(const Send&)>& work)
    : where_(std::move(where)), limits_(limits) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    throw Error(fmt::format("{}: cannot make a pipe to read it: {}", where_, std::strerror(errno)));
  process_ = ::fork();
  if (process_ == 0) {
    ::close(ends[0]);
    work_in_child(limits_, ends[1], work);
  }
  const int error = errno;
  ::close(ends[1]);
  pipe_ = ends[0];
  if (process_ < 0) {
    ::close(pipe_);
    throw Error(fmt::format("{}: cannot start a process to read it: {}", where_, std::strerror(error)));
  }
}

IsolatedProcess::~IsolatedProcess() {
  end();
  ::close(pipe_);
}

void IsolatedProcess::end() {
  if (process_ < 0) return;
  ::kill(process_, SIGKILL);
  while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
}

void IsolatedProcess::read(char* to, std::size_t count) {
  using Clock = std::chrono::steady_clock;
  Clock::time_point heard = Clock::now();
  while (count > 0) {
    const auto waited = std::chrono::duration_cast<milliseconds>(Clock::now() - heard);
    const auto left =
        std::clamp<std::int64_t>((limits_.silence - waited).count(), 0, std::numeric_limits<int>::max());
    pollfd watched{pipe_, POLLIN, 0};
    const int ready = ::poll(&watched, 1, static_cast<int>(left));
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) {
      end();
      throw IoError(fmt::format("{}: its reader does not answer; the file is damaged", where_));
    }
    const ssize_t got = ::read(pipe_, to, count);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) fail_on_end();
    to += got;
    count -= static_cast<std::size_t>(got);
    heard = Clock::now();
  }
}

void IsolatedProcess::fail_on_end() {
  int status = 0;
  while (process_ > 0 && ::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  const bool memory = WIFEXITED(status) && WEXITSTATUS(status) == kOutOfMemory;
  const bool busy = WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU;
  const bool crashed = WIFSIGNALED(status) || (WIFEXITED(status) && WEXITSTATUS(status) != 0);
  throw IoError(
      fmt::format("{}: {}; the file is damaged", where_,
                  memory    ? "it needs more memory than a file of its size may"
                  : busy    ? fmt::format("it keeps its reader busy for more than {} s", limits_.work.count())
                  : crashed ? "its reader crashed on it"
                            : "its reader ended too early"));
}

}  // namespace isthmus
