#include <fmt/format.h>

#include <memory>

#include "bench/json_file.h"
#include "bench/method_spec.h"
#include "bench/selection_bench.h"
#include "console.h"
#include "data_folder.h"
#include "interrupt.h"
#include "outputs.h"
#include "program.h"

namespace {

struct SelectionBenchFlags : CommonFlags {
  std::string data, tasks, out;
};

int run_bench_selection(const SelectionBenchFlags& flags) {
  const std::vector<isthmus::Table1Task> tasks = isthmus::select_tasks(flags.tasks);
  require_data_folder(flags.data);
  Outputs outputs(flags);
  for (const isthmus::Table1Task& task : tasks) {
    for (const auto& file : {task.source.file, task.target.file}) {
      outputs.reads((std::filesystem::path(flags.data) / file).string());
    }
  }
  outputs.plan(flags.out);

  const auto progress = std::make_shared<Progress>(flags);
  const isthmus::Context context = make_context(flags, progress);
  const std::vector<isthmus::JudgedTask> judged = run_selection_bench(
      flags.data, tasks, context,
      [&](const isthmus::Table1Task& task, const isthmus::AdaptRequest& candidate, int number, int count) {
        const isthmus::MethodSpec method{candidate.method, candidate.options};
        progress->stage(fmt::format("{} {}", task.name, method.text()), number, count);
      });
  progress->clear();
  for (const isthmus::JudgedTask& task : judged) {
    for (const std::string& problem : task.problems) {
      print_note(fmt::format("{}: {}", task.task.name, problem), flags);
    }
  }
  if (judged.empty()) return kInterrupted;
  const nlohmann::ordered_json json = selection_bench_json(judged, context);
  outputs.set(flags.out, isthmus::json_text(json, 2) + "\n");
  outputs.commit();
  flags.json ? print_json(json) : print(selection_bench_text(judged));
  return interrupted() ? kInterrupted : kOk;
}

}  // namespace

void add_bench_selection(Program& program, CLI::App& group) {
  const auto flags = std::make_shared<SelectionBenchFlags>();
  CLI::App& command =
      program.add_command(group, "selection", "How well each label-free score chooses on the 16 tasks",
                          R"(isthmus bench selection --data data --tasks "coil,W->D" --out selection.json)",
                          *flags, [flags] { return run_bench_selection(*flags); });
  add_data_flag(command, flags->data);
  command
      .add_option("--tasks", flags->tasks,
                  "Tasks or families by comma: C->A,W->D or digits; all if not given")
      ->type_name("TASKS");
  command.add_option("--out", flags->out, "Everything as JSON")->type_name("FILE");
}
