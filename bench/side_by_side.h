#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <string>

/// Times two things in turn and tells the best of each: on a machine that does other work too, a ratio of
/// neighbours in time says more than seconds do.
namespace bench {

template <class Work>
double seconds(Work&& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Runs and times reference and ours by turns, as often as the benchmark has iterations. Counters: seconds
/// and reference_seconds (the best of each) and ratio = reference/ours, above 1 where ours is faster. The
/// reference's time is multiplied by `reference_share` where it does only that part of the work.
template <class Ours, class Reference>
void side_by_side(benchmark::State& state, const std::string& reference_name, Ours&& ours,
                  Reference&& reference, double reference_share = 1.0) {
  double best = std::numeric_limits<double>::infinity();
  double reference_best = best;
  for ([[maybe_unused]] auto iteration : state) {
    reference_best = std::min(reference_best, reference_share * seconds(reference));
    const double once = seconds(ours);
    best = std::min(best, once);
    state.SetIterationTime(once);
  }
  state.SetLabel(reference_name);
  state.counters["seconds"] = best;
  state.counters["reference_seconds"] = reference_best;
  state.counters["ratio"] = reference_best / best;
}

/// Registers a benchmark of five rounds.
template <class Body>
void add(const std::string& name, Body&& body, int rounds = 5) {
  benchmark::RegisterBenchmark(name.c_str(), std::forward<Body>(body))
      ->Iterations(rounds)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond);
}

}  // namespace bench
