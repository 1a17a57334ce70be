// Time and peak memory of methods as one size grows.
//
//     growth METHODS AXIS VALUES [NAME=VALUE ...]
//     growth "jda:classifier=mean,gfk" samples 10000,100000,1000000 threads=2 file=growth.json
//
// AXIS is samples (both domains together), features, classes or components; the others stay, unless given, at
// 20,000 samples, 256 features, 10 classes and the method's own components. Samples and components grow on
// the built-in digits, the rest on Gaussian classes. Each cell runs in a process of its own, so that one peak
// does not hide another; the peak counts everything, the input included. Prints a Markdown table and,
// for each method, the slope of log seconds (a round, where there are rounds) over log size, fitted to all
// values: 1 is linear.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apart.h"
#include "bench/method_spec.h"
#include "bench/peak_memory.h"
#include "isthmus/isthmus.h"
#include "shifted_blobs.h"

namespace {

using isthmus::Index;

struct Sizes {
  bool digits = true;
  Index samples = 20000;
  Index features = 256;
  Index classes = 10;
  Index components = 0;  ///< 0: the method's own
};

Index& axis(Sizes& sizes, const std::string& name) {
  if (name == "samples") return sizes.samples;
  if (name == "components") return sizes.components;
  sizes.digits = false;
  if (name == "features") return sizes.features;
  if (name == "classes") return sizes.classes;
  throw isthmus::InvalidArgument(
      fmt::format("growth: there is no axis '{}'; expected samples, features, classes or components", name));
}

struct Cell {
  double seconds = 0;
  double input_mib = 0;
  double peak_mib = 0;
  double accuracy = 0;
  int rounds = 0;

  double per_round() const { return seconds / std::max(1, rounds); }
};

isthmus::DomainPair data(const Sizes& sizes, int threads) {
  const Index half = sizes.samples / 2;
  if (sizes.digits) {
    return isthmus::make_demo({.source_count = half, .target_count = sizes.samples - half}, threads);
  }
  const ShiftedBlobs blobs{.dimension = sizes.features, .classes = static_cast<int>(sizes.classes)};
  return {blobs.domain(isthmus::Side::Source, half),
          blobs.domain(isthmus::Side::Target, sizes.samples - half)};
}

Cell measure(isthmus::MethodSpec method, const Sizes& sizes, int threads) {
  Cell cell;
  if (sizes.components > 0) {
    method.options[method.name == "gfk" ? "subspace" : "components"] = std::to_string(sizes.components);
  }
  isthmus::DomainPair pair = data(sizes, threads);
  cell.input_mib = static_cast<double>(sizes.samples * pair.dimension()) * sizeof(double) / (1024.0 * 1024.0);
  const std::vector<int> truth = pair.target_truth();
  isthmus::Context context;
  context.threads = threads;
  const auto start = std::chrono::steady_clock::now();
  const isthmus::Model model = isthmus::adapt(
      std::move(pair), {method.name, method.options, isthmus::Preprocessing::parse("l2")}, context);
  cell.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  cell.peak_mib = isthmus::peak_memory_mib();
  cell.accuracy = isthmus::accuracy_percent(model.target().labels, truth);
  cell.rounds = model.report().iterations;
  return cell;
}

std::vector<Index> parse_values(const std::string& list) {
  std::vector<Index> values;
  for (std::size_t at = 0; at < list.size();
       at = list.find(',', at) == std::string::npos ? list.size() : list.find(',', at) + 1) {
    values.push_back(std::strtol(list.c_str() + at, nullptr, 10));
  }
  return values;
}

/// Least squares through log(seconds a round) over log(value).
double fitted_slope(const std::vector<Index>& values, const std::vector<Cell>& cells) {
  const auto count = static_cast<Index>(cells.size());
  Eigen::ArrayXd x(count);
  Eigen::ArrayXd y(count);
  for (Index i = 0; i < count; ++i) {
    x[i] = std::log(static_cast<double>(values[static_cast<std::size_t>(i)]));
    y[i] = std::log(cells[static_cast<std::size_t>(i)].per_round());
  }
  x -= x.mean();
  return (x * y).sum() / x.square().sum();
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 4) throw isthmus::InvalidArgument("growth: METHODS, AXIS and VALUES are expected");
  const std::string along = argv[2];
  const std::vector<Index> values = parse_values(argv[3]);
  Sizes fixed;
  int threads = isthmus::available_cores();
  std::string file;
  for (int i = 4; i < argc; ++i) {
    const std::string word = argv[i];
    const std::string name = word.substr(0, word.find('='));
    const std::string value = word.substr(std::min(word.size(), name.size() + 1));
    if (name == "file") {
      file = value;
    } else if (name == "threads") {
      threads = std::atoi(value.c_str());
    } else {
      axis(fixed, name) = std::atol(value.c_str());
    }
  }
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  fmt::print(
      "| method | {} | rounds | seconds | input MiB | peak / input | accuracy |\n"
      "|---|---:|---:|---:|---:|---:|---:|\n",
      along);
  for (const isthmus::MethodSpec& method : isthmus::parse_method_list(argv[1])) {
    std::vector<Cell> cells;
    for (const Index value : values) {
      Sizes sizes = fixed;
      axis(sizes, along) = value;
      const Cell cell = apart([&] { return measure(method, sizes, threads); });
      cells.push_back(cell);
      fmt::print("| `{}` | {} | {} | {:.2f} | {:.0f} | {:.2f} | {:.2f} |\n", method.text(), value,
                 cell.rounds, cell.seconds, cell.input_mib, cell.peak_mib / cell.input_mib, cell.accuracy);
      std::fflush(stdout);
      rows.push_back({{"method", method.text()},
                      {"axis", along},
                      {"value", value},
                      {"samples", sizes.samples},
                      {"features", sizes.features},
                      {"threads", threads},
                      {"rounds", cell.rounds},
                      {"seconds", cell.seconds},
                      {"input_mib", cell.input_mib},
                      {"peak_mib", cell.peak_mib},
                      {"peak_over_input", cell.peak_mib / cell.input_mib},
                      {"accuracy", cell.accuracy},
                      {"slope", nullptr}});
    }
    if (values.size() < 2) continue;
    const double slope = fitted_slope(values, cells);
    rows.back()["slope"] = slope;
    fmt::print("\nslope: {:.2f}\n\n", slope);
  }
  if (!file.empty()) std::ofstream(file) << rows.dump(2) << '\n';
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 2;
}
