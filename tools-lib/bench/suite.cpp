#include "bench/suite.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "bench/table1_settings.h"
#include "core/text.h"
#include "isthmus/adapt.h"
#include "isthmus/errors.h"
#include "table1/benchmark_files.h"

namespace isthmus {
namespace {

SamplesName samples_name(const DomainFile& from) {
  return {fmt::format("{}:{}", from.file, from.features), std::string(from.labels)};
}

}  // namespace

Suite table1_suite(const std::filesystem::path& data, const std::vector<Table1Task>& tasks,
                   const std::vector<MethodSpec>& methods, const std::vector<std::uint64_t>& seeds) {
  require_benchmark_files(data, tasks);
  Suite suite{"table1", data, {}};
  for (const Table1Task& task : tasks) {
    for (const MethodSpec& method : methods) {
      SuiteCell cell;
      cell.task = {std::string(task.name), std::string(to_string(task.family)), samples_name(task.source),
                   samples_name(task.target)};
      cell.method = method;
      cell.setting = table1_setting(method.name, task);
      for (const auto& [name, value] : method.options) cell.setting.options[name] = value;
      cell.published = published_accuracy(task.name, method.name);
      for (const std::uint64_t seed : seeds) suite.cells.emplace_back(cell).seed = seed;
    }
  }
  return suite;
}

Suite demo_suite(const DemoOptions& size, const std::vector<MethodSpec>& methods,
                 const std::vector<std::uint64_t>& seeds) {
  Suite suite{"demo", {}, {}};
  for (const MethodSpec& method : methods) {
    SuiteCell cell;
    cell.task.name = "digits";
    cell.task.demo = size;
    cell.method = method;
    cell.setting = {std::string(default_preprocessing()), method.options};
    for (const std::uint64_t seed : seeds) suite.cells.emplace_back(cell).seed = seed;
  }
  return suite;
}

void keep_tasks(Suite& suite, std::string_view list) {
  const std::vector<std::string> words = split_words(list, ',');
  if (words.empty()) return;
  std::set<std::string> known;
  for (const SuiteCell& cell : suite.cells) known.insert({cell.task.name, cell.task.group});
  known.erase("");
  for (const std::string& word : words) {
    if (known.contains(word)) continue;
    throw InvalidArgument(fmt::format("{} has no task or group '{}'{}; it has: {}", suite.name, word,
                                      did_you_mean(word, {known.begin(), known.end()}),
                                      fmt::join(known, ", ")));
  }
  std::erase_if(suite.cells, [&](const SuiteCell& cell) {
    return std::none_of(words.begin(), words.end(), [&](const std::string& word) {
      return word == cell.task.name || word == cell.task.group;
    });
  });
}

}  // namespace isthmus
