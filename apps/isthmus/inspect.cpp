#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "console.h"
#include "eval/results.h"
#include "eval/samples.h"
#include "eval/text_table.h"
#include "isthmus/data.h"
#include "program.h"

namespace {

struct InspectFlags : CommonFlags {
  std::string file, labels;
};

std::string describe(const std::string& path, const isthmus::FileSummary& summary) {
  using enum isthmus::TextTable::Align;
  std::string text = fmt::format("{}: {}, {} bytes\n\n", path, summary.format, summary.bytes);
  isthmus::TextTable variables({"variable", "type", "shape", "minimum", "maximum", "missing"}, {Left, Left});
  for (const isthmus::VariableSummary& variable : summary.variables) {
    variables.add_row({variable.name, variable.type, fmt::format("{}", fmt::join(variable.shape, "×")),
                       fmt::format("{:.6g}", variable.minimum), fmt::format("{:.6g}", variable.maximum),
                       fmt::to_string(variable.missing)});
  }
  text += variables.to_string() + "\n";
  if (!summary.dataset) return text + fmt::format("cannot be read as samples: {}\n", summary.problem);
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

int run_inspect(const InspectFlags& flags) {
  const isthmus::FileArgument from = isthmus::split_variable(flags.file);
  isthmus::ReadOptions options;
  options.features = from.variable;
  options.without_labels = flags.labels == "none";
  if (!options.without_labels) options.labels = flags.labels;
  const isthmus::FileSummary summary = isthmus::inspect_file(from.path, options);
  if (flags.json) {
    print_json(isthmus::summary_json(summary));
  } else {
    print(describe(from.path, summary));
  }
  return kOk;
}

}  // namespace

void add_inspect(Program& program) {
  const auto flags = std::make_shared<InspectFlags>();
  CLI::App& command = program.add_command(
      program.root(), "inspect", "Tell what a file holds: shapes, classes, missing values",
      "isthmus inspect features.mat", *flags, [flags] { return run_inspect(*flags); });
  command.add_option("file", flags->file, "FILE or FILE:VARIABLE")->required()->type_name("FILE");
  command.add_option("--labels", flags->labels, "Column or variable with the labels; 'none': it has none")
      ->type_name("NAME|NUMBER");
}
