#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "isthmus/context.h"

namespace isthmus {
namespace {

using Clock = std::chrono::steady_clock;

TEST(Execution, LooksAtCancelAndDeadline) {
  Execution run;
  EXPECT_NO_THROW(run.look());
  run.deadline = Clock::time_point::max();
  EXPECT_NO_THROW(run.look());
  run.deadline = Clock::time_point::min();
  EXPECT_THROW(run.look(), Cancelled);
  run.deadline.reset();
  run.cancel = [] { return true; };
  EXPECT_THROW(run.look(), Cancelled);
}

TEST(Execution, AShareOfTheWorkIsEndedWithItAndReportsNothing) {
  Execution run(4);
  run.cancel = [] { return true; };
  run.progress = [](const Progress&) { FAIL(); };
  const Execution share = run.on(2);
  EXPECT_EQ(share.threads, 2);
  EXPECT_THROW(share.look(), Cancelled);
  share.tell({.phase = "block", .done = 1, .of = 2});
}

TEST(Execution, KernelsHearOfTheDeadlineOnceThereIsAResult) {
  Context context;
  context.deadline = Clock::time_point::min();
  EXPECT_NO_THROW(Execution(context).look());
  EXPECT_NO_THROW(Execution(context.after(0)).look());
  EXPECT_THROW(Execution(context.after(1)).look(), Cancelled);
  EXPECT_NO_THROW(Execution(context.after(1).unstoppable()).look());
  EXPECT_THROW(Execution(Context::inside(context.after(1))).look(), Cancelled);
  EXPECT_NO_THROW(Execution(Context::inside(context)).look());
}

TEST(Execution, BlocksAreReportedLikeIterations) {
  std::vector<std::string> told;
  Context context;
  context.on_iteration = [&](const IterationInfo& info) {
    told.push_back(std::string(info.phase) + " " + std::to_string(info.iteration) + "/" +
                   std::to_string(info.limit));
    return Decision::Continue;
  };
  Execution(context).tell({.phase = "block", .done = 2, .of = 5});
  Execution(context.quiet()).tell({.phase = "block", .done = 3, .of = 5});
  EXPECT_EQ(told, std::vector<std::string>{"block 2/5"});
}

}  // namespace
}  // namespace isthmus
