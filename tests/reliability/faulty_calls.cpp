// Loaded into the program under test (LD_PRELOAD), it lets calls of the system go wrong at a chosen moment.
// ISTHMUS_FAULT says which: ACTION:N or ACTION:N:PATH, where N counts calls from 1.
//   kill:N           the N-th change of the file system is the last thing the process does; of a write, half
//   is done full:N           from the N-th change on there is no space: no write, sync or new name succeeds
//   broken:N         the N-th change fails, whatever it is
//   short:N          no write takes more than N bytes at a time
//   unreadable:N     from the N-th look at a file on, reading fails
//   vanish:N:PATH    at the N-th look at a file PATH is deleted
//   cut:N:PATH       at the N-th look at a file PATH loses its second half
//   count:0:PATH     nothing; the numbers of changes and looks go into PATH at the end
// Only calls from the process that was started count, not those of its children.
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

struct Fault {
  std::string action, path;
  long moment = 0;
  pid_t process = getpid();

  Fault() {
    const char* text = std::getenv("ISTHMUS_FAULT");
    if (text == nullptr) return;
    const std::string words = text;
    const std::size_t first = words.find(':');
    const std::size_t second = words.find(':', first + 1);
    action = words.substr(0, first);
    moment = std::strtol(words.c_str() + first + 1, nullptr, 10);
    if (second != std::string::npos) path = words.substr(second + 1);
  }
  bool is(const char* name) const { return action == name && getpid() == process; }
};

const Fault& fault() {
  static const Fault chosen;
  return chosen;
}

[[maybe_unused]] const Fault& read_before_any_child_is_made = fault();

template <class Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

std::atomic<long> changes{0};
std::atomic<long> looks{0};

/// Writes down how often there was something to disturb.
struct Count {
  ~Count() {
    if (!fault().is("count")) return;
    if (std::FILE* const file = std::fopen(fault().path.c_str(), "w")) {
      std::fprintf(file, "%ld %ld\n", changes.load(), looks.load());
      std::fclose(file);
    }
  }
};
[[maybe_unused]] const Count count;

bool die_now() {
  return fault().is("kill") && changes == fault().moment;
}

/// What a change takes from the disk.
enum class Space { Some, None };

/// Counts a change; false when it fails.
bool change(Space space) {
  ++changes;
  const bool full = fault().is("full") && changes >= fault().moment && space == Space::Some;
  const bool broken = fault().is("broken") && changes == fault().moment;
  if (full) errno = ENOSPC;
  if (broken) errno = EIO;
  return !full && !broken;
}

/// Like change(), and the process may end here.
bool change_or_die(Space space) {
  const bool possible = change(space);
  if (die_now()) kill(fault().process, SIGKILL);
  return possible;
}

/// Counts a look at a file; false when it fails.
bool look() {
  ++looks;
  if (fault().is("unreadable") && looks >= fault().moment) {
    errno = EIO;
    return false;
  }
  if (looks == fault().moment && fault().is("vanish")) real<int(const char*)>("unlink")(fault().path.c_str());
  if (looks == fault().moment && fault().is("cut")) {
    struct stat status {};
    if (stat(fault().path.c_str(), &status) == 0) {
      [[maybe_unused]] const int code = truncate(fault().path.c_str(), status.st_size / 2);
    }
  }
  return true;
}

int open_by(const char* name, const char* path, int flags, mode_t mode) {
  const bool makes = (flags & (O_CREAT | O_TMPFILE)) != 0 && (flags & O_ACCMODE) != O_RDONLY;
  // Files by absolute paths are the system's own, or devices.
  const bool looks_at = !makes && path[0] != '/' && (flags & O_DIRECTORY) == 0;
  if (makes && !change_or_die(Space::Some)) return -1;
  if (looks_at && !look()) return -1;
  return real<int(const char*, int, ...)>(name)(path, flags, mode);
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = va_arg(rest, mode_t);
  va_end(rest);
  return open_by("open", path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = va_arg(rest, mode_t);
  va_end(rest);
  return open_by("open64", path, flags, mode);
}

ssize_t write(int descriptor, const void* bytes, size_t count) {
  static auto* const write_bytes = real<ssize_t(int, const void*, size_t)>("write");
  if (!change(Space::Some)) return -1;
  if (die_now()) {
    static_cast<void>(write_bytes(descriptor, bytes, count / 2));
    kill(fault().process, SIGKILL);
  }
  const auto most = static_cast<size_t>(fault().moment);
  return write_bytes(descriptor, bytes, fault().is("short") && count > most ? most : count);
}

int fsync(int descriptor) {
  return change_or_die(Space::Some) ? real<int(int)>("fsync")(descriptor) : -1;
}

int rename(const char* from, const char* to) {
  return change_or_die(Space::None) ? real<int(const char*, const char*)>("rename")(from, to) : -1;
}

int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) {
  if (!change_or_die(Space::Some)) return -1;
  return real<int(int, const char*, int, const char*, int)>("linkat")(from_folder, from, to_folder, to,
                                                                      flags);
}

int unlink(const char* path) {
  return change_or_die(Space::None) ? real<int(const char*)>("unlink")(path) : -1;
}

int ftruncate(int descriptor, off_t length) {
  return change_or_die(Space::None) ? real<int(int, off_t)>("ftruncate")(descriptor, length) : -1;
}

ssize_t read(int descriptor, void* to, size_t count) {
  static auto* const read_bytes = real<ssize_t(int, void*, size_t)>("read");
  return look() ? read_bytes(descriptor, to, count) : -1;
}

ssize_t pread(int descriptor, void* to, size_t count, off_t offset) {
  static auto* const read_bytes = real<ssize_t(int, void*, size_t, off_t)>("pread");
  return look() ? read_bytes(descriptor, to, count, offset) : -1;
}

}  // extern "C"
