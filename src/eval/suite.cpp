#include "eval/suite.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "data/text.h"
#include "eval/benchmark_files.h"
#include "eval/table1_settings.h"
#include "eval/words.h"
#include "isthmus/adapt.h"
#include "isthmus/errors.h"
#include "isthmus/version.h"
#include "model/report_json.h"

namespace isthmus {
namespace {

using nlohmann::ordered_json;

SamplesName samples_name(const DomainFile& from) {
  return {fmt::format("{}:{}", from.file, from.features), std::string(from.labels)};
}

ordered_json samples_json(const SamplesName& name) {
  return {{"samples", name.samples}, {"labels", name.labels}};
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

ordered_json cell_identity(const SuiteCell& cell) {
  ordered_json json{{"version", version()}, {"task", cell.task.name}};
  if (cell.task.demo) {
    json["demo"] = {{"source_count", cell.task.demo->source_count},
                    {"target_count", cell.task.demo->target_count}};
  } else {
    json["source"] = samples_json(cell.task.source);
    json["target"] = samples_json(cell.task.target);
  }
  json["method"] = cell.method.name;
  json["preprocessing"] = cell.setting.preprocessing;
  json["settings"] = cell.setting.options;
  json["seed"] = cell.seed;
  return json;
}

ordered_json cell_result(const SuiteCell& cell) {
  ordered_json json{{"status", cell.status},
                    {"accuracy", cell.accuracy ? ordered_json(*cell.accuracy) : ordered_json(nullptr)},
                    {"seconds", cell.seconds},
                    {"peak_mib", cell.peak_mib},
                    {"options", cell.options},
                    {"report", to_json(cell.report)}};
  if (!cell.problem.empty()) json["problem"] = cell.problem;
  return json;
}

void set_cell_result(SuiteCell& cell, const ordered_json& result) {
  cell.status = result.at("status").get<std::string>();
  cell.problem = result.value("problem", "");
  const ordered_json& accuracy = result.at("accuracy");
  cell.accuracy = accuracy.is_null() ? std::nullopt : std::optional(accuracy.get<double>());
  cell.seconds = result.at("seconds").get<double>();
  cell.peak_mib = result.at("peak_mib").get<double>();
  cell.options = result.at("options").get<OptionMap>();
  cell.report = report_from_json(result.at("report"));
}

}  // namespace isthmus
