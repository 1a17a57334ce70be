#include "bench/select_output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "bench/results.h"
#include "bench/text_table.h"
#include "isthmus/version.h"

namespace isthmus {
namespace {

using nlohmann::ordered_json;

std::string settings_of(const AdaptRequest& candidate) {
  std::vector<std::string> words;
  for (const auto& [name, value] : candidate.options) words.push_back(fmt::format("{}={}", name, value));
  return fmt::format("{}", fmt::join(words, " "));
}

/// The scores that were asked for, the one that ranked first.
std::vector<std::string> shown_scores(const Selection& selection) {
  std::vector<std::string> names{selection.score};
  for (const SelectionRow& row : selection.rows) {
    if (!row.model) continue;
    for (const auto& [name, value] : row.scores) {
      if (name != selection.score) names.push_back(name);
    }
    break;
  }
  return names;
}

/// Rows by rank, then those without one.
std::vector<std::size_t> shown_rows(const Selection& selection) {
  std::vector<std::size_t> order = selection.ranking;
  for (std::size_t i = 0; i < selection.rows.size(); ++i) {
    if (std::find(order.begin(), order.end(), i) == order.end()) order.push_back(i);
  }
  return order;
}

}  // namespace

RowAccuracies row_accuracies(const Selection& selection, const std::vector<int>& truth) {
  RowAccuracies accuracies;
  for (const SelectionRow& row : selection.rows) {
    accuracies.push_back(row.model ? std::optional(accuracy_percent(row.model->target().labels, truth))
                                   : std::nullopt);
  }
  return accuracies;
}

std::string selection_text(const Selection& selection, const RowAccuracies& accuracies) {
  using enum TextTable::Align;
  const std::vector<std::string> names = shown_scores(selection);
  std::vector<std::string> header{"method", "settings"};
  header.insert(header.end(), names.begin(), names.end());
  header.emplace_back("seconds");
  if (!accuracies.empty()) header.emplace_back("accuracy % (not used)");
  TextTable table(header, {Left, Left});
  for (const std::size_t i : shown_rows(selection)) {
    const SelectionRow& row = selection.rows[i];
    std::vector<std::string> cells{row.candidate.method, settings_of(row.candidate)};
    for (const std::string& name : names) {
      const auto value = row.scores.find(name);
      cells.push_back(value != row.scores.end() ? fmt::format("{:.4f}", value->second)
                                                : std::string(to_string(row.outcome)));
    }
    cells.push_back(fmt::format("{:.2f}", row.seconds));
    if (!accuracies.empty()) cells.push_back(accuracies[i] ? fmt::format("{:.2f}", *accuracies[i]) : "");
    table.add_row(std::move(cells));
  }
  return table.to_string();
}

ordered_json selection_json(const Selection& selection, const Context& context,
                            const RowAccuracies& accuracies) {
  ordered_json json{{"kind", "selection"},
                    {"version", version()},
                    {"blas", blas_description()},
                    {"threads", context.threads},
                    {"seed", context.seed},
                    {"score", selection.score},
                    {"higher_is_better", find_score(selection.score).higher_is_better},
                    {"rows", ordered_json::array()},
                    {"ranking", selection.ranking},
                    {"winner", nullptr}};
  for (std::size_t i = 0; i < selection.rows.size(); ++i) {
    const SelectionRow& row = selection.rows[i];
    // As used where it is known: `auto` has become a list.
    const Preprocessing& preparation = row.model ? row.model->preprocessing() : row.candidate.preprocessing;
    json["rows"].push_back({{"method", row.candidate.method},
                            {"options", options_json(row.candidate.method, row.candidate.options)},
                            {"preprocessing", preparation.to_string()},
                            {"status", to_string(row.outcome)},
                            {"scores", row.scores},
                            {"seconds", row.seconds}});
    if (!row.problem.empty()) json["rows"].back()["problem"] = row.problem;
    if (!accuracies.empty() && accuracies[i]) json["rows"].back()["accuracy"] = *accuracies[i];
  }
  if (!selection.ranking.empty()) {
    json["winner"] = selection.ranking.front();
    json["model"] = model_json(*selection.rows[selection.ranking.front()].model);
  }
  return json;
}

std::string scores_text() {
  std::string text;
  for (const ScoreInfo& score : scores()) {
    text += fmt::format(
        "{}{}: {}\n  {} is better.{}\n  Measures: {}\n  Fails: {}\n  {}\n", text.empty() ? "" : "\n",
        score.name, score.title, score.higher_is_better ? "Higher" : "Lower",
        score.name == default_score() ? " The default." : "", score.measures, score.fails, score.reference);
  }
  return text;
}

ordered_json scores_json() {
  ordered_json json{{"default", default_score()}, {"scores", ordered_json::array()}};
  for (const ScoreInfo& score : scores()) {
    json["scores"].push_back({{"name", score.name},
                              {"title", score.title},
                              {"measures", score.measures},
                              {"fails", score.fails},
                              {"reference", score.reference},
                              {"higher_is_better", score.higher_is_better}});
  }
  return json;
}

}  // namespace isthmus
