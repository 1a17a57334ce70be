// How settings fare on the tasks of Table 1 or of the real fields, clean or disturbed.
//
//     studies METHODS [CONDITIONS] [TASKS] [SEEDS] [FILE]
//     studies "rsa-cdda,rsa-cdda:committee=4" clean,bootstrap,outliers surf 3 studies.json
//     studies rsa-cdda order,jitter,bootstrap fields 1
//
// Conditions, drawn anew for each seed:
//     clean      as it is (one run)
//     single     features rounded to float32 and held so (one run)
//     order      samples of both domains in random order
//     jitter     every feature times 1 + 1e-12·N(0, 1)
//     bootstrap  the source drawn from itself with replacement
//     outliers   every tenth target sample replaced, by noise and by samples of another data set in turn;
//                scored on the others
//     priors     a third of the target's samples kept in every other class: class shares 3:1
// Each cell runs on one thread, as many side by side as there are cores; the files are looked for in
// ISTHMUS_DATA, those of the fields in ISTHMUS_FIELDS. Prints a Markdown table of mean accuracies per family
// or field with the smallest and largest average over the seeds. No target label is read except to score.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "bench/method_spec.h"
#include "bench/sample_names.h"
#include "bench/suite.h"
#include "bench/table1_settings.h"
#include "core/parallel.h"
#include "core/text.h"
#include "isthmus/isthmus.h"
#include "table1/table1.h"

namespace {

using isthmus::Domain;
using isthmus::DomainPair;
using isthmus::Index;
using isthmus::Labels;
using isthmus::Matrix;
using isthmus::Vector;
using Random = std::mt19937_64;

struct Task {
  std::string name;
  std::string group;
  std::optional<isthmus::Table1Task> entry;  ///< where it is one of Table 1
  std::string preprocessing;                 ///< of a field
  Domain source;
  Domain target;

  isthmus::MethodSetting setting(const std::string& method) const {
    return entry ? isthmus::table1_setting(method, *entry) : isthmus::MethodSetting{preprocessing, {}};
  }
};

Domain read_domain(const isthmus::DomainFile& from) {
  const char* folder = std::getenv("ISTHMUS_DATA");
  if (!folder)
    throw isthmus::InvalidArgument("studies: set ISTHMUS_DATA to the folder of the benchmark files");
  isthmus::ReadOptions options;
  options.features = from.features;
  options.labels = from.labels;
  return isthmus::read_dataset(std::filesystem::path(folder) / from.file, options).domain;
}

std::vector<Task> table1_list(std::string_view names) {
  std::vector<Task> tasks;
  for (const isthmus::Table1Task& entry : isthmus::select_tasks(names)) {
    tasks.push_back({std::string(entry.name),
                     std::string(to_string(entry.family)),
                     entry,
                     {},
                     read_domain(entry.source),
                     read_domain(entry.target)});
  }
  return tasks;
}

std::vector<Task> field_list() {
  const char* folder = std::getenv("ISTHMUS_FIELDS");
  if (!folder) throw isthmus::InvalidArgument("studies: set ISTHMUS_FIELDS to the folder of the fields");
  const std::filesystem::path listing = std::filesystem::path(folder) / "suite.json";
  const isthmus::Suite suite = isthmus::read_suite(listing, {0}, isthmus::parse_method_list("nn"));
  std::vector<Task> tasks;
  for (const isthmus::SuiteCell& cell : suite.cells) {
    tasks.push_back({cell.task.name, cell.task.group, std::nullopt, cell.setting.preprocessing,
                     isthmus::read_samples(cell.task.source, suite.folder).domain,
                     isthmus::read_samples(cell.task.target, suite.folder).domain});
  }
  return tasks;
}

Domain chosen(const Domain& domain, const std::vector<Index>& samples) {
  Labels labels = *domain.labels;
  std::vector<int> ids;
  for (const Index i : samples) ids.push_back(labels.ids[static_cast<std::size_t>(i)]);
  labels.ids = std::move(ids);
  return {Matrix(domain.features.view()(Eigen::all, samples)), std::move(labels)};
}

std::vector<Index> all_samples(const Domain& domain) {
  std::vector<Index> samples(static_cast<std::size_t>(domain.features.count()));
  std::iota(samples.begin(), samples.end(), Index{0});
  return samples;
}

Domain in_single_precision(const Domain& domain) {
  const auto values = std::make_shared<Eigen::MatrixXf>(domain.features.view().cast<float>());
  return {isthmus::FeatureMatrix(values->data(), values->rows(), values->cols(), values), domain.labels};
}

Domain shuffled(const Domain& domain, Random& random) {
  std::vector<Index> samples = all_samples(domain);
  std::shuffle(samples.begin(), samples.end(), random);
  return chosen(domain, samples);
}

Domain jittered(const Domain& domain, Random& random) {
  std::normal_distribution<double> normal;
  Matrix features = domain.features.view();
  features = features.unaryExpr([&](double x) { return x * (1.0 + 1e-12 * normal(random)); });
  return {features, domain.labels};
}

Domain bootstrapped(const Domain& domain, Random& random) {
  std::uniform_int_distribution<Index> any(0, domain.features.count() - 1);
  std::vector<Index> samples = all_samples(domain);
  for (Index& i : samples) i = any(random);
  return chosen(domain, samples);
}

Domain thinned(const Domain& domain, Random& random) {
  std::vector<Index> samples;
  std::uniform_int_distribution<int> third(0, 2);
  for (const Index i : all_samples(domain)) {
    if (domain.labels->ids[static_cast<std::size_t>(i)] % 2 == 0 || third(random) == 0) samples.push_back(i);
  }
  return chosen(domain, samples);
}

bool is_outlier(Index sample) {
  return sample % 10 == 0;
}

/// Noise with each feature's own mean and deviation, and samples of `stranger`, their features repeated or
/// cut to the dimension and scaled to the length of the sample they replace.
Domain with_outliers(const Domain& domain, const Domain& stranger, Random& random) {
  std::normal_distribution<double> normal;
  std::uniform_int_distribution<Index> any(0, stranger.features.count() - 1);
  Matrix features = domain.features.view();
  const Vector mean = features.rowwise().mean();
  const Vector deviation = (features.colwise() - mean).rowwise().norm() / std::sqrt(features.cols());
  for (Index j = 0; j < features.cols(); ++j) {
    if (!is_outlier(j)) continue;
    const double length = features.col(j).norm();
    if (j % 20 == 0) {
      for (Index i = 0; i < features.rows(); ++i) features(i, j) = mean[i] + deviation[i] * normal(random);
      // Histograms stay histograms.
      if (domain.features.view().minCoeff() >= 0.0) features.col(j) = features.col(j).cwiseAbs();
    } else {
      const Vector other = stranger.features.view().col(any(random));
      for (Index i = 0; i < features.rows(); ++i) features(i, j) = other[i % other.size()];
    }
    features.col(j) *= length / std::max(features.col(j).norm(), 1e-300);
  }
  return {features, domain.labels};
}

DomainPair disturbed(const std::string& condition, const Task& task, const Domain& stranger, Random random) {
  if (condition == "clean") return {task.source, task.target};
  if (condition == "single") return {in_single_precision(task.source), in_single_precision(task.target)};
  if (condition == "order") return {shuffled(task.source, random), shuffled(task.target, random)};
  if (condition == "jitter") return {jittered(task.source, random), jittered(task.target, random)};
  if (condition == "bootstrap") return {bootstrapped(task.source, random), task.target};
  if (condition == "outliers") return {task.source, with_outliers(task.target, stranger, random)};
  if (condition == "priors") return {task.source, thinned(task.target, random)};
  throw isthmus::InvalidArgument(fmt::format(
      "studies: unknown condition '{}'; expected clean, single, order, jitter, bootstrap, outliers or priors",
      condition));
}

double accuracy(const std::string& condition, const std::vector<int>& labels, const std::vector<int>& truth) {
  if (condition != "outliers") return isthmus::accuracy_percent(labels, truth);
  std::vector<int> kept_labels;
  std::vector<int> kept_truth;
  for (std::size_t j = 0; j < labels.size(); ++j) {
    if (is_outlier(static_cast<Index>(j))) continue;
    kept_labels.push_back(labels[j]);
    kept_truth.push_back(truth[j]);
  }
  return isthmus::accuracy_percent(kept_labels, kept_truth);
}

struct Cell {
  const isthmus::MethodSpec* method;
  std::string condition;
  int seed;
  const Task* task;
  double accuracy = 0;
  double seconds = 0;
};

void run(Cell& cell, const Domain& stranger) {
  const DomainPair pair =
      disturbed(cell.condition, *cell.task, stranger, Random(static_cast<std::uint64_t>(cell.seed)));
  const std::vector<int> truth = pair.target_truth();
  isthmus::MethodSetting setting = cell.task->setting(cell.method->name);
  for (const auto& [name, value] : cell.method->options) setting.options[name] = value;
  isthmus::Context context;
  context.threads = 1;
  const auto start = std::chrono::steady_clock::now();
  const isthmus::Model model =
      isthmus::adapt(pair,
                     {.method = cell.method->name,
                      .options = setting.options,
                      .preprocessing = isthmus::Preprocessing::parse(setting.preprocessing)},
                     context);
  cell.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  cell.accuracy = accuracy(cell.condition, model.target().labels, truth);
}

/// Mean over the cells that `wanted` takes; NaN without any.
template <class Wanted>
double mean(const std::vector<Cell>& cells, Wanted&& wanted) {
  double sum = 0;
  double count = 0;
  for (const Cell& cell : cells) {
    if (!wanted(cell)) continue;
    sum += cell.accuracy;
    count += 1;
  }
  return sum / count;
}

void print_row(const std::vector<Cell>& cells, const std::vector<std::string>& groups, int seeds) {
  fmt::print("| `{}` | {} |", cells[0].method->text(), cells[0].condition);
  for (const std::string& group : groups) {
    fmt::print(" {:.2f} |", mean(cells, [&](const Cell& c) { return c.task->group == group; }));
  }
  double low = 100;
  double high = 0;
  for (int seed = 0; seed < seeds; ++seed) {
    const double average = mean(cells, [&](const Cell& c) { return c.seed == seed; });
    low = std::min(low, average);
    high = std::max(high, average);
  }
  double seconds = 0;
  for (const Cell& cell : cells) seconds += cell.seconds / seeds;
  fmt::print(" {:.2f} | {:.2f} … {:.2f} | {:.1f} |\n", mean(cells, [](const Cell&) { return true; }), low,
             high, seconds);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) try {
  const std::vector<isthmus::MethodSpec> methods =
      isthmus::parse_method_list(argc > 1 ? argv[1] : "rsa-cdda");
  const std::vector<std::string> conditions = isthmus::split_words(argc > 2 ? argv[2] : "clean", ',');
  const std::string_view wanted = argc > 3 ? argv[3] : "";
  const std::vector<Task> tasks = wanted == "fields" ? field_list() : table1_list(wanted);
  const int seeds = argc > 4 ? std::max(1, std::atoi(argv[4])) : 3;
  std::vector<std::string> groups;
  for (const Task& task : tasks) {
    if (std::find(groups.begin(), groups.end(), task.group) == groups.end()) groups.push_back(task.group);
  }
  const Domain object = read_domain(isthmus::select_tasks("COIL1->COIL2")[0].source);
  const Domain digit = read_domain(isthmus::select_tasks("USPS->MNIST")[0].source);

  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  fmt::print("| setting | condition | {} | all | over the seeds | core seconds |\n|---|---|",
             fmt::join(groups, " | "));
  for (std::size_t i = 0; i < groups.size() + 3; ++i) fmt::print("---:|");
  fmt::print("\n");
  for (const isthmus::MethodSpec& method : methods) {
    for (const std::string& condition : conditions) {
      const int runs = condition == "clean" || condition == "single" ? 1 : seeds;
      std::vector<Cell> cells;
      for (int seed = 0; seed < runs; ++seed) {
        for (const Task& task : tasks) cells.push_back({&method, condition, seed, &task});
      }
      isthmus::parallel_blocks(isthmus::available_cores(), static_cast<Index>(cells.size()), [&](Index i) {
        Cell& cell = cells[static_cast<std::size_t>(i)];
        run(cell, cell.task->group == "COIL" ? digit : object);
      });
      print_row(cells, groups, runs);
      for (const Cell& cell : cells) {
        rows.push_back({{"method", method.text()},
                        {"condition", condition},
                        {"seed", cell.seed},
                        {"task", cell.task->name},
                        {"accuracy", cell.accuracy},
                        {"seconds", cell.seconds}});
      }
    }
  }
  if (argc > 5) std::ofstream(argv[5]) << rows.dump(2) << '\n';
  return 0;
} catch (const isthmus::Error& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 2;
}
