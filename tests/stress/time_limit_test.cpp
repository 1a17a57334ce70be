#include <gtest/gtest.h>

#include <algorithm>

#include "isthmus/adapt.h"
#include "isthmus/select.h"
#include "toy_domains.h"
#include "variants.h"

namespace isthmus {
namespace {

using Clock = std::chrono::steady_clock;
using testing::toy_domains;
using testing::Variant;

class TimeLimit : public ::testing::TestWithParam<Variant> {
 protected:
  Model fitted(Clock::time_point deadline) const {
    Context context;
    context.deadline = deadline;
    AdaptRequest request;
    request.method = GetParam().method;
    request.options = GetParam().options;
    request.preprocessing = {};
    return adapt(pair_, request, context);
  }

  DomainPair pair_ = toy_domains(6, 8, 3, 51).pair();
};

TEST_P(TimeLimit, APassedDeadlineEndsTheFitAtItsFirstIterationWithAResult) {
  const Model model = fitted(Clock::time_point::min());
  EXPECT_EQ(model.target().labels.size(), 24U);
  EXPECT_LE(model.report().iterations, 1);
  const auto& notes = model.report().notes;
  const bool told = std::any_of(notes.begin(), notes.end(), [](const std::string& note) {
    return note.find("time limit") != std::string::npos;
  });
  EXPECT_EQ(told, model.report().status == Status::Stopped);
  if (fitted(Clock::time_point::max()).report().iterations > 1) {
    EXPECT_EQ(model.report().status, Status::Stopped);
  }
}

TEST_P(TimeLimit, ADeadlineThatIsFarOffChangesNothing) {
  const Model free =
      adapt(pair_, {.method = GetParam().method, .options = GetParam().options, .preprocessing = {}});
  const Model bounded = fitted(Clock::time_point::max());
  EXPECT_EQ(bounded.target().labels, free.target().labels);
  EXPECT_EQ(bounded.report().status, free.report().status);
}

INSTANTIATE_TEST_SUITE_P(Methods, TimeLimit, ::testing::ValuesIn(testing::variants()),
                         [](const auto& one) { return one.param.name(); });

TEST(SelectionTimeLimit, KeepsNothingThatWasCutShort) {
  const DomainPair pair = toy_domains(6, 8, 3, 52).pair();
  Context context;
  context.deadline = Clock::time_point::min();
  const Selection none = select(
      pair, {.candidates = {{.method = "jda", .preprocessing = {}}, {.method = "nn", .preprocessing = {}}}},
      context);
  EXPECT_TRUE(none.ranking.empty());
  for (const SelectionRow& row : none.rows) EXPECT_EQ(row.outcome, SelectionRow::Outcome::Stopped);
}

}  // namespace
}  // namespace isthmus
