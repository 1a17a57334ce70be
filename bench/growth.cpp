// Time and peak memory of a method against the number of samples, on the built-in demo data (256 features).
//
//     growth METHODS [SIZES] [THREADS] [FILE]
//     growth "jda:components=100;classifier=means" 10000,100000,1000000 2 growth.json
//
// A size n is n/2 source and n/2 target samples. Each cell runs in a process of its own, so that one peak
// does not hide another; the peak counts everything, the input included. Prints a Markdown table, and the
// slope of log seconds over log n between the first and the last size (1 is linear).
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "eval/method_spec.h"
#include "eval/peak_memory.h"
#include "isthmus/isthmus.h"

namespace {

using isthmus::Index;

struct Cell {
  double seconds = 0;
  double input_mib = 0;
  double peak_mib = 0;
  double accuracy = 0;
  int rounds = 0;
};

Cell measure(const isthmus::MethodSpec& method, Index count, int threads) {
  Cell cell;
  isthmus::DomainPair pair =
      isthmus::make_demo({.source_count = count / 2, .target_count = count - count / 2}, threads);
  cell.input_mib = static_cast<double>(count * pair.dimension()) * sizeof(double) / (1024.0 * 1024.0);
  const std::vector<int> truth = pair.target_truth();
  const auto start = std::chrono::steady_clock::now();
  isthmus::Context context;
  context.threads = threads;
  const isthmus::Model model = isthmus::adapt(std::move(pair),
                                              {.method = method.name,
                                               .options = method.options,
                                               .preprocessing = isthmus::Preprocessing::parse("l2")},
                                              context);
  cell.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  cell.peak_mib = isthmus::peak_memory_mib();
  cell.accuracy = isthmus::accuracy_percent(model.target().labels, truth);
  cell.rounds = model.report().iterations;
  return cell;
}

/// Runs `measure` in a child process and brings its numbers back through a pipe.
Cell measure_apart(const isthmus::MethodSpec& method, Index count, int threads) {
  std::array<int, 2> pipe_ends{};
  if (pipe(pipe_ends.data()) != 0) throw isthmus::IoError("growth: no pipe");
  const pid_t child = fork();
  if (child == 0) {
    const Cell cell = measure(method, count, threads);
    const bool sent = write(pipe_ends[1], &cell, sizeof cell) == static_cast<ssize_t>(sizeof cell);
    _exit(sent ? 0 : 1);
  }
  close(pipe_ends[1]);
  Cell cell;
  const bool received = read(pipe_ends[0], &cell, sizeof cell) == static_cast<ssize_t>(sizeof cell);
  close(pipe_ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (!received)
    throw isthmus::NumericalError(fmt::format("growth: {} failed at n = {}", method.text(), count));
  return cell;
}

std::vector<Index> parse_sizes(const std::string& list) {
  std::vector<Index> sizes;
  for (std::size_t at = 0; at < list.size();
       at = list.find(',', at) == std::string::npos ? list.size() : list.find(',', at) + 1) {
    sizes.push_back(std::strtol(list.c_str() + at, nullptr, 10));
  }
  return sizes;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string methods = argc > 1 ? argv[1] : "jda:components=100;classifier=means";
  const std::vector<Index> sizes = parse_sizes(argc > 2 ? argv[2] : "10000,30000,100000");
  const int threads = argc > 3 ? std::atoi(argv[3]) : isthmus::available_cores();
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  fmt::print(
      "| method | n | rounds | seconds | per round and 1e5 samples | input MiB | peak / input | accuracy |\n"
      "|---|---:|---:|---:|---:|---:|---:|---:|\n");
  for (const isthmus::MethodSpec& method : isthmus::parse_method_list(methods)) {
    std::vector<Cell> cells;
    for (const Index n : sizes) {
      const Cell cell = measure_apart(method, n, threads);
      cells.push_back(cell);
      fmt::print("| `{}` | {} | {} | {:.2f} | {:.2f} | {:.0f} | {:.2f} | {:.2f} |\n", method.text(), n,
                 cell.rounds, cell.seconds,
                 cell.seconds / std::max(1, cell.rounds) / (static_cast<double>(n) / 1e5), cell.input_mib,
                 cell.peak_mib / cell.input_mib, cell.accuracy);
      std::fflush(stdout);
      rows.push_back({{"method", method.text()},
                      {"n", n},
                      {"threads", threads},
                      {"rounds", cell.rounds},
                      {"seconds", cell.seconds},
                      {"input_mib", cell.input_mib},
                      {"peak_mib", cell.peak_mib},
                      {"accuracy", cell.accuracy}});
    }
    if (sizes.size() > 1) {
      const auto per_round = [](const Cell& cell) { return cell.seconds / std::max(1, cell.rounds); };
      fmt::print("\nslope of log(seconds per round) over log(n): {:.2f}\n\n",
                 std::log(per_round(cells.back()) / per_round(cells.front())) /
                     std::log(static_cast<double>(sizes.back()) / static_cast<double>(sizes.front())));
    }
  }
  if (argc > 4) std::ofstream(argv[4]) << rows.dump(2) << '\n';
  return 0;
}
