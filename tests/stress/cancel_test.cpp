#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <optional>
#include <set>

#include "isthmus/adapt.h"
#include "isthmus/errors.h"
#include "isthmus/select.h"
#include "toy_domains.h"
#include "variants.h"

namespace isthmus {
namespace {

using testing::toy_domains;
using testing::Variant;

/// Asks to stop from the n-th question on, and counts the questions.
class StopAt {
 public:
  explicit StopAt(long question) : question_(question) {}
  Context context(int threads = 1) {
    Context context;
    context.threads = threads;
    context.cancel = [this] { return ++asked_ >= question_; };
    return context;
  }
  long asked() const { return asked_; }

 private:
  long question_;
  std::atomic<long> asked_{0};
};

constexpr long kNever = std::numeric_limits<long>::max();

/// Questions at which to stop: the first ones, the last ones, and some between.
std::set<long> moments(long all) {
  std::set<long> chosen{1, 2, 3, all - 1, all};
  for (long i = 1; i < 12; ++i) chosen.insert(i * all / 12);
  chosen.erase(0);
  return chosen;
}

class Cancel : public ::testing::TestWithParam<Variant> {
 protected:
  AdaptRequest request() const {
    AdaptRequest request;
    request.method = GetParam().method;
    request.options = GetParam().options;
    request.preprocessing = Preprocessing::parse("zscore");
    return request;
  }
  std::optional<Model> fitted(const Context& context) const {
    try {
      return adapt(pair_, request(), context);
    } catch (const Cancelled&) {
      return std::nullopt;
    }
  }
  /// Ended by the callback after that many iterations of all phases.
  Model ended_after(int iterations) const {
    Context context;
    int done = 0;
    context.on_iteration = [&](const IterationInfo&) {
      return ++done == iterations ? Decision::Stop : Decision::Continue;
    };
    return adapt(pair_, request(), context);
  }

  DomainPair pair_ = toy_domains(6, 8, 3, 51).pair();
};

TEST_P(Cancel, EndsAtOnceWithTheLastFinishedIterationOrWithNone) {
  StopAt never(kNever);
  const Model whole = *fitted(never.context());
  ASSERT_GT(never.asked(), 3);
  for (const long moment : moments(never.asked())) {
    StopAt stop(moment);
    const std::optional<Model> model = fitted(stop.context());
    // Explanations are begun after a stop too, and ask for themselves.
    EXPECT_LE(stop.asked(), moment + 1) << "went on after it was told to stop";
    if (!model) continue;
    const Report& report = model->report();
    ASSERT_GT(report.iterations, 0) << moment;
    const bool last = report.iterations == whole.report().iterations;
    const Model& expected = last ? whole : ended_after(report.iterations);
    EXPECT_EQ(model->target().labels, expected.target().labels) << moment;
    EXPECT_EQ(model->target().probabilities, expected.target().probabilities) << moment;
    EXPECT_EQ(model->predict(pair_.target()).labels, expected.predict(pair_.target()).labels) << moment;
    for (const auto& [name, values] : report.series) {
      EXPECT_EQ(values.size(), expected.report().series.at(name).size()) << name;
    }
  }
}

TEST_P(Cancel, ReachesEveryThread) {
  constexpr int kThreads = 3;
  StopAt never(kNever);
  ASSERT_TRUE(fitted(never.context(kThreads)));
  for (const long moment : moments(never.asked())) {
    StopAt stop(moment);
    const std::optional<Model> model = fitted(stop.context(kThreads));
    EXPECT_LE(stop.asked(), moment + kThreads);
    if (!model) continue;
    EXPECT_EQ(model->target().labels.size(), 24U);
  }
}

TEST_P(Cancel, AnUnansweredQuestionChangesNothing) {
  StopAt never(kNever);
  const Model asked = *fitted(never.context());
  const Model free = *fitted({});
  EXPECT_EQ(asked.target().labels, free.target().labels);
  EXPECT_EQ(asked.target().probabilities, free.target().probabilities);
  EXPECT_EQ(asked.report().iterations, free.report().iterations);
  EXPECT_EQ(asked.report().status, free.report().status);
}

INSTANTIATE_TEST_SUITE_P(Methods, Cancel, ::testing::ValuesIn(testing::variants()),
                         [](const auto& one) { return one.param.name(); });

TEST(CancelModel, PredictAndTransformEndAtOnce) {
  const DomainPair pair = toy_domains(6, 8, 3, 53).pair();
  const Model model = adapt(pair, {.method = "jda"});
  for (long moment : {1, 2}) {
    StopAt stop(moment);
    EXPECT_THROW(model.predict(pair.target(), stop.context()), Cancelled);
    EXPECT_EQ(stop.asked(), moment);
  }
  StopAt stop(1);
  EXPECT_THROW(model.transform(pair.target(), Side::Target, stop.context()), Cancelled);
}

TEST(CancelSelection, KeepsWhatWasDoneBeforeAndNothingCutShort) {
  const DomainPair pair = toy_domains(6, 8, 3, 54).pair();
  const SelectRequest request{.candidates = {{.method = "nn"}, {.method = "jda"}},
                              .scores = {"entropy", "reverse", "mmd", "iwv"}};
  StopAt never(kNever);
  const Selection whole = select(pair, request, never.context());
  ASSERT_EQ(whole.ranking.size(), 2U);
  for (const long moment : moments(never.asked())) {
    StopAt stop(moment);
    const Selection selection = select(pair, request, stop.context());
    for (std::size_t i = 0; i < selection.rows.size(); ++i) {
      const SelectionRow& row = selection.rows[i];
      EXPECT_NE(row.outcome, SelectionRow::Outcome::Failed) << row.problem;
      if (row.outcome != SelectionRow::Outcome::Done) continue;
      EXPECT_EQ(row.scores, whole.rows[i].scores);
    }
  }
}

}  // namespace
}  // namespace isthmus
