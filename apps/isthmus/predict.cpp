#include <fmt/format.h>

#include <memory>

#include "bench/results.h"
#include "console.h"
#include "core/text.h"
#include "inputs.h"
#include "isthmus/model.h"
#include "outputs.h"
#include "program.h"

namespace {

struct PredictFlags : CommonFlags, ColumnFlags {
  std::string model, input, labels, output;
};

int run_predict(const PredictFlags& flags) {
  Outputs outputs(flags);
  outputs.reads(flags.model);
  outputs.reads_samples(flags.input, flags.labels);
  outputs.plan_labels(flags.output);
  const isthmus::Model model = isthmus::Model::load(flags.model);
  const isthmus::Domain samples = read_samples_for(model, flags.input, flags.labels, flags, flags);
  const auto progress = std::make_shared<Progress>(flags);
  const isthmus::Prediction prediction = model.predict(samples.features, make_context(flags, progress));
  const std::optional<double> accuracy = isthmus::score(prediction, model.classes(), samples.labels);
  outputs.set(flags.output, isthmus::labels_csv(prediction, model.classes(), samples.sample_ids,
                                                isthmus::separator_for(flags.output)));
  outputs.commit();
  if (flags.json) {
    nlohmann::ordered_json json = isthmus::model_json(model);
    json["prediction"] = isthmus::prediction_json(prediction, model.classes(), accuracy);
    json["outputs"] = {{"labels", flags.output}};
    print_json(json);
  } else if (!flags.quiet) {
    print(fmt::format("{} samples labelled by {}\n", prediction.labels.size(), model.method()));
    if (accuracy) print(fmt::format("accuracy {:.2f} % against the file's own labels\n", *accuracy));
    print(fmt::format("labels: {}\n", flags.output));
  }
  return kOk;
}

}  // namespace

void add_predict(Program& program) {
  const auto flags = std::make_shared<PredictFlags>();
  CLI::App& command =
      program.add_command(program.root(), "predict", "Label new samples with a model kept by adapt or select",
                          "isthmus predict --model model.safetensors --input new.csv -o labels.csv", *flags,
                          [flags] { return run_predict(*flags); });
  command.add_option("--model", flags->model, "Model written by adapt --model or select --model")
      ->required()
      ->type_name("FILE");
  command.add_option("--input", flags->input, fmt::format("Samples of the target's kind: {}", kSamplesHelp))
      ->required()
      ->type_name("FILE");
  command
      .add_option("--labels", flags->labels,
                  "Column, variable or FILE with true labels, for an accuracy line only; detected if not "
                  "given; 'none': it has none")
      ->type_name("NAME|NUMBER|FILE");
  flags->add_matching(command);
  command.add_option("-o,--output", flags->output, "Labels: sample,label,confidence; -: to standard output")
      ->required()
      ->type_name("FILE");
}
