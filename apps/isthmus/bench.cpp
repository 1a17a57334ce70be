#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "bench/demo_run.h"
#include "bench/json_file.h"
#include "bench/suite_compare.h"
#include "bench/suite_output.h"
#include "bench/suite_run.h"
#include "bench/table1_settings.h"
#include "console.h"
#include "data_folder.h"
#include "inputs.h"
#include "interrupt.h"
#include "isthmus/adapt.h"
#include "isthmus/errors.h"
#include "outputs.h"
#include "program.h"
#include "report/report_page.h"

namespace {

/// What running any suite takes.
struct SuiteFlags : CommonFlags {
  isthmus::SuiteRunOptions run;
  std::vector<std::uint64_t> seeds;
  std::string log, csv, out, html;

  void add_to(CLI::App& command) {
    command.add_option("--seeds", seeds, "Seeds to repeat every cell with, by comma; --seed if not given")
        ->type_name("LIST")
        ->delimiter(',')
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    command
        .add_option("--log", log,
                    "Keep finished cells there as they come; started again, go on with the rest")
        ->type_name("FILE");
    command.add_flag("--retry", run.retry, "Run again what the log holds as failed or timed out");
    command.add_option("--jobs", run.jobs, "Cells at a time; they share the threads")
        ->type_name("N")
        ->check(CLI::Range(1, 4096).description(""))
        ->capture_default_str();
    command.add_option("--time-limit", run.seconds_a_cell, "End a cell after that many seconds; 0: never")
        ->type_name("SECONDS")
        ->check(CLI::NonNegativeNumber.description(""))
        ->capture_default_str();
    command.add_option("--csv", csv, "One row a cell")->type_name("FILE");
    command.add_option("--out", out, "Everything as JSON")->type_name("FILE");
    command.add_option("--html", html, "Everything as a page with charts")->type_name("FILE");
  }

  std::vector<std::uint64_t> all_seeds() const {
    if (std::set<std::uint64_t>(seeds.begin(), seeds.end()).size() < seeds.size()) {
      throw isthmus::InvalidArgument("--seeds names a seed twice; the same seed gives the same result");
    }
    return seeds.empty() ? std::vector<std::uint64_t>{seed} : seeds;
  }
};

struct Table1Flags : SuiteFlags {
  std::string data, methods, tasks;
  bool show_settings = false;
};

struct DemoSuiteFlags : SuiteFlags {
  isthmus::DemoOptions size;
  std::string methods;
};

struct FieldsFlags : SuiteFlags {
  std::string data, methods, tasks;
};

struct ListingFlags : SuiteFlags {
  std::string listing, methods;
};

struct CompareFlags : CommonFlags {
  std::string before, after;
  double most_lost = -1;
};

/// What --methods names, each once; `otherwise` without it.
std::vector<isthmus::MethodSpec> chosen_methods(const std::string& list,
                                                std::vector<isthmus::MethodSpec> otherwise) {
  if (list.empty()) return otherwise;
  std::vector<isthmus::MethodSpec> chosen;
  for (isthmus::MethodSpec& method : isthmus::parse_method_list(list)) {
    const auto same = [&](const isthmus::MethodSpec& other) { return other.text() == method.text(); };
    if (std::none_of(chosen.begin(), chosen.end(), same)) chosen.push_back(std::move(method));
  }
  return chosen;
}

std::vector<isthmus::MethodSpec> every_method() {
  std::vector<isthmus::MethodSpec> all;
  for (const isthmus::MethodInfo& method : isthmus::methods()) all.push_back({std::string(method.name), {}});
  return all;
}

int show_settings(const Table1Flags& flags) {
  std::vector<std::string> names;
  for (const isthmus::MethodSpec& method : chosen_methods(flags.methods, every_method())) {
    names.push_back(method.name);
  }
  const auto lines = isthmus::table1_setting_lines(names);
  flags.json ? print_json(isthmus::settings_json(lines)) : print(isthmus::settings_text(lines));
  return kOk;
}

/// Every file of the suite's tasks.
std::set<std::string> files_of(const isthmus::Suite& suite) {
  const std::filesystem::path folder = suite.folder.empty() ? "." : suite.folder;
  std::set<std::string> tasks;
  std::set<std::string> files;
  for (const isthmus::SuiteCell& cell : suite.cells) {
    if (cell.task.demo || !tasks.insert(cell.task.name).second) continue;
    for (const isthmus::SamplesName& samples : {cell.task.source, cell.task.target}) {
      for (std::string& file : isthmus::sample_files(samples, folder)) files.insert(std::move(file));
    }
  }
  return files;
}

int run_suite_command(const SuiteFlags& flags, const isthmus::Suite& suite, const std::string& listing = "") {
  Outputs outputs(flags);
  if (!listing.empty()) outputs.reads(listing);
  for (const std::string& file : files_of(suite)) outputs.reads(file);
  outputs.plan_file(flags.log);
  for (const std::string& path : {flags.csv, flags.out, flags.html}) outputs.plan(path);
  isthmus::SuiteRunOptions options = flags.run;
  options.log = flags.log;

  const auto progress = std::make_shared<Progress>(flags);
  const isthmus::Context context = make_context(flags, progress);
  bool started = false;
  isthmus::SuiteProgress watch;
  watch.on_start = [&](const isthmus::SuiteCell& cell, int number, int count) {
    if (!std::exchange(started, true) && number > 1) {
      print_note(fmt::format("{}: {} of {} cells are done already", flags.log, number - 1, count), flags);
    }
    progress->stage(fmt::format("{} {}", cell.task.name, cell.title()), number, count);
  };
  const std::vector<isthmus::SuiteCell> cells = run_suite(suite, options, context, watch);
  progress->clear();

  const nlohmann::ordered_json json = suite_json(suite.name, cells, context);
  outputs.set(flags.csv, suite_csv(suite.name, cells));
  outputs.set(flags.out, isthmus::json_text(json, 2) + "\n");
  if (!flags.html.empty()) outputs.set(flags.html, isthmus::report_page(json));
  outputs.commit();
  flags.json ? print_json(json) : print(suite_text(cells, output_width()));
  if (interrupted()) return kInterrupted;
  int code = kOk;
  for (const isthmus::SuiteCell& cell : cells) {
    if (cell.status == "ok") continue;
    print_error(fmt::format("{} on {}: {}", cell.title(), cell.task.name, cell.problem));
    code = kFailure;
  }
  return code;
}

int run_table1(const Table1Flags& flags) {
  if (flags.show_settings) return show_settings(flags);
  const std::vector<isthmus::MethodSpec> methods = chosen_methods(flags.methods, every_method());
  const std::vector<isthmus::Table1Task> tasks = isthmus::select_tasks(flags.tasks);
  require_data_folder(flags.data);
  return run_suite_command(flags, isthmus::table1_suite(flags.data, tasks, methods, flags.all_seeds()));
}

int run_demo_suite(const DemoSuiteFlags& flags) {
  const auto methods = chosen_methods(flags.methods, isthmus::demo_methods());
  return run_suite_command(flags, isthmus::demo_suite(flags.size, methods, flags.all_seeds()));
}

/// What was asked for behind the floors that every table of fields shows.
std::vector<isthmus::MethodSpec> with_floors(std::vector<isthmus::MethodSpec> methods) {
  std::vector<isthmus::MethodSpec> all;
  for (const std::string& name : isthmus::source_only_methods()) all.push_back({name, {}});
  for (isthmus::MethodSpec& method : methods) {
    const auto same = [&](const isthmus::MethodSpec& other) { return other.text() == method.text(); };
    if (std::none_of(all.begin(), all.end(), same)) all.push_back(std::move(method));
  }
  return all;
}

int run_fields(const FieldsFlags& flags) {
  const auto methods =
      with_floors(chosen_methods(flags.methods, isthmus::parse_method_list("sa,coral,jda,rsa-cdda")));
  if (flags.data.empty()) {
    throw isthmus::InvalidArgument(
        "the folder of the fields is not said; give --data FOLDER, which holds suite.json and the files that "
        "it names, or set ISTHMUS_FIELDS");
  }
  const std::filesystem::path listing = std::filesystem::path(flags.data) / "suite.json";
  isthmus::Suite suite = isthmus::read_suite(listing, flags.all_seeds(), methods);
  keep_tasks(suite, flags.tasks);
  return run_suite_command(flags, suite, listing.string());
}

int run_listing(const ListingFlags& flags) {
  return run_suite_command(
      flags, isthmus::read_suite(flags.listing, flags.all_seeds(), chosen_methods(flags.methods, {})),
      flags.listing);
}

int run_compare(const CompareFlags& flags) {
  const isthmus::SuiteChanges changes =
      isthmus::compare_suites(isthmus::read_json_object(flags.before, "benchmark result"),
                              isthmus::read_json_object(flags.after, "benchmark result"));
  flags.json ? print_json(changes_json(changes)) : print(changes_text(changes));
  if (flags.most_lost < 0) return kOk;
  const bool lost = std::any_of(changes.cells.begin(), changes.cells.end(), [&](const auto& cell) {
    return cell.accuracy_before && (!cell.accuracy_after || *cell.gain() < -flags.most_lost);
  });
  if (lost) print_error(fmt::format("a cell lost more than {} points", flags.most_lost));
  return lost ? kFailure : kOk;
}

void add_table1(Program& program, CLI::App& group) {
  const auto flags = std::make_shared<Table1Flags>();
  CLI::App& command = program.add_command(
      group, "table1", "The 16 tasks of Table 1: ours beside published",
      R"(isthmus bench table1 --data data --methods "nn,pca:components=50" --tasks "C->A,coil" --log cells.jsonl)",
      *flags, [flags] { return run_table1(*flags); });
  add_data_flag(command, flags->data);
  command
      .add_option("--methods", flags->methods,
                  "Methods by comma, each with options if wanted: jda,pca:components=50; all if not given")
      ->type_name("METHODS");
  command
      .add_option("--tasks", flags->tasks,
                  "Tasks or families by comma: C->A,W->D or digits; all if not given")
      ->type_name("TASKS");
  flags->add_to(command);
  command.add_flag("--show-settings", flags->show_settings,
                   "Show the preparation and options of each method and family, and run nothing");
}

void add_demo_suite(Program& program, CLI::App& group) {
  const auto flags = std::make_shared<DemoSuiteFlags>();
  CLI::App& command = program.add_command(
      group, "demo", "The built-in digits, drawn anew by each seed",
      "isthmus bench demo --methods nn,pca,jda --seeds 0,1,2,3,4 --jobs 2 --out demo.json", *flags,
      [flags] { return run_demo_suite(*flags); });
  command
      .add_option("--methods", flags->methods,
                  "Methods by comma, each with options if wanted; the fast ones if not given")
      ->type_name("METHODS");
  add_demo_size(command, flags->size);
  flags->add_to(command);
}

void add_fields(Program& program, CLI::App& group) {
  const auto flags = std::make_shared<FieldsFlags>();
  CLI::App& command = program.add_command(
      group, "fields", "Data of several kinds, beside what not adapting gives",
      "isthmus bench fields --data fields --methods jda,rsa-cdda --tasks gas,pbmc --log cells.jsonl", *flags,
      [flags] { return run_fields(*flags); });
  add_data_flag(command, flags->data, "Folder with suite.json and the files that it names", "ISTHMUS_FIELDS");
  command
      .add_option("--methods", flags->methods,
                  "Methods by comma, each with options if wanted, behind nn and logistic; sa, coral, jda and "
                  "rsa-cdda if not given")
      ->type_name("METHODS");
  command.add_option("--tasks", flags->tasks, "Tasks or fields by comma; all if not given")
      ->type_name("TASKS");
  flags->add_to(command);
}

void add_listing(Program& program, CLI::App& group) {
  const auto flags = std::make_shared<ListingFlags>();
  CLI::App& command =
      program.add_command(group, "run", "Your own suite: a JSON file that lists tasks, methods and seeds",
                          "isthmus bench run suite.json --log cells.jsonl --jobs 2 --out result.json", *flags,
                          [flags] { return run_listing(*flags); });
  command.add_option("suite", flags->listing, "The listing")->required()->type_name("FILE");
  command
      .add_option("--methods", flags->methods,
                  "Methods by comma, each with options if wanted; those of the listing if not given")
      ->type_name("METHODS");
  flags->add_to(command);
}

void add_compare(Program& program, CLI::App& group) {
  const auto flags = std::make_shared<CompareFlags>();
  CLI::App& command = program.add_command(group, "compare", "What changed between two results of --out",
                                          "isthmus bench compare old.json new.json --most-lost 0.5", *flags,
                                          [flags] { return run_compare(*flags); });
  command.add_option("before", flags->before, "The older result")->required()->type_name("FILE");
  command.add_option("after", flags->after, "The newer result")->required()->type_name("FILE");
  command
      .add_option("--most-lost", flags->most_lost,
                  "Fail (exit code 1) when a cell lost more than that many points, or its result")
      ->type_name("POINTS")
      ->check(CLI::NonNegativeNumber.description(""));
}

}  // namespace

void add_bench(Program& program) {
  CLI::App& group = program.add_group("bench", "Run a suite of tasks and compare the methods",
                                      "isthmus bench table1 --data data --methods nn,pca");
  add_table1(program, group);
  add_demo_suite(program, group);
  add_fields(program, group);
  add_listing(program, group);
  add_compare(program, group);
  add_bench_selection(program, group);
}
