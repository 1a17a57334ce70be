#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace isthmus {

/// Work in a process of its own, for a library that may crash, hang or take all memory on a hostile file.
/// What the work sends comes back through a pipe.
///
/// The process is a copy of this one (fork) with the calling thread alone: a lock that another thread held at
/// that moment stays locked there. The work must need none but the allocator's, which the C library frees.
class IsolatedProcess {
 public:
  struct Limits {
    std::uint64_t memory_bytes;         ///< beyond what this process has
    std::chrono::seconds work;          ///< of a processor
    std::chrono::milliseconds silence;  ///< how long to wait for the next bytes, on a busy machine too
  };
  using Send = std::function<void(std::string_view)>;

  /// `where` begins every message: "data.mat: no valid MAT 7.3 file". The work is responsible for sending
  /// what it has to say about its own errors; an exception from it counts as a crash.
  IsolatedProcess(std::string where, Limits limits, const std::function<void(const Send&)>& work);
  ~IsolatedProcess();  ///< ends the process, whether or not it is done
  IsolatedProcess(const IsolatedProcess&) = delete;
  IsolatedProcess& operator=(const IsolatedProcess&) = delete;

  /// Exactly `count` bytes; throws IoError when the process ends, crashes or is silent before.
  void read(char* to, std::size_t count);

 private:
  [[noreturn]] void fail_on_end();
  void end();

  std::string where_;
  Limits limits_;
  pid_t process_ = -1;
  int pipe_ = -1;
};

}  // namespace isthmus
