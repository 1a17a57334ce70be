#include "process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace isthmus::testing {
namespace {

struct Pipe {
  int read = -1, write = -1;
  Pipe() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) std::abort();
    read = ends[0];
    write = ends[1];
  }
};

/// In the child: sets the scene and becomes the program. Only async-signal-safe calls.
[[noreturn]] void become(const char* program, char* const* arguments, char* const* environment,
                         const char* folder, const Surroundings& around, int out, int err) {
  if (chdir(folder) != 0) _exit(126);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  if (!around.in_path.empty()) {
    const int file = open(around.in_path.c_str(), O_RDWR);
    dup2(file, STDIN_FILENO);
  }
  if (!around.out_path.empty()) {
    const int file = open(around.out_path.c_str(), O_WRONLY);
    dup2(file, STDOUT_FILENO);
  }
  if (around.close_out) close(STDOUT_FILENO);
  if (around.file_size_limit >= 0) {
    const auto bytes = static_cast<rlim_t>(around.file_size_limit);
    const rlimit limit{bytes, bytes};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  if (around.memory_limit >= 0) {
    const auto bytes = static_cast<rlim_t>(around.memory_limit);
    const rlimit limit{bytes, bytes};
    setrlimit(RLIMIT_AS, &limit);
  }
  if (around.user >= 0) {
    const auto id = static_cast<uid_t>(around.user);
    if (setgid(id) != 0 || setuid(id) != 0) _exit(126);
  }
  execvpe(program, arguments, environment);
  _exit(127);
}

/// Reads both pipes to their ends.
void listen(Outcome& outcome, int out, int err, int pid, const Surroundings& around) {
  std::array<pollfd, 2> open_ends{pollfd{out, POLLIN, 0}, pollfd{err, POLLIN, 0}};
  bool told = false;
  while (open_ends[0].fd >= 0 || open_ends[1].fd >= 0) {
    if (poll(open_ends.data(), open_ends.size(), around.kill_when || around.meanwhile ? 1 : -1) < 0) continue;
    if (around.meanwhile) around.meanwhile(pid);
    if (around.kill_when && around.kill_when()) kill(pid, SIGKILL);
    for (std::size_t i = 0; i < 2; ++i) {
      if (open_ends[i].fd < 0 || open_ends[i].revents == 0) continue;
      std::array<char, 4096> buffer{};
      const ssize_t count = ::read(open_ends[i].fd, buffer.data(), buffer.size());
      if (count <= 0) {
        close(open_ends[i].fd);
        open_ends[i].fd = -1;
        continue;
      }
      (i == 0 ? outcome.out : outcome.err).append(buffer.data(), static_cast<std::size_t>(count));
    }
    const std::size_t at = outcome.err.find(around.first_line_text);
    if (!told && around.on_first_line && at != std::string::npos &&
        outcome.err.find('\n', at) != std::string::npos) {
      told = true;
      around.on_first_line(pid);
    }
  }
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// What the child gets: the new words first, since of two with one name the first counts.
std::vector<std::string> environment_of(const Surroundings& around) {
  std::vector<std::string> words = around.environment;
  for (char** word = environ; !around.bare && *word != nullptr; ++word) words.emplace_back(*word);
  return words;
}

Outcome start(const std::string& program, const std::vector<std::string>& arguments,
              const std::string& folder, const Surroundings& around) {
  std::vector<std::string> words{program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const std::vector<char*> pointers = pointers_to(words);
  std::vector<std::string> names_and_values = environment_of(around);
  const std::vector<char*> environment = pointers_to(names_and_values);

  const Pipe out;
  const Pipe err;
  if (around.broken_out) close(out.read);
  const int pid = fork();
  if (pid == 0) {
    become(program.c_str(), pointers.data(), environment.data(), folder.c_str(), around, out.write,
           err.write);
  }
  close(out.write);
  close(err.write);
  Outcome outcome;
  listen(outcome, around.broken_out ? -1 : out.read, err.read, pid, around);
  int status = 0;
  waitpid(pid, &status, 0);
  if (WIFEXITED(status)) outcome.code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
  return outcome;
}

}  // namespace

ProgramTest::ProgramTest() {
  std::string pattern = (std::filesystem::temp_directory_path() / "isthmus-cli-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) std::abort();
  folder_ = pattern;
}

ProgramTest::~ProgramTest() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

Outcome ProgramTest::run(const std::vector<std::string>& arguments, const Surroundings& around) const {
  return start(ISTHMUS_PROGRAM, arguments, folder_.string(), around);
}

Outcome ProgramTest::run_other(const std::string& program, const std::vector<std::string>& arguments,
                               const Surroundings& around) const {
  return start(program, arguments, folder_.string(), around);
}

void ProgramTest::write(const std::string& name, const std::string& bytes) const {
  std::ofstream(folder_ / name, std::ios::binary) << bytes;
}

std::string ProgramTest::read(const std::string& name) const {
  std::ostringstream text;
  text << std::ifstream(folder_ / name, std::ios::binary).rdbuf();
  return text.str();
}

std::vector<std::string> ProgramTest::names() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

void ProgramTest::write_domains() const {
  write("source.csv", samples_csv(60, 0.0));
  write("target.csv", samples_csv(45, 0.3));
}

std::string samples_csv(int count, double shift, bool with_labels) {
  std::string csv = with_labels ? "a,b,c,d,e,label\n" : "a,b,c,d,e\n";
  for (int i = 0; i < count; ++i) {
    const int kind = i % 3;
    for (int j = 0; j < 5; ++j) {
      const double corner = j == kind ? 3.0 : 1.0;
      // Irregular enough that no two samples are the same.
      const double wobble = 0.3 * std::sin(1.7 * i + 2.3 * j + shift);
      csv += fmt::format("{}{:.6f}", j > 0 ? "," : "", corner + wobble + shift);
    }
    csv += with_labels ? fmt::format(",class{}\n", kind) : "\n";
  }
  return csv;
}

}  // namespace isthmus::testing
