#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "isthmus/select.h"
#include "table1/table1.h"

namespace isthmus {

/// One candidate on one task: its scores, and the accuracy that nobody who chooses may look at.
struct JudgedCandidate {
  AdaptRequest candidate;
  ScoreValues scores;
  double accuracy = 0;  ///< percent
  double seconds = 0;
};

struct JudgedTask {
  Table1Task task;
  std::vector<JudgedCandidate> candidates;  ///< those that did not fail
  std::vector<std::string> problems;        ///< of those that did
};

/// Runs the default candidates on every task and scores each with every score; the preparation is the one
/// of the suite for unit-length samples. Ends early, with the tasks done so far, when the context is
/// cancelled.
std::vector<JudgedTask> run_selection_bench(
    const std::filesystem::path& data, const std::vector<Table1Task>& tasks, const Context& context,
    const std::function<void(const Table1Task&, const AdaptRequest&, int number, int count)>& on_start = {});

/// How well a score chooses, over the tasks.
struct ScoreVerdict {
  std::string name;         ///< a score, or a way to choose that scores are measured against
  double accuracy = 0;      ///< mean accuracy of its choices, percent
  double regret = 0;        ///< mean distance to the best candidate
  double worst_regret = 0;  ///< the largest one
  double correlation = 0;   ///< mean Spearman correlation with accuracy, better scores first; NaN where none
};

/// One verdict for each score, best mean accuracy first, then three to compare with: the best candidate of
/// each task, the default method with its defaults, and a candidate drawn blindly (the mean over all).
std::vector<ScoreVerdict> judge_scores(const std::vector<JudgedTask>& tasks);

/// Spearman's rank correlation, ties sharing their mean rank; 0 where one side is constant.
double rank_correlation(const std::vector<double>& a, const std::vector<double>& b);

/// The verdicts for people, then each task's best accuracy and what each score chose.
std::string selection_bench_text(const std::vector<JudgedTask>& tasks);
nlohmann::ordered_json selection_bench_json(const std::vector<JudgedTask>& tasks, const Context& context);

}  // namespace isthmus
