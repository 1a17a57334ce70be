#include "interrupt.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <string_view>

#include "program.h"

namespace {

std::atomic<bool> keeps_results{false};
std::atomic<bool> asked_to_stop{false};
static_assert(std::atomic<bool>::is_always_lock_free, "set from a signal handler");

extern "C" void on_signal(int /*number*/) {
  if (!keeps_results) {
    constexpr std::string_view kMessage = "isthmus: interrupted; nothing is written\n";
    static_cast<void>(!write(STDERR_FILENO, kMessage.data(), kMessage.size()));
    _exit(kInterrupted);
  }
  if (asked_to_stop.exchange(true)) _exit(kInterrupted);
}

extern "C" void on_vanished_page(int /*number*/) {
  constexpr std::string_view kMessage =
      "isthmus: a file became shorter, or could not be read on, while it was in use; leave input files alone "
      "during a run\n";
  // Whether or not it can be said, the run is over.
  const ssize_t said = write(STDERR_FILENO, kMessage.data(), kMessage.size());
  _exit(said < 0 ? kFailure : kBadInput);
}

void handle(int number, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(number, &action, nullptr);
}

}  // namespace

void prepare_process() {
  // A closed descriptor would be handed to the next file opened, and prints would land in it.
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor) {
    if (fcntl(descriptor, F_GETFD) == -1) static_cast<void>(open("/dev/null", O_RDWR));
  }
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  handle(SIGINT, on_signal);
  handle(SIGTERM, on_signal);
  handle(SIGBUS, on_vanished_page);
}

void keep_results_when_interrupted() {
  keeps_results = true;
}

const std::atomic<bool>& interrupted() {
  return asked_to_stop;
}
