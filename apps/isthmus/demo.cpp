#include "bench/demo_run.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "bench/results.h"
#include "console.h"
#include "inputs.h"
#include "interrupt.h"
#include "isthmus/data.h"
#include "isthmus/errors.h"
#include "outputs.h"
#include "program.h"

namespace {

struct DemoFlags : CommonFlags {
  std::string folder = "isthmus-demo";
  std::string methods;
  isthmus::DemoOptions size;
  std::string data_folder;
};

std::filesystem::path make_folder(const std::string& name) {
  std::error_code error;
  std::filesystem::create_directories(name, error);
  if (error) throw isthmus::IoError(fmt::format("{}: cannot make the folder: {}", name, error.message()));
  return name;
}

int write_data(const DemoFlags& flags, const isthmus::DomainPair& pair) {
  const std::filesystem::path folder = make_folder(flags.data_folder);
  const std::string source = (folder / "source.csv").string();
  const std::string target = (folder / "target.csv").string();
  Outputs outputs(flags);
  outputs.plan_file(source);
  outputs.plan_file(target);
  isthmus::write_dataset(source, {pair.source(), {{pair.classes(), pair.source_labels()}}});
  isthmus::write_dataset(target, {pair.target(), {{pair.classes(), pair.target_truth()}}});
  if (flags.json) {
    print_json({{"source", source}, {"target", target}});
  } else if (!flags.quiet) {
    print(fmt::format("source: {}\ntarget: {}\n", source, target));
  }
  return kOk;
}

int run_demo_command(const DemoFlags& flags) {
  isthmus::DemoOptions size = flags.size;
  size.seed = flags.seed;
  const isthmus::DomainPair pair = isthmus::make_demo(size, flags.threads);
  if (!flags.data_folder.empty()) return write_data(flags, pair);
  const std::vector<isthmus::MethodSpec> methods =
      flags.methods.empty() ? isthmus::demo_methods() : isthmus::parse_method_list(flags.methods);
  const std::filesystem::path folder = make_folder(flags.folder);
  const std::filesystem::path labels_path = folder / "labels.csv";
  const std::filesystem::path model_path = folder / "model.safetensors";
  Outputs outputs(flags);
  outputs.plan_file(labels_path);
  outputs.plan_file(model_path);
  if (!flags.quiet && !flags.json) {
    print(fmt::format(
        "Digit glyphs, {} labelled (source) and {} of another style (target), {} features, {} classes\n\n",
        pair.source_count(), pair.target_count(), pair.dimension(), pair.class_count()));
    flush_output();
  }

  const auto progress = std::make_shared<Progress>(flags);
  const isthmus::DemoResult result = run_demo(pair, methods, make_context(flags, progress),
                                              [&](const isthmus::MethodSpec& method, int number, int count) {
                                                progress->stage(method.text(), number, count);
                                              });
  progress->clear();
  if (result.rows.empty()) throw isthmus::Cancelled();
  nlohmann::ordered_json json{{"methods", isthmus::demo_json(result.rows)}};
  std::string where;
  if (result.model) {
    const isthmus::Model& model = *result.model;
    outputs.set(labels_path, isthmus::labels_csv(model.target(), model.classes()));
    outputs.set(model_path, [&](const auto& path) { model.save(path); });
    outputs.commit();
    where = fmt::format("\npredictions of {}: {}\nmodel of {}: {}\n", model.method(), labels_path.string(),
                        model.method(), model_path.string());
    json["written"] = {{"method", model.method()}, {"labels", labels_path}, {"model", model_path}};
  }
  flags.json ? print_json(json) : print(isthmus::demo_text(result.rows) + where);
  return interrupted() ? kInterrupted : kOk;
}

}  // namespace

void add_demo(Program& program) {
  const auto flags = std::make_shared<DemoFlags>();
  CLI::App& command = program.add_command(
      program.root(), "demo", "Adapt between two built-in styles of digits and compare the methods",
      "isthmus demo --source-count 2000 --out demo", *flags, [flags] { return run_demo_command(*flags); });
  command.add_option("--out", flags->folder, "Folder for predictions and model")
      ->type_name("FOLDER")
      ->capture_default_str();
  command
      .add_option("--methods", flags->methods, "Methods to run, such as nn,pca; the fast ones if not given")
      ->type_name("METHODS");
  add_demo_size(command, flags->size);
  command
      .add_option("--write-data", flags->data_folder, "Only write the data there: source.csv and target.csv")
      ->type_name("FOLDER");
}
