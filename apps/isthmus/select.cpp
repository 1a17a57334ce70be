#include "isthmus/select.h"
#include "core/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "bench/grid_file.h"
#include "bench/json_file.h"
#include "bench/method_spec.h"
#include "bench/results.h"
#include "bench/select_output.h"
#include "console.h"
#include "core/text.h"
#include "inputs.h"
#include "interrupt.h"
#include "isthmus/errors.h"
#include "outputs.h"
#include "program.h"
#include "report/report_page.h"

namespace {

struct SelectFlags : CommonFlags, PairFlags {
  std::string methods, grid;
  std::string scores{isthmus::default_score()};
  std::string preprocess{isthmus::default_preprocessing()};
  std::string labels_path = "selected-labels.csv";
  std::string model_path = "selected-model.safetensors";
  std::string report_path, page_path;
  bool show_accuracy = false;
  TimeLimitFlag time_limit;
};

std::vector<std::string> chosen_scores(const std::string& list) {
  std::vector<std::string> names = isthmus::split_words(list, ',');
  if (names.empty())
    throw isthmus::InvalidArgument("the list of scores is empty; name at least one, such as entropy");
  for (const std::string& name : names) isthmus::find_score(name);
  return names;
}

/// What --methods names, else the methods of the grid file, else the quick ones.
std::vector<isthmus::MethodSpec> chosen_methods(const std::string& list, const isthmus::MethodGrids& grids) {
  if (!list.empty()) return isthmus::parse_method_list(list);
  std::vector<isthmus::MethodSpec> named;
  for (const auto& [method, grid] : grids) named.push_back({method, {}});
  if (!named.empty()) return named;
  for (const std::string& method : isthmus::quick_methods()) named.push_back({method, {}});
  return named;
}

std::string summary(const SelectFlags& flags, const isthmus::SelectRequest& request,
                    const isthmus::SelectionRow& winner) {
  const isthmus::MethodSpec chosen{winner.candidate.method, winner.candidate.options};
  std::string text =
      fmt::format("\nchosen by {}, without target labels: {}\n", request.scores.front(), chosen.text());
  if (request.scores.size() > 1) {
    text += fmt::format("only shown, without a say: {}\n",
                        fmt::join(request.scores.begin() + 1, request.scores.end(), ", "));
  }
  for (const std::string& warning : winner.model->report().warnings)
    text += fmt::format("warning: {}\n", warning);
  for (const std::string& note : winner.model->report().notes) text += fmt::format("note: {}\n", note);
  if (!flags.labels_path.empty()) text += fmt::format("labels: {}\n", flags.labels_path);
  if (!flags.model_path.empty()) text += fmt::format("model: {}\n", flags.model_path);
  if (!flags.report_path.empty()) text += fmt::format("report: {}\n", flags.report_path);
  if (!flags.page_path.empty()) text += fmt::format("page: {}\n", flags.page_path);
  return text;
}

/// Throws when there is nothing to choose from though nobody interrupted.
void require_winner(const SelectFlags& flags, const isthmus::Selection& selection) {
  using Outcome = isthmus::SelectionRow::Outcome;
  if (!selection.ranking.empty() || interrupted()) return;
  const auto some = [&](Outcome outcome) {
    return std::any_of(selection.rows.begin(), selection.rows.end(),
                       [&](const isthmus::SelectionRow& row) { return row.outcome == outcome; });
  };
  if (some(Outcome::Stopped)) {
    throw isthmus::InvalidArgument(fmt::format(
        "the time limit of {} seconds ended the selection before any setting was done; allow more, or try "
        "fewer settings",
        flags.time_limit.seconds));
  }
  if (some(Outcome::Done)) {
    throw isthmus::InvalidArgument(fmt::format(
        "the score {} has no value for any setting; choose another with --score", selection.score));
  }
  throw isthmus::InvalidArgument(fmt::format("every setting failed; the first one, {}: {}",
                                             selection.rows.front().candidate.method,
                                             selection.rows.front().problem));
}

/// Every setting of each method's own grid, else of its default one.
std::vector<isthmus::AdaptRequest> all_candidates(const std::vector<isthmus::MethodSpec>& methods,
                                                  const isthmus::MethodGrids& grids,
                                                  const isthmus::Preprocessing& preprocessing,
                                                  const isthmus::DomainPair& pair) {
  std::vector<isthmus::AdaptRequest> candidates;
  for (const isthmus::MethodSpec& method : methods) {
    const auto own = grids.find(method.name);
    const auto grid = own != grids.end() ? own->second : isthmus::default_grid(method.name, pair);
    const auto more = isthmus::expand_grid({method.name, method.options, preprocessing}, grid);
    candidates.insert(candidates.end(), more.begin(), more.end());
  }
  return candidates;
}

int run_select(const SelectFlags& flags) {
  Outputs outputs(flags);
  flags.tell(outputs);
  if (!flags.grid.empty()) outputs.reads(flags.grid);
  outputs.plan_labels(flags.labels_path);
  for (const std::string& path : {flags.report_path, flags.page_path}) outputs.plan(path);
  outputs.plan_file(flags.model_path);
  isthmus::SelectRequest request;
  request.scores = chosen_scores(flags.scores);
  const auto preprocessing = isthmus::Preprocessing::parse(flags.preprocess);
  const isthmus::MethodGrids grids =
      flags.grid.empty() ? isthmus::MethodGrids{} : isthmus::read_grids(flags.grid);
  const std::vector<isthmus::MethodSpec> methods = chosen_methods(flags.methods, grids);
  auto [source, target] = read_pair(flags, flags);
  const std::vector<std::string> ids = std::move(target.sample_ids);
  if (!flags.show_accuracy) target.labels.reset();
  const isthmus::DomainPair pair(std::move(source), std::move(target));
  request.candidates = all_candidates(methods, grids, preprocessing, pair);

  const auto progress = std::make_shared<Progress>(flags);
  isthmus::Context context = make_context(flags, progress);
  context.deadline = flags.time_limit.deadline();
  const isthmus::Selection selection =
      select(pair, request, context, [&](const isthmus::AdaptRequest& candidate, int number, int count) {
        progress->stage(isthmus::MethodSpec{candidate.method, candidate.options}.text(), number, count);
      });
  progress->clear();
  isthmus::RowAccuracies accuracies;
  if (!pair.target_truth().empty()) accuracies = row_accuracies(selection, pair.target_truth());
  for (const isthmus::SelectionRow& row : selection.rows) {
    if (!row.problem.empty())
      print_note(fmt::format("{} failed: {}", row.candidate.method, row.problem), flags);
  }
  require_winner(flags, selection);
  if (selection.ranking.empty()) {
    print_interrupted();
    return kInterrupted;
  }

  const isthmus::SelectionRow& winner = selection.rows[selection.ranking.front()];
  const isthmus::Model& model = *winner.model;
  nlohmann::ordered_json json = selection_json(selection, context, accuracies);
  json["target"] = isthmus::prediction_json(model.target(), model.classes(), std::nullopt);
  outputs.set(flags.labels_path, isthmus::labels_csv(model.target(), model.classes(), ids,
                                                     isthmus::separator_for(flags.labels_path)));
  outputs.set(flags.report_path, isthmus::json_text(json, 2) + "\n");
  if (!flags.page_path.empty()) outputs.set(flags.page_path, isthmus::report_page(json));
  outputs.set(flags.model_path, [&](const auto& path) { model.save(path); });
  outputs.commit();
  if (flags.json) {
    json["outputs"] = {{"labels", flags.labels_path},
                       {"model", flags.model_path},
                       {"report", flags.report_path},
                       {"page", flags.page_path}};
    print_json(json);
  } else if (!flags.quiet) {
    print(selection_text(selection, accuracies) + summary(flags, request, winner));
  }
  return interrupted() ? kInterrupted : kOk;
}

}  // namespace

void add_select(Program& program) {
  const auto flags = std::make_shared<SelectFlags>();
  CLI::App& command = program.add_command(
      program.root(), "select", "Choose method and settings without target labels, and label the target",
      R"(isthmus select --source amazon.csv --target webcam.csv --methods pca,jda --score entropy,reverse -o labels.csv)",
      *flags, [flags] { return run_select(*flags); });
  flags->add_pair(command, "to leave them out of the features");
  command
      .add_option("--methods", flags->methods,
                  "Methods by comma, each with fixed options if wanted: jda,pca:components=50; those of the "
                  "grid, or all but tsl and ltsl, if not given")
      ->type_name("METHODS");
  command
      .add_option("--grid", flags->grid,
                  R"(Values to try by method: JSON such as {"jda": {"components": [20, 100]}, "nn": {}})")
      ->type_name("FILE");
  command.add_option("--score", flags->scores, "Scores by comma, see `isthmus scores`; the first one ranks")
      ->type_name("SCORES")
      ->capture_default_str();
  command
      .add_option("--preprocess", flags->preprocess,
                  "Steps such as l2 or sum,zscore,l2; none; auto: chosen from the features")
      ->type_name("STEPS")
      ->capture_default_str();
  flags->time_limit.add_to(command);
  command.add_flag("--show-accuracy", flags->show_accuracy,
                   "Where the target has labels, also show each setting's accuracy; it chooses nothing");
  command
      .add_option("-o,--output", flags->labels_path,
                  "The winner's labels: sample,label,confidence; '' for none, -: to standard output")
      ->type_name("FILE")
      ->capture_default_str();
  command.add_option("--model", flags->model_path, "The winner's model (.safetensors); '' for none")
      ->type_name("FILE")
      ->capture_default_str();
  command.add_option("--report", flags->report_path, "Also write all settings and scores (JSON)")
      ->type_name("FILE");
  command.add_option("--html", flags->page_path, "Also write it as a page with charts")->type_name("FILE");
}

void add_scores(Program& program) {
  const auto flags = std::make_shared<CommonFlags>();
  program.add_command(program.root(), "scores",
                      "List the label-free scores: what each measures, how it fails", "isthmus scores",
                      *flags, [flags] {
                        flags->json ? print_json(isthmus::scores_json()) : print(isthmus::scores_text());
                        return kOk;
                      });
}
