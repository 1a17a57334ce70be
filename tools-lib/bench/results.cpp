#include "bench/results.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/text.h"
#include "isthmus/version.h"

namespace isthmus {
namespace {

using nlohmann::ordered_json;

std::string_view to_string(OptionType type) {
  switch (type) {
    case OptionType::Integer:
      return "integer";
    case OptionType::Real:
      return "real";
    case OptionType::Flag:
      return "flag";
    case OptionType::Choice:
      return "choice";
    case OptionType::IntegerList:
      return "integer list";
  }
  return "";
}

/// The number a text is; nothing for another text.
ordered_json number_json(OptionType type, std::string_view text) {
  const std::optional<double> value = parse_number(text);
  if (!value || !std::isfinite(*value)) return nullptr;
  if (type == OptionType::Real) return *value;
  const auto whole = static_cast<int>(std::clamp(*value, -2147483648.0, 2147483647.0));
  return whole == *value ? ordered_json(whole) : ordered_json(nullptr);
}

ordered_json option_json(const OptionSpec& option, const std::string& text) {
  if (option.automatic && text == kAutomatic) return nullptr;
  ordered_json value;
  if (option.type == OptionType::Integer || option.type == OptionType::Real) {
    value = number_json(option.type, text);
  } else if (option.type == OptionType::Flag && (text == "true" || text == "false")) {
    value = text == "true";
  } else if (option.type == OptionType::IntegerList) {
    for (const std::string& word : split_words(text, ',')) {
      value.push_back(number_json(OptionType::Integer, word));
      if (value.back().is_null()) return text;
    }
  }
  return value.is_null() ? ordered_json(text) : value;
}

}  // namespace

ordered_json options_json(std::string_view method, const OptionMap& options) {
  std::map<std::string, OptionSpec> known;
  for (const MethodInfo& info : methods()) {
    if (info.name != method) continue;
    for (const OptionSpec& option : info.options) known[option.name] = option;
  }
  ordered_json json = ordered_json::object();
  for (const auto& [name, text] : options) {
    const auto option = known.find(name);
    json[name] = option == known.end() ? ordered_json(text) : option_json(option->second, text);
  }
  return json;
}

std::string labels_csv(const Prediction& prediction, const ClassNames& classes,
                       const std::vector<std::string>& sample_ids, char separator) {
  const Vector confidence = prediction.confidence();
  std::string csv = fmt::format("sample{0}label{0}confidence\n", separator);
  for (std::size_t i = 0; i < prediction.labels.size(); ++i) {
    const std::string sample =
        sample_ids.empty() ? std::to_string(i + 1) : csv_cell(sample_ids.at(i), separator);
    csv += fmt::format("{1}{0}{2}{0}{3:.6g}\n", separator, sample,
                       csv_cell(classes[prediction.labels[i]], separator), confidence(static_cast<Index>(i)));
  }
  return csv;
}

std::vector<std::pair<std::string, Index>> class_counts(const std::vector<int>& labels,
                                                        const ClassNames& classes) {
  std::vector<std::pair<std::string, Index>> counts;
  for (const std::string& name : classes.all()) counts.emplace_back(name, 0);
  for (const int label : labels) ++counts.at(static_cast<std::size_t>(label)).second;
  return counts;
}

std::optional<double> score(const Prediction& prediction, const ClassNames& classes,
                            const std::optional<Labels>& truth) {
  if (!truth) return std::nullopt;
  return accuracy_percent(prediction.labels, encode_labels(*truth, classes));
}

ordered_json model_json(const Model& model) {
  ordered_json json{{"version", version()},
                    {"method", model.method()},
                    {"options", options_json(model.method(), model.options())},
                    {"preprocessing", model.preprocessing().to_string()},
                    {"dimension", model.dimension()},
                    {"classes", model.classes().all()}};
  if (!model.feature_names().empty()) json["feature_names"] = model.feature_names();
  return json;
}

ordered_json prediction_json(const Prediction& prediction, const ClassNames& classes,
                             const std::optional<double>& accuracy) {
  ordered_json counts = ordered_json::object();
  for (const auto& [name, count] : class_counts(prediction.labels, classes)) counts[name] = count;
  return {{"samples", prediction.labels.size()},
          {"samples_per_class", counts},
          {"mean_confidence", prediction.confidence().mean()},
          {"accuracy", accuracy ? ordered_json(*accuracy) : ordered_json(nullptr)}};
}

ordered_json method_json(const MethodInfo& method) {
  ordered_json options = ordered_json::array();
  for (const OptionSpec& option : method.options) {
    options.push_back({{"name", option.name},
                       {"type", to_string(option.type)},
                       {"default", option_json(option, option.default_value)},
                       {"automatic", option.automatic},
                       {"range", option.range},
                       {"help", option.help}});
    if (!option.choices.empty()) options.back()["choices"] = option.choices;
  }
  return {{"name", method.name},
          {"title", method.title},
          {"summary", method.summary},
          {"reference", method.reference},
          {"options", options}};
}

ordered_json summary_json(const FileSummary& summary) {
  ordered_json json{
      {"format", summary.format}, {"bytes", summary.bytes}, {"variables", ordered_json::array()}};
  for (const VariableSummary& variable : summary.variables) {
    json["variables"].push_back({{"name", variable.name},
                                 {"type", variable.type},
                                 {"shape", variable.shape},
                                 {"minimum", variable.minimum},
                                 {"maximum", variable.maximum},
                                 {"missing", variable.missing}});
  }
  if (!summary.dataset) {
    json["problem"] = summary.problem;
    return json;
  }
  const Domain& domain = summary.dataset->domain;
  json["samples"] = domain.features.count();
  json["features"] = domain.features.dimension();
  json["notes"] = summary.dataset->notes;
  if (domain.labels) {
    json["classes"] = ordered_json::object();
    for (const auto& [name, count] : class_counts(domain.labels->ids, domain.labels->classes)) {
      json["classes"][name] = count;
    }
  }
  return json;
}

}  // namespace isthmus
