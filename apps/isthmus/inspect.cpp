#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "bench/results.h"
#include "bench/sample_names.h"
#include "bench/text_table.h"
#include "console.h"
#include "inputs.h"
#include "isthmus/data.h"
#include "isthmus/errors.h"
#include "isthmus/model.h"
#include "isthmus/options.h"
#include "model/format.h"
#include "program.h"

namespace {

using nlohmann::ordered_json;

struct InspectFlags : CommonFlags, ColumnFlags {
  std::string file, labels;
};

std::string describe(const std::string& path, const isthmus::FileSummary& summary) {
  using enum isthmus::TextTable::Align;
  std::string text = fmt::format("{}: {}, {} bytes\n\n", path, summary.format, summary.bytes);
  if (summary.variables.empty()) return text;
  isthmus::TextTable variables({"variable", "type", "shape", "minimum", "maximum", "missing"}, {Left, Left});
  for (const isthmus::VariableSummary& variable : summary.variables) {
    variables.add_row({variable.name, variable.type, fmt::format("{}", fmt::join(variable.shape, "×")),
                       fmt::format("{:.6g}", variable.minimum), fmt::format("{:.6g}", variable.maximum),
                       fmt::to_string(variable.missing)});
  }
  text += variables.to_string() + "\n";
  if (!summary.dataset) return text;
  const isthmus::Domain& domain = summary.dataset->domain;
  text += fmt::format("{} samples, {} features\n", domain.features.count(), domain.features.dimension());
  for (const std::string& note : summary.dataset->notes) text += fmt::format("{}\n", note);
  if (!domain.labels) return text + "no labels\n";
  isthmus::TextTable classes({"class", "samples"}, {Left});
  for (const auto& [name, count] : isthmus::class_counts(domain.labels->ids, domain.labels->classes)) {
    classes.add_row({name, fmt::to_string(count)});
  }
  return text + "\n" + classes.to_string();
}

/// A value of the JSON below in one line.
std::string one_line(const ordered_json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_null()) return std::string(isthmus::kAutomatic);
  if (!value.is_structured()) return value.dump();
  constexpr std::size_t kMostShown = 16;
  std::vector<std::string> words;
  for (const auto& [key, item] : value.items()) {
    words.push_back(value.is_object() ? fmt::format("{} = {}", key, one_line(item)) : one_line(item));
  }
  const std::size_t count = words.size();
  words.resize(std::min(count, kMostShown));
  const std::string all = fmt::format("{}", fmt::join(words, ", "));
  const std::string more = count > kMostShown ? fmt::format(", … ({} more)", count - kMostShown) : "";
  return all.empty() ? "none" : all + more;
}

/// What a model is, not the tensors it is made of.
int inspect_model(const InspectFlags& flags, const std::string& path) {
  const isthmus::Model model = isthmus::Model::load(path);
  ordered_json json{{"format", "isthmus model"}, {"bytes", std::filesystem::file_size(path)}};
  json.update(isthmus::model_json(model));
  json.erase("version");  // the program's, not that of who fitted it
  json["fitted_samples"] = model.target().labels.size();
  if (flags.json) {
    print_json(json);
    return kOk;
  }
  using enum isthmus::TextTable::Align;
  isthmus::TextTable table({"what", "value"}, {Left, Left});
  for (const auto& [key, value] : json.items()) {
    if (key != "format" && key != "bytes") table.add_row({key, one_line(value)});
  }
  print(fmt::format("{}: Isthmus model, {} bytes\n\n{}", path, json["bytes"].dump(), table.to_string()));
  return kOk;
}

/// True where one of the variables can be read once it is named.
bool has_a_usable_variable(const std::string& path, const isthmus::FileSummary& summary,
                           isthmus::ReadOptions options) {
  return std::any_of(summary.variables.begin(), summary.variables.end(), [&](const auto& variable) {
    options.features = variable.name;
    options.without_labels = true;
    try {
      isthmus::read_dataset(path, options);
      return true;
    } catch (const isthmus::Error&) {
      return false;
    }
  });
}

int run_inspect(const InspectFlags& flags) {
  const isthmus::FileArgument from = isthmus::split_variable(flags.file);
  if (from.variable.empty() && isthmus::is_model_file(from.path)) return inspect_model(flags, from.path);
  isthmus::ReadOptions options = flags.read_options();
  options.features = from.variable;
  options.without_labels = flags.labels == "none";
  if (!options.without_labels) options.labels = flags.labels;
  const isthmus::FileSummary summary = isthmus::inspect_file(from.path, options);
  if (flags.json) {
    print_json(isthmus::summary_json(summary));
  } else {
    print(describe(from.path, summary));
  }
  if (summary.dataset) return kOk;
  const bool only_unnamed = from.variable.empty() && flags.labels.empty();
  if (only_unnamed && has_a_usable_variable(from.path, summary, options)) {
    print_note(fmt::format("cannot be read as samples yet: {}", summary.problem), flags);
    return kOk;
  }
  print_error(summary.problem);
  return kBadInput;
}

}  // namespace

void add_inspect(Program& program) {
  const auto flags = std::make_shared<InspectFlags>();
  CLI::App& command = program.add_command(
      program.root(), "inspect", "Tell what a file or a model holds: shapes, classes, options",
      "isthmus inspect features.mat", *flags, [flags] { return run_inspect(*flags); });
  command
      .add_option("file", flags->file,
                  "Samples in any format, or a model; FILE:VARIABLE for one variable of it")
      ->required()
      ->type_name("FILE");
  command
      .add_option("--labels", flags->labels,
                  "Column or variable with the labels; detected if not given; 'none': it has none")
      ->type_name("NAME|NUMBER");
  flags->add_columns(command);
}
