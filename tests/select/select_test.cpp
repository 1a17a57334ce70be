#include "isthmus/select.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "bench/select_output.h"
#include "bench/selection_bench.h"
#include "benchmark_data.h"
#include "isthmus/errors.h"
#include "isthmus/version.h"
#include "scratch_folder.h"
#include "select/grid.h"
#include "toy_domains.h"

namespace isthmus {
namespace {

using testing::ScratchFolder;
using testing::toy_domains;

DomainPair toy_pair(bool with_truth = false) {
  const auto toy = toy_domains(6, 25, 3, 1);
  Domain target{toy.target, {}};
  if (with_truth) target.labels = encode_labels(toy.target_names);
  return {{toy.source, encode_labels(toy.source_names)}, target};
}

AdaptRequest candidate(const std::string& method, OptionMap options = {}) {
  return {method, std::move(options), {}};
}

std::vector<std::string> all_scores() {
  std::vector<std::string> names;
  for (const ScoreInfo& score : scores()) names.emplace_back(score.name);
  return names;
}

TEST(Grid, IsEveryCombinationButOfFixedOptions) {
  const OptionGrid grid{{"components", {"2", "3"}}, {"lambda", {"0.1", "1"}}};
  const auto all = expand_grid({"jda", {}, Preprocessing::parse("l2")}, grid);
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[1].options, (OptionMap{{"components", "2"}, {"lambda", "1"}}));
  EXPECT_EQ(all[1].preprocessing.to_string(), "l2");
  const auto some = expand_grid({"jda", {{"lambda", "7"}}, {}}, grid);
  ASSERT_EQ(some.size(), 2U);
  EXPECT_EQ(some[1].options, (OptionMap{{"components", "3"}, {"lambda", "7"}}));
}

TEST(Grid, TheDefaultOneHoldsTheDefaultsAndFitsTheData) {
  const DomainPair pair = toy_pair();
  EXPECT_EQ(default_grid("pca", pair), (OptionGrid{{"components", {"6"}}}));
  const OptionGrid grid = default_grid("jda", pair);
  std::string lambda;
  for (const OptionSpec& option : find_method("jda").options) {
    if (option.name == "lambda") lambda = option.default_value;
  }
  EXPECT_EQ(grid.at("lambda").at(1), lambda);
}

TEST(Select, TheDefaultCandidatesAllRunAndDependOnNeitherThreadsNorTargetLabels) {
  const DomainPair pair = toy_pair();
  SelectRequest request{default_candidates(pair, Preprocessing::parse("zscore")), all_scores()};
  const Selection one = select(pair, request);
  Context team;
  team.threads = 3;
  const Selection many = select(toy_pair(true), request, team);
  EXPECT_EQ(one.ranking.size(), request.candidates.size());
  EXPECT_EQ(one.ranking, many.ranking);
  for (std::size_t i = 0; i < one.rows.size(); ++i) {
    EXPECT_EQ(one.rows[i].problem, "");
    EXPECT_EQ(one.rows[i].scores.size(), all_scores().size()) << one.rows[i].candidate.method;
    EXPECT_EQ(one.rows[i].scores, many.rows[i].scores) << one.rows[i].candidate.method;
    EXPECT_EQ(one.rows[i].model->target().labels, many.rows[i].model->target().labels);
  }
}

TEST(Select, RanksByTheFirstScoreInItsDirection) {
  const DomainPair pair = toy_pair();
  SelectRequest request{{candidate("nn"), candidate("coral"), candidate("pca", {{"components", "2"}})},
                        {"mmd", "silhouette"}};
  const Selection by_mmd = select(pair, request);
  ASSERT_EQ(by_mmd.ranking.size(), 3U);
  std::swap(request.scores[0], request.scores[1]);
  const Selection by_silhouette = select(pair, request);
  for (std::size_t i = 1; i < 3; ++i) {
    const auto row = [&](const Selection& s, std::size_t rank) { return s.rows[s.ranking[rank]].scores; };
    EXPECT_LE(row(by_mmd, i - 1).at("mmd"), row(by_mmd, i).at("mmd"));
    EXPECT_GE(row(by_silhouette, i - 1).at("silhouette"), row(by_silhouette, i).at("silhouette"));
  }
}

TEST(Select, EqualScoresKeepTheCandidatesOrder) {
  const Selection selection =
      select(toy_pair(), {{candidate("nn"), candidate("nn"), candidate("nn")}, {"entropy"}});
  EXPECT_EQ(selection.ranking, (std::vector<std::size_t>{0, 1, 2}));
}

TEST(Select, RecordsWhatFailsAndGoesOn) {
  const Selection selection =
      select(toy_pair(), {{candidate("pca", {{"components", "99"}}), candidate("nn")}, {"agreement"}});
  EXPECT_EQ(selection.ranking, std::vector<std::size_t>{1});
  EXPECT_EQ(selection.rows[0].outcome, SelectionRow::Outcome::Failed);
  EXPECT_NE(selection.rows[0].problem.find("99"), std::string::npos);
  const auto json = selection_json(selection, {});
  EXPECT_EQ(json.at("kind"), "selection");
  EXPECT_EQ(json.at("winner"), 1);
  EXPECT_EQ(json.at("rows").at(0).at("status"), "failed");
  EXPECT_FALSE(json.at("rows").at(1).contains("accuracy"));
  EXPECT_NE(selection_text(selection).find("pca     components=99     failed"), std::string::npos)
      << selection_text(selection);
  EXPECT_THROW(select(toy_pair(), {{candidate("nn")}, {"entrpy"}}), InvalidArgument);
}

TEST(Select, CancellingKeepsWhatIsDone) {
  std::atomic<bool> cancel{false};
  Context context;
  context.cancel = [&] { return cancel.load(); };
  const Selection selection =
      select(toy_pair(), {{candidate("nn"), candidate("coral"), candidate("sa")}, {"agreement", "reverse"}},
             context, [&](const AdaptRequest&, int number, int count) {
               EXPECT_EQ(count, 3);
               if (number == 2) cancel = true;
             });
  EXPECT_EQ(selection.ranking, std::vector<std::size_t>{0});
  EXPECT_EQ(selection.rows[1].outcome, SelectionRow::Outcome::Stopped);
  EXPECT_TRUE(selection.rows[1].scores.empty());
  EXPECT_EQ(selection.rows[2].outcome, SelectionRow::Outcome::Stopped);
}

TEST(Select, AccuraciesAreShownOnRequestOnly) {
  const DomainPair pair = toy_pair(true);
  const Selection selection = select(pair, {{candidate("nn")}, {"entropy"}});
  EXPECT_EQ(selection_text(selection).find("accuracy"), std::string::npos);
  const RowAccuracies accuracies = row_accuracies(selection, pair.target_truth());
  EXPECT_NE(selection_text(selection, accuracies).find("accuracy % (not used)"), std::string::npos);
  EXPECT_EQ(selection_json(selection, {}, accuracies).at("rows").at(0).at("accuracy"), *accuracies[0]);
}

TEST(RankCorrelation, IsSpearmans) {
  EXPECT_NEAR(rank_correlation({1, 2, 3, 9}, {10, 20, 35, 36}), 1.0, 1e-15);
  EXPECT_NEAR(rank_correlation({1, 2, 3, 9}, {4, 3, 2, 1}), -1.0, 1e-15);
  // d = (0, 1, −1, 0): 1 − 6·2/(4·15) = 0.8
  EXPECT_NEAR(rank_correlation({1, 2, 3, 4}, {1, 3, 2, 4}), 0.8, 1e-15);
  // Ties share their rank: (0.5, 0.5, 2) against (0, 1, 2).
  EXPECT_NEAR(rank_correlation({5, 5, 7}, {1, 2, 3}), 1.5 / std::sqrt(1.5 * 2), 1e-15);
  EXPECT_EQ(rank_correlation({5, 5}, {1, 2}), 0.0);
}

TEST(SelectionBench, JudgesScoresByWhatTheyChoose) {
  // On every task "mmd" prefers the better of two candidates and "snd" the worse.
  std::vector<JudgedTask> tasks;
  for (const auto& [name, best, other] : {std::tuple("C->A", 50.0, 40.0), std::tuple("W->D", 90.0, 70.0)}) {
    JudgedTask task{select_tasks(name).front(), {}, {}};
    for (const double accuracy : {best, other}) {
      JudgedCandidate row{candidate("rsa-cdda"), {}, accuracy, 0};
      for (const ScoreInfo& score : scores()) row.scores[std::string(score.name)] = -accuracy;
      task.candidates.push_back(row);
    }
    tasks.push_back(task);
  }
  for (const ScoreVerdict& verdict : judge_scores(tasks)) {
    const bool right = verdict.name == "(best)" || verdict.name == "(defaults)" ||
                       (verdict.name != "(blind)" && !find_score(verdict.name).higher_is_better);
    const double accuracy = verdict.name == "(blind)" ? 62.5 : (right ? 70.0 : 55.0);
    EXPECT_NEAR(verdict.accuracy, accuracy, 1e-12) << verdict.name;
    EXPECT_NEAR(verdict.regret, 70.0 - accuracy, 1e-12) << verdict.name;
    EXPECT_NEAR(verdict.worst_regret, right ? 0.0 : (verdict.name == "(blind)" ? 10.0 : 20.0), 1e-12)
        << verdict.name;
    if (verdict.name[0] != '(') {
      EXPECT_NEAR(verdict.correlation, right ? 1.0 : -1.0, 1e-12) << verdict.name;
    }
  }
  EXPECT_EQ(selection_bench_json(tasks, {}).at("tasks").at(1).at("task"), "W->D");
  EXPECT_NE(selection_bench_text(tasks).find("W->D  90.00"), std::string::npos)
      << selection_bench_text(tasks);
}

}  // namespace
}  // namespace isthmus
