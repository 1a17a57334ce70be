#include "isthmus/adapt.h"
#include "core/text.h"

#include <fmt/format.h>

#include <memory>

#include "bench/adaptation_view.h"
#include "bench/json_file.h"
#include "bench/method_spec.h"
#include "bench/results.h"
#include "console.h"
#include "inputs.h"
#include "interrupt.h"
#include "isthmus/version.h"
#include "method_flags.h"
#include "model/report_json.h"
#include "outputs.h"
#include "program.h"
#include "report/report_page.h"

namespace {

struct AdaptFlags : CommonFlags, PairFlags {
  std::string method{isthmus::default_method()};
  std::string preprocess{isthmus::default_preprocessing()};
  MethodFlags options;
  TimeLimitFlag time_limit;
  std::string labels_path, model_path, report_path, page_path;
};

void print_summary(const AdaptFlags& flags, const isthmus::Model& model,
                   const std::optional<double>& accuracy) {
  const isthmus::Report& report = model.report();
  std::string text = fmt::format("{} target samples labelled by {} ({})\n", model.target().labels.size(),
                                 model.method(), to_string(report.status));
  if (accuracy) text += fmt::format("accuracy {:.2f} % against the target's own labels\n", *accuracy);
  for (const std::string& warning : report.warnings) text += fmt::format("warning: {}\n", warning);
  for (const std::string& note : report.notes) text += fmt::format("note: {}\n", note);
  text += fmt::format("labels: {}\n", flags.labels_path);
  if (!flags.model_path.empty()) text += fmt::format("model: {}\n", flags.model_path);
  if (!flags.report_path.empty()) text += fmt::format("report: {}\n", flags.report_path);
  if (!flags.page_path.empty()) text += fmt::format("page: {}\n", flags.page_path);
  print(text);
}

/// The whole result, as `isthmus report` reads it: what was asked for and came out, and what a page draws.
nlohmann::ordered_json adaptation_json(const AdaptFlags& flags, const nlohmann::ordered_json& outcome,
                                       nlohmann::ordered_json view) {
  nlohmann::ordered_json json{{"kind", "adaptation"}};
  json.update(outcome);
  json["inputs"] = {{"source", flags.source},
                    {"source_labels", flags.source_labels},
                    {"target", flags.target},
                    {"target_labels", flags.target_labels},
                    {"id", flags.id},
                    {"drop", flags.drop},
                    {"features", flags.features},
                    {"by_position", flags.by_position},
                    {"seed", flags.seed},
                    {"threads", flags.threads},
                    {"blas", isthmus::blas_description()}};
  json["view"] = std::move(view);
  return json;
}

int run_adapt(const AdaptFlags& flags) {
  Outputs outputs(flags);
  flags.tell(outputs);
  outputs.plan_labels(flags.labels_path);
  for (const std::string& path : {flags.report_path, flags.page_path}) outputs.plan(path);
  outputs.plan_file(flags.model_path);
  isthmus::AdaptRequest request;
  request.method = flags.method;
  request.options = flags.options.values();
  request.preprocessing = isthmus::Preprocessing::parse(flags.preprocess);
  isthmus::require_known_options({request.method, request.options});
  auto [source, target] = read_pair(flags, flags);
  const std::vector<std::string> ids = std::move(target.sample_ids);
  isthmus::DomainPair pair(std::move(source), std::move(target));
  const std::vector<int> truth = pair.target_truth();
  // A report looks at the samples once more; otherwise the fit may have their memory.
  const bool reported = !flags.report_path.empty() || !flags.page_path.empty();
  const std::optional<isthmus::DomainPair> kept = reported ? std::optional(pair) : std::nullopt;

  const auto progress = std::make_shared<Progress>(flags);
  isthmus::Context context = make_context(flags, progress);
  context.deadline = flags.time_limit.deadline();
  const isthmus::Model model = isthmus::adapt(std::move(pair), request, context);
  progress->clear();
  std::optional<double> accuracy;
  if (!truth.empty()) accuracy = isthmus::accuracy_percent(model.target().labels, truth);

  nlohmann::ordered_json json = isthmus::model_json(model);
  json["target"] = isthmus::prediction_json(model.target(), model.classes(), accuracy);
  json["report"] = isthmus::to_json(model.report());
  outputs.set(flags.labels_path, isthmus::labels_csv(model.target(), model.classes(), ids,
                                                     isthmus::separator_for(flags.labels_path)));
  if (kept) {
    const nlohmann::ordered_json result =
        adaptation_json(flags, json, isthmus::adaptation_view(*kept, model, context.unstoppable()));
    outputs.set(flags.report_path, isthmus::json_text(result) + "\n");
    if (!flags.page_path.empty()) outputs.set(flags.page_path, isthmus::report_page(result));
  }
  outputs.set(flags.model_path, [&](const auto& path) { model.save(path); });
  outputs.commit();
  if (flags.json) {
    json["outputs"] = {{"labels", flags.labels_path},
                       {"model", flags.model_path},
                       {"report", flags.report_path},
                       {"page", flags.page_path}};
    print_json(json);
  } else if (!flags.quiet) {
    print_summary(flags, model, accuracy);
  }
  return interrupted() ? kInterrupted : kOk;
}

}  // namespace

void add_adapt(Program& program) {
  const auto flags = std::make_shared<AdaptFlags>();
  CLI::App& command = program.add_command(
      program.root(), "adapt", "Label the target's samples from a labelled source",
      "isthmus adapt --source amazon.csv --target webcam.csv --method pca --components 20 -o labels.csv",
      *flags, [flags] { return run_adapt(*flags); });
  flags->add_pair(command, "for an accuracy line only");
  command.add_option("--method", flags->method, "See `isthmus methods`")
      ->type_name("METHOD")
      ->capture_default_str();
  command
      .add_option("--preprocess", flags->preprocess,
                  "Steps such as l2 or sum,zscore,l2; none; auto: chosen from the features")
      ->type_name("STEPS")
      ->capture_default_str();
  flags->options.add_to(command);
  flags->time_limit.add_to(command);
  command
      .add_option("-o,--output", flags->labels_path, "Labels: sample,label,confidence; -: to standard output")
      ->required()
      ->type_name("FILE");
  command.add_option("--model", flags->model_path, "Also keep the model (.safetensors)")->type_name("FILE");
  command.add_option("--report", flags->report_path, "Also write what the fit did (JSON)")->type_name("FILE");
  command.add_option("--html", flags->page_path, "Also write it as a page with charts")->type_name("FILE");
}
