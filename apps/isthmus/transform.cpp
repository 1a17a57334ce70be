#include <fmt/format.h>

#include <memory>

#include "console.h"
#include "inputs.h"
#include "io/formats.h"
#include "isthmus/model.h"
#include "outputs.h"
#include "program.h"

namespace {

struct TransformFlags : CommonFlags, ColumnFlags {
  std::string model, input, labels, output;
  std::string side = "target";
};

int run_transform(const TransformFlags& flags) {
  Outputs outputs(flags);
  outputs.reads(flags.model);
  outputs.reads_samples(flags.input, flags.labels);
  outputs.plan(flags.output);
  const isthmus::Model model = isthmus::Model::load(flags.model);
  isthmus::Domain samples = read_samples_for(model, flags.input, flags.labels, flags, flags);
  const isthmus::Side side = flags.side == "source" ? isthmus::Side::Source : isthmus::Side::Target;
  const isthmus::Context context = make_context(flags, std::make_shared<Progress>(flags));
  const isthmus::Domain embedded{model.transform(samples.features, side, context),
                                 std::move(samples.labels),
                                 {},
                                 std::move(samples.sample_ids)};
  if (flags.output == kStandardStream) {
    outputs.set(flags.output, isthmus::csv_text(embedded));
  } else {
    outputs.set(flags.output, [&](const auto& path) { isthmus::write_dataset(path, embedded); });
  }
  outputs.commit();
  if (flags.json) {
    print_json({{"method", model.method()},
                {"side", flags.side},
                {"samples", embedded.features.count()},
                {"features", embedded.features.dimension()},
                {"outputs", {{"samples", flags.output}}}});
  } else if (!flags.quiet) {
    print(fmt::format("{} samples in {} dimensions: {}\n", embedded.features.count(),
                      embedded.features.dimension(), flags.output));
  }
  return kOk;
}

}  // namespace

void add_transform(Program& program) {
  const auto flags = std::make_shared<TransformFlags>();
  CLI::App& command =
      program.add_command(program.root(), "transform", "Embed samples in a model's joint subspace",
                          "isthmus transform --model model.safetensors --input new.csv -o embedded.npy",
                          *flags, [flags] { return run_transform(*flags); });
  command.add_option("--model", flags->model, "Model written by adapt --model or select --model")
      ->required()
      ->type_name("FILE");
  command.add_option("--input", flags->input, fmt::format("Samples: {}", kSamplesHelp))
      ->required()
      ->type_name("FILE");
  command
      .add_option(
          "--labels", flags->labels,
          "Column, variable or FILE with labels to carry along; detected if not given; 'none': it has none")
      ->type_name("NAME|NUMBER|FILE");
  flags->add_matching(command);
  command.add_option("--side", flags->side, "Domain the samples belong to")
      ->type_name("source|target")
      ->check(CLI::IsMember({"source", "target"}).description(""))
      ->capture_default_str();
  command
      .add_option("-o,--output", flags->output,
                  "Embedded samples by rows: .csv, .tsv, .npy or .safetensors; -: CSV to standard output")
      ->required()
      ->type_name("FILE");
}
