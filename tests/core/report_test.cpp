#include "isthmus/report.h"

#include <gtest/gtest.h>

#include <atomic>

#include "isthmus/context.h"
#include "isthmus/errors.h"

namespace isthmus {
namespace {

TEST(Status, WordsReadBack) {
  for (const Status status : {Status::Converged, Status::IterationLimit, Status::Stopped, Status::Stalled}) {
    EXPECT_EQ(parse_status(to_string(status)), status);
  }
  EXPECT_THROW(parse_status("done"), InvalidArgument);
}

TEST(PhaseTimer, AddsUpPhasesInTheOrderTheyRan) {
  Report report;
  { const PhaseTimer timer(report, "first"); }
  { const PhaseTimer timer(report, "second"); }
  { const PhaseTimer timer(report, "first"); }
  ASSERT_EQ(report.seconds.size(), 2U);
  EXPECT_EQ(report.seconds[0].first, "first");
  EXPECT_GE(report.seconds[0].second, 0.0);
}

TEST(Context, CancelWinsOverTheCallback) {
  std::atomic<bool> cancel{false};
  Context context;
  context.cancel = [&] { return cancel.load(); };
  int calls = 0;
  context.on_iteration = [&](const IterationInfo&) {
    ++calls;
    return Decision::Continue;
  };
  EXPECT_EQ(context.report({}), Decision::Continue);
  cancel = true;
  EXPECT_EQ(context.report({}), Decision::Stop);
  EXPECT_EQ(calls, 2);
}

}  // namespace
}  // namespace isthmus
