#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bench/suite.h"
#include "bench/suite_output.h"
#include "bench/suite_run.h"
#include "benchmark_data.h"
#include "isthmus/version.h"

namespace isthmus {
namespace {

TEST(Fields, WhatNotAdaptingGivesIsThatOfTheDocs) {
#ifndef NDEBUG
  GTEST_SKIP() << "takes minutes without optimisation: the release build runs it";
#endif
  ISTHMUS_REQUIRE_FIELDS(data);
  const Suite suite = read_suite(data / "suite.json", {0}, parse_method_list("nn,logistic"));
  ASSERT_EQ(suite.cells.size(), 78U);
  Context context;
  context.threads = available_cores();
  std::vector<std::string> found;
  for (const SuiteAverage& average : suite_averages(run_suite(suite, {}, context))) {
    if (average.tasks == "all") continue;
    found.push_back(fmt::format("{} {} {:.2f}", average.method, average.tasks, average.ours.value()));
  }
  // docs/fields.md
  EXPECT_EQ(found, (std::vector<std::string>{"nn gas 68.41", "nn amazon 64.22", "nn pbmc 80.80",
                                             "nn wisdm 56.54", "logistic gas 65.96", "logistic amazon 77.86",
                                             "logistic pbmc 92.56", "logistic wisdm 66.44"}));
}

}  // namespace
}  // namespace isthmus
