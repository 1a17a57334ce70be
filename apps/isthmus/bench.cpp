#include <fmt/format.h>

#include <memory>

#include "console.h"
#include "data_folder.h"
#include "eval/table1_output.h"
#include "eval/table1_run.h"
#include "interrupt.h"
#include "isthmus/adapt.h"
#include "outputs.h"
#include "program.h"

namespace {

struct Table1Flags : CommonFlags {
  std::string data, methods, tasks, csv, out;
  bool show_settings = false;
};

/// What --methods names; every registered method without it.
std::vector<isthmus::MethodSpec> chosen_methods(const std::string& list) {
  if (!list.empty()) return isthmus::parse_method_list(list);
  std::vector<isthmus::MethodSpec> all;
  for (const isthmus::MethodInfo& method : isthmus::methods()) all.push_back({std::string(method.name), {}});
  return all;
}

int show_settings(const Table1Flags& flags) {
  std::vector<std::string> names;
  for (const isthmus::MethodSpec& method : chosen_methods(flags.methods)) names.push_back(method.name);
  const auto lines = isthmus::table1_setting_lines(names);
  flags.json ? print_json(isthmus::settings_json(lines)) : print(isthmus::settings_text(lines));
  return kOk;
}

int run_table1_command(const Table1Flags& flags) {
  if (flags.show_settings) return show_settings(flags);
  isthmus::Table1Request request;
  request.methods = chosen_methods(flags.methods);
  request.tasks = isthmus::select_tasks(flags.tasks);
  request.data = flags.data;
  require_data_folder(flags.data);
  Outputs outputs;
  outputs.plan(flags.csv);
  outputs.plan(flags.out);

  const auto progress = std::make_shared<Progress>(flags);
  const isthmus::Context context = make_context(flags, progress);
  isthmus::Table1Progress watch;
  watch.on_start = [&](const isthmus::Table1Cell& cell, int number, int count) {
    progress->stage(fmt::format("{} {}", cell.task.name, cell.method.text()), number, count);
  };
  const std::vector<isthmus::Table1Cell> cells = run_table1(request, context, watch);
  progress->clear();

  const nlohmann::ordered_json json = table1_json(cells, context);
  outputs.set(flags.csv, table1_csv(cells));
  outputs.set(flags.out, json.dump(2) + "\n");
  outputs.commit();
  flags.json ? print_json(json) : print(table1_text(cells, output_width()));
  if (interrupted()) return kInterrupted;
  int code = kOk;
  for (const isthmus::Table1Cell& cell : cells) {
    if (cell.status != "failed") continue;
    print_error(fmt::format("{} on {}: {}", cell.method.text(), cell.task.name, cell.problem));
    code = kFailure;
  }
  return code;
}

}  // namespace

void add_bench(Program& program) {
  CLI::App& group = program.add_group("bench", "Run a suite of published results",
                                      "isthmus bench table1 --data data --methods nn,pca");
  const auto flags = std::make_shared<Table1Flags>();
  CLI::App& command = program.add_command(
      group, "table1", "The 16 tasks of Table 1: ours beside published",
      R"(isthmus bench table1 --data data --methods "nn,pca:components=50" --tasks "C->A,coil" --csv cells.csv)",
      *flags, [flags] { return run_table1_command(*flags); });
  add_data_flag(command, flags->data);
  command
      .add_option("--methods", flags->methods,
                  "Methods by comma, each with options if wanted: jda,pca:components=50; all if not said")
      ->type_name("METHODS");
  command
      .add_option("--tasks", flags->tasks, "Tasks or families by comma: C->A,W->D or digits; all if not said")
      ->type_name("TASKS");
  command.add_option("--csv", flags->csv, "One row a cell")->type_name("FILE");
  command.add_option("--out", flags->out, "Everything as JSON")->type_name("FILE");
  command.add_flag("--show-settings", flags->show_settings,
                   "Show the preparation and options of each method and family, and run nothing");
  add_bench_selection(program, group);
}
