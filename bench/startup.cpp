// How long the program takes to say its help: what every call pays before any work.
//
//     startup PROGRAM [RUNS [FILE]]
//     startup build/release/bin/isthmus 50 startup.json
//
// Prints the best and the median of the runs in milliseconds, from the start of the process to its end.
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX leaves it to the program

namespace {

double milliseconds_to_help(std::string program) {
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);
  std::string help = "--help";
  const std::array<char*, 3> arguments{program.data(), help.data(), nullptr};
  const auto start = std::chrono::steady_clock::now();
  pid_t child = 0;
  int status = -1;
  if (posix_spawn(&child, program.c_str(), &quiet, nullptr, arguments.data(), environ) == 0) {
    waitpid(child, &status, 0);
  }
  const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
  posix_spawn_file_actions_destroy(&quiet);
  if (status != 0) {
    fmt::print(stderr, "startup: {} --help failed\n", program);
    std::exit(2);
  }
  return taken.count();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "startup: the program is expected\n");
    return 2;
  }
  const int runs = argc > 2 ? std::max(1, std::atoi(argv[2])) : 50;
  std::vector<double> taken;
  for (int i = 0; i < runs; ++i) taken.push_back(milliseconds_to_help(argv[1]));
  std::sort(taken.begin(), taken.end());
  const double best = taken.front();
  const double median = taken[taken.size() / 2];
  fmt::print("--help: best {:.1f} ms, median {:.1f} ms of {} runs\n", best, median, runs);
  if (argc > 3) {
    const nlohmann::ordered_json row{{"runs", runs}, {"best_ms", best}, {"median_ms", median}};
    std::ofstream(argv[3]) << nlohmann::ordered_json::array({row}).dump(2) << '\n';
  }
  return 0;
}
