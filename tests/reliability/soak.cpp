// soak SECONDS: one process adapts, predicts, saves and loads, again and again, over fixed problems in an
// order drawn by a seed. Fails when a problem ever gives other bytes than the first time, or when memory
// grows. Two passes over all problems are the warm-up; then it goes on for SECONDS, and at least two passes
// more.
#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <map>
#include <random>
#include <set>

#include "io/checksum.h"
#include "isthmus/isthmus.h"
#include "scratch_folder.h"

namespace {

using isthmus::testing::ScratchFolder;
using Clock = std::chrono::steady_clock;

/// What memory may grow by after the warm-up. A leak of one model a turn passes it within a few passes.
constexpr double kMarginMib = 8;

struct Problem {
  std::string method;
  isthmus::DemoOptions data;
};

/// Every method on a few problems of different sizes.
std::vector<Problem> problems() {
  std::vector<Problem> all;
  std::mt19937 random(1);
  std::uniform_int_distribution<isthmus::Index> count(40, 120);
  for (const isthmus::MethodInfo& method : isthmus::methods()) {
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      const isthmus::Index source = count(random);
      const isthmus::Index target = count(random);
      all.push_back({std::string(method.name), {source, target, seed}});
    }
  }
  return all;
}

double resident_mib() {
  malloc_trim(0);  // what was freed is no growth
  std::ifstream pages("/proc/self/statm");
  double all = 0;
  double resident = 0;
  pages >> all >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1024.0 * 1024.0);
}

std::string_view bytes_of(const isthmus::Matrix& matrix) {
  return {reinterpret_cast<const char*>(matrix.data()),
          sizeof(double) * static_cast<std::size_t>(matrix.size())};
}

std::string digest(const isthmus::Model& model, const isthmus::FeatureMatrix& samples,
                   const isthmus::Context& context) {
  const isthmus::Prediction prediction = model.predict(samples, context);
  isthmus::Sha256 sum;
  sum.update(bytes_of(model.target().probabilities));
  sum.update(bytes_of(prediction.probabilities));
  sum.update(bytes_of(model.transform(samples, isthmus::Side::Target, context)));
  return sum.finish();
}

/// The whole way of a problem; "" when the model that was saved is not the one that is loaded.
std::string solve(const Problem& problem, int threads, const ScratchFolder& folder) {
  isthmus::Context context;
  context.threads = threads;
  context.seed = problem.data.seed;
  isthmus::DomainPair pair = isthmus::make_demo(problem.data, threads);
  const isthmus::FeatureMatrix samples = pair.target();
  const isthmus::Model model = isthmus::adapt(std::move(pair), {.method = problem.method}, context);
  model.save(folder / "model.safetensors");
  const isthmus::Model loaded = isthmus::Model::load(folder / "model.safetensors");
  const std::string sum = digest(model, samples, context);
  return digest(loaded, samples, context) == sum ? sum : "";
}

}  // namespace

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? std::stod(argv[1]) : 600;
  const ScratchFolder folder;
  std::vector<Problem> all = problems();
  std::map<std::string, std::string> first;
  std::mt19937 random(2);
  double warm = 0;
  int drifts = 0;
  int passes = 0;
  Clock::time_point start;
  for (; passes < 4 || std::chrono::duration<double>(Clock::now() - start).count() < seconds; ++passes) {
    if (passes == 2) {
      warm = resident_mib();
      start = Clock::now();
    }
    std::shuffle(all.begin(), all.end(), random);
    for (const Problem& problem : all) {
      const std::string name = fmt::format("{} {}", problem.method, problem.data.seed);
      const std::string sum = solve(problem, 1 + static_cast<int>(random() % 3), folder);
      if (sum.empty() || first.emplace(name, sum).first->second != sum) {
        fmt::print(stderr, "soak: {} gave other bytes in pass {}\n", name, passes + 1);
        ++drifts;
      }
    }
  }
  const double grown = resident_mib() - warm;
  fmt::print(
      "{} problems, {} passes; {:.1f} MiB after the warm-up, {:+.1f} MiB at the end (margin {} MiB); {} "
      "drifts\n",
      all.size(), passes, warm, grown, kMarginMib, drifts);
  return drifts == 0 && grown <= kMarginMib ? 0 : 1;
}
