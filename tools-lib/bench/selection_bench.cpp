#include "bench/selection_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "bench/method_spec.h"
#include "bench/results.h"
#include "bench/sample_names.h"
#include "bench/table1_settings.h"
#include "bench/text_table.h"
#include "isthmus/version.h"
#include "table1/benchmark_files.h"

namespace isthmus {
namespace {

std::vector<std::string> score_names() {
  std::vector<std::string> names;
  for (const ScoreInfo& score : scores()) names.emplace_back(score.name);
  return names;
}

JudgedTask judge_task(const Table1Task& task, const std::filesystem::path& data, const Context& context,
                      const CandidateWatch& watch) {
  const auto read = [&](const DomainFile& from) {
    return read_samples({fmt::format("{}:{}", from.file, from.features), std::string(from.labels)}, data)
        .domain;
  };
  const DomainPair pair(read(task.source), read(task.target));
  // What the suite uses for methods without an entry of their own: the family's preparation, unit length.
  const auto preparation = Preprocessing::parse(table1_setting("", task).preprocessing);
  const Selection selection =
      select(pair, {default_candidates(pair, preparation), score_names()}, context, watch);
  JudgedTask judged{task, {}, {}};
  for (const SelectionRow& row : selection.rows) {
    if (row.model) {
      judged.candidates.push_back({row.candidate, row.scores,
                                   accuracy_percent(row.model->target().labels, pair.target_truth()),
                                   row.seconds});
    } else if (row.outcome == SelectionRow::Outcome::Failed) {
      judged.problems.push_back(
          fmt::format("{}: {}", MethodSpec{row.candidate.method, row.candidate.options}.text(), row.problem));
    }
  }
  return judged;
}

/// Ranks from 0, ties sharing their mean.
std::vector<double> ranks(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> result(values.size());
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin;
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    const double shared = 0.5 * static_cast<double>(begin + end - 1);
    for (; begin < end; ++begin) result[order[begin]] = shared;
  }
  return result;
}

std::vector<double> accuracies(const JudgedTask& task) {
  std::vector<double> values;
  for (const JudgedCandidate& candidate : task.candidates) values.push_back(candidate.accuracy);
  return values;
}

/// The score of each candidate, turned so that higher is better.
std::vector<double> oriented(const JudgedTask& task, const ScoreInfo& score) {
  std::vector<double> values;
  for (const JudgedCandidate& candidate : task.candidates) {
    values.push_back((score.higher_is_better ? 1.0 : -1.0) * candidate.scores.find(score.name)->second);
  }
  return values;
}

const JudgedCandidate& choice(const JudgedTask& task, const ScoreInfo& score) {
  const std::vector<double> values = oriented(task, score);
  const auto at = std::max_element(values.begin(), values.end()) - values.begin();
  return task.candidates[static_cast<std::size_t>(at)];
}

double best_accuracy(const JudgedTask& task) {
  const std::vector<double> values = accuracies(task);
  return *std::max_element(values.begin(), values.end());
}

double mean_accuracy(const JudgedTask& task) {
  const std::vector<double> values = accuracies(task);
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// The accuracy of the default method at the middle of its grid: with its defaults.
double default_accuracy(const JudgedTask& task) {
  for (const JudgedCandidate& candidate : task.candidates) {
    if (candidate.candidate.method != default_method()) continue;
    const auto& known = find_method(default_method()).options;
    const bool plain = std::all_of(known.begin(), known.end(), [&](const OptionSpec& option) {
      const auto asked = candidate.candidate.options.find(option.name);
      return asked == candidate.candidate.options.end() || asked->second == option.default_value;
    });
    if (plain) return candidate.accuracy;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

/// The verdict on a way to choose that reaches `accuracy` on a task.
ScoreVerdict verdict(const std::string& name, const std::vector<JudgedTask>& tasks,
                     const std::function<double(const JudgedTask&)>& accuracy) {
  ScoreVerdict result{.name = name, .correlation = std::numeric_limits<double>::quiet_NaN()};
  const auto count = static_cast<double>(tasks.size());
  for (const JudgedTask& task : tasks) {
    const double reached = accuracy(task);
    const double regret = best_accuracy(task) - reached;
    result.accuracy += reached / count;
    result.regret += regret / count;
    result.worst_regret = std::max(result.worst_regret, regret);
  }
  return result;
}

nlohmann::ordered_json number_or_null(double value) {
  return std::isnan(value) ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(value);
}

}  // namespace

double rank_correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const std::vector<double> left = ranks(a);
  const std::vector<double> right = ranks(b);
  const double middle = 0.5 * (static_cast<double>(a.size()) - 1);
  double both = 0, squares_left = 0, squares_right = 0;
  for (std::size_t i = 0; i < left.size(); ++i) {
    both += (left[i] - middle) * (right[i] - middle);
    squares_left += (left[i] - middle) * (left[i] - middle);
    squares_right += (right[i] - middle) * (right[i] - middle);
  }
  return squares_left > 0 && squares_right > 0 ? both / std::sqrt(squares_left * squares_right) : 0.0;
}

std::vector<JudgedTask> run_selection_bench(
    const std::filesystem::path& data, const std::vector<Table1Task>& tasks, const Context& context,
    const std::function<void(const Table1Task&, const AdaptRequest&, int number, int count)>& on_start) {
  require_benchmark_files(data, tasks);
  std::vector<JudgedTask> judged;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const CandidateWatch watch = [&](const AdaptRequest& candidate, int number, int count) {
      if (on_start) {
        on_start(tasks[i], candidate, static_cast<int>(i) * count + number,
                 static_cast<int>(tasks.size()) * count);
      }
    };
    JudgedTask task = judge_task(tasks[i], data, context, watch);
    if (context.cancelled()) break;
    judged.push_back(std::move(task));
  }
  return judged;
}

std::vector<ScoreVerdict> judge_scores(const std::vector<JudgedTask>& tasks) {
  std::vector<ScoreVerdict> verdicts;
  for (const ScoreInfo& score : scores()) {
    verdicts.push_back(verdict(std::string(score.name), tasks,
                               [&](const JudgedTask& task) { return choice(task, score).accuracy; }));
    verdicts.back().correlation = 0;
    for (const JudgedTask& task : tasks) {
      verdicts.back().correlation +=
          rank_correlation(oriented(task, score), accuracies(task)) / static_cast<double>(tasks.size());
    }
  }
  std::stable_sort(verdicts.begin(), verdicts.end(),
                   [](const ScoreVerdict& a, const ScoreVerdict& b) { return a.accuracy > b.accuracy; });
  verdicts.push_back(verdict("(best)", tasks, best_accuracy));
  verdicts.push_back(verdict("(defaults)", tasks, default_accuracy));
  verdicts.push_back(verdict("(blind)", tasks, mean_accuracy));
  return verdicts;
}

std::string selection_bench_text(const std::vector<JudgedTask>& tasks) {
  using enum TextTable::Align;
  const std::vector<ScoreVerdict> verdicts = judge_scores(tasks);
  TextTable summary({"score", "accuracy", "regret", "worst", "correlation"}, {Left});
  std::vector<std::string> header{"task", "best"};
  for (const ScoreVerdict& verdict : verdicts) {
    const bool compared = std::isnan(verdict.correlation);
    summary.add_row({verdict.name, fmt::format("{:.2f}", verdict.accuracy),
                     fmt::format("{:.2f}", verdict.regret), fmt::format("{:.2f}", verdict.worst_regret),
                     compared ? "" : fmt::format("{:+.2f}", verdict.correlation)});
    if (!compared) header.push_back(verdict.name);
  }
  TextTable by_task(header, {Left});
  for (const JudgedTask& task : tasks) {
    std::vector<std::string> row{std::string(task.task.name), fmt::format("{:.2f}", best_accuracy(task))};
    for (std::size_t i = 2; i < header.size(); ++i) {
      row.push_back(fmt::format("{:.2f}", choice(task, find_score(header[i])).accuracy));
    }
    by_task.add_row(std::move(row));
  }
  return summary.to_string() + "\n" + by_task.to_string();
}

nlohmann::ordered_json selection_bench_json(const std::vector<JudgedTask>& tasks, const Context& context) {
  nlohmann::ordered_json json{{"kind", "selection-benchmark"},
                              {"version", version()},
                              {"blas", blas_description()},
                              {"seed", context.seed},
                              {"scores", nlohmann::ordered_json::array()},
                              {"tasks", nlohmann::ordered_json::array()}};
  for (const ScoreVerdict& verdict : judge_scores(tasks)) {
    json["scores"].push_back({{"name", verdict.name},
                              {"accuracy", verdict.accuracy},
                              {"regret", verdict.regret},
                              {"worst_regret", verdict.worst_regret},
                              {"correlation", number_or_null(verdict.correlation)}});
  }
  for (const JudgedTask& task : tasks) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const JudgedCandidate& row : task.candidates) {
      rows.push_back({{"method", row.candidate.method},
                      {"options", options_json(row.candidate.method, row.candidate.options)},
                      {"preprocessing", row.candidate.preprocessing.to_string()},
                      {"scores", row.scores},
                      {"accuracy", row.accuracy},
                      {"seconds", row.seconds}});
    }
    json["tasks"].push_back({{"task", task.task.name}, {"rows", rows}, {"problems", task.problems}});
  }
  return json;
}

}  // namespace isthmus
