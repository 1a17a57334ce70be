#include "eval/table1_run.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <numeric>

#include "eval/benchmark_files.h"
#include "eval/peak_memory.h"
#include "isthmus/adapt.h"
#include "isthmus/errors.h"

namespace isthmus {
namespace {

/// Each domain read once, however many tasks use it.
class DomainCache {
 public:
  explicit DomainCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  const Domain& operator()(const DomainFile& from) {
    const auto key = std::pair(from.file, from.features);
    auto at = domains_.find(key);
    if (at == domains_.end()) at = domains_.emplace(key, read_benchmark_domain(folder_, from)).first;
    return at->second;
  }

 private:
  std::filesystem::path folder_;
  std::map<std::pair<std::string_view, std::string_view>, Domain> domains_;
};

void run_cell(Table1Cell& cell, DomainCache& domains, const Context& context) {
  DomainPair pair(domains(cell.task.source), domains(cell.task.target));
  const std::vector<int> truth = pair.target_truth();
  AdaptRequest request;
  request.method = cell.method.name;
  request.options = cell.setting.options;
  request.preprocessing = Preprocessing::parse(cell.setting.preprocessing);
  reset_peak_memory();
  const auto start = std::chrono::steady_clock::now();
  try {
    const Model model = adapt(std::move(pair), request, context);
    cell.accuracy = accuracy_percent(model.target().labels, truth);
    cell.options = model.options();
    cell.report = model.report();
    if (cell.report.status == Status::Stopped) cell.status = "stopped";
  } catch (const NumericalError& error) {
    cell.status = "failed";
    cell.problem = error.what();
  }
  cell.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  cell.peak_mib = peak_memory_mib();
}

std::optional<double> mean(const std::vector<double>& values) {
  if (values.empty()) return std::nullopt;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

Table1Average average(const std::vector<Table1Cell>& cells, const std::string& method,
                      std::optional<Family> family) {
  std::vector<double> ours;
  std::vector<double> published;
  for (const Table1Cell& cell : cells) {
    if (cell.method.text() != method || (family && cell.task.family != *family) || !cell.accuracy) continue;
    ours.push_back(*cell.accuracy);
    if (cell.published) published.push_back(*cell.published);
  }
  return {method, family ? std::string(to_string(*family)) : "all", mean(ours),
          published.size() == ours.size() ? mean(published) : std::nullopt};
}

}  // namespace

std::vector<Table1Cell> run_table1(const Table1Request& request, const Context& context,
                                   const Table1Progress& progress) {
  require_benchmark_files(request.data, request.tasks);
  DomainCache domains(request.data);
  const int count = static_cast<int>(request.tasks.size() * request.methods.size());
  std::vector<Table1Cell> cells;
  for (const Table1Task& task : request.tasks) {
    for (const MethodSpec& method : request.methods) {
      if (context.cancelled()) return cells;
      Table1Cell cell;
      cell.task = task;
      cell.method = method;
      cell.setting = table1_setting(method.name, task);
      for (const auto& [name, value] : method.options) cell.setting.options[name] = value;
      cell.published = published_accuracy(task.name, method.name);
      const int number = static_cast<int>(cells.size()) + 1;
      if (progress.on_start) progress.on_start(cell, number, count);
      run_cell(cell, domains, context);
      cells.push_back(std::move(cell));
      if (progress.on_finish) progress.on_finish(cells.back(), number, count);
    }
  }
  return cells;
}

std::vector<Table1Average> table1_averages(const std::vector<Table1Cell>& cells) {
  std::vector<std::string> methods;
  for (const Table1Cell& cell : cells) {
    if (std::find(methods.begin(), methods.end(), cell.method.text()) == methods.end()) {
      methods.push_back(cell.method.text());
    }
  }
  std::vector<Table1Average> averages;
  for (const std::string& method : methods) {
    for (const Family family : kFamilies) averages.push_back(average(cells, method, family));
    averages.push_back(average(cells, method, std::nullopt));
  }
  return averages;
}

}  // namespace isthmus
