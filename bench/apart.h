#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <type_traits>

#include "isthmus/errors.h"

/// Runs measure() in a child process, so that its peak memory is its own, and brings its numbers back.
template <class Measure>
auto apart(Measure&& measure) {
  using Numbers = decltype(measure());
  static_assert(std::is_trivially_copyable_v<Numbers>);
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw isthmus::IoError("a measurement: no pipe");
  const pid_t child = fork();
  if (child == 0) {
    const Numbers numbers = measure();
    const bool sent = write(ends[1], &numbers, sizeof numbers) == static_cast<ssize_t>(sizeof numbers);
    _exit(sent ? 0 : 1);
  }
  close(ends[1]);
  Numbers numbers{};
  const bool received = read(ends[0], &numbers, sizeof numbers) == static_cast<ssize_t>(sizeof numbers);
  close(ends[0]);
  waitpid(child, nullptr, 0);
  if (!received) throw isthmus::NumericalError("a measurement failed in its process");
  return numbers;
}
