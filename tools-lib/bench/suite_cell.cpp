// What a log knows of a cell: what identifies it, and what came out.
#include <fmt/format.h>

#include "bench/suite.h"
#include "io/checksum.h"
#include "isthmus/errors.h"
#include "isthmus/version.h"
#include "model/report_json.h"

namespace isthmus {
namespace {

using nlohmann::ordered_json;

ordered_json samples_json(const SamplesName& name, const std::string& content) {
  return {{"samples", name.samples}, {"labels", name.labels}, {"content", content}};
}

/// A number of the result within bounds; anything else is no result of ours.
double bounded(const ordered_json& result, const char* name, double low, double high) {
  const double value = result.at(name).get<double>();
  if (!(value >= low && value <= high))
    throw InvalidArgument(fmt::format("'{}' is {}; expected {} … {}", name, value, low, high));
  return value;
}

void take_result(SuiteCell& cell, const ordered_json& result) {
  constexpr double kMost = 1e15;
  cell.status = result.at("status").get<std::string>();
  if (cell.status != "ok" && cell.status != "failed" && cell.status != "timeout")
    throw InvalidArgument(fmt::format("'status' is '{}'; expected ok, failed or timeout", cell.status));
  cell.problem = result.value("problem", "");
  cell.accuracy.reset();
  if (!result.at("accuracy").is_null()) cell.accuracy = bounded(result, "accuracy", 0, 100);
  if (cell.accuracy.has_value() != (cell.status == "ok"))
    throw InvalidArgument("it has an accuracy and no status ok, or the other way round");
  cell.labels = result.value("labels", "");
  cell.seconds = bounded(result, "seconds", 0, kMost);
  cell.peak_mib = bounded(result, "peak_mib", 0, kMost);
  cell.options = result.at("options").get<OptionMap>();
  cell.preprocessing = result.value("preprocessing", "");
  cell.report = report_from_json(result.at("report"));
}

}  // namespace

std::string labels_checksum(const std::vector<int>& labels) {
  std::string text;
  for (const int label : labels) text += fmt::format("{},", label);
  return sha256(text).substr(0, 16);
}

ordered_json cell_identity(const SuiteCell& cell) {
  ordered_json json{{"version", version()}, {"task", cell.task.name}};
  if (cell.task.demo) {
    json["demo"] = {{"source_count", cell.task.demo->source_count},
                    {"target_count", cell.task.demo->target_count}};
  } else {
    json["source"] = samples_json(cell.task.source, cell.task.source_content);
    json["target"] = samples_json(cell.task.target, cell.task.target_content);
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
  if (!cell.labels.empty()) json["labels"] = cell.labels;
  if (!cell.preprocessing.empty()) json["preprocessing"] = cell.preprocessing;
  if (!cell.problem.empty()) json["problem"] = cell.problem;
  return json;
}

void set_cell_result(SuiteCell& cell, const ordered_json& result) {
  try {
    take_result(cell, result);
  } catch (const nlohmann::json::exception& error) {
    throw InvalidArgument(error.what());
  }
}

}  // namespace isthmus
