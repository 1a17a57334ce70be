#include <gtest/gtest.h>

#include "benchmark_data.h"
#include "eval/suite.h"
#include "eval/suite_output.h"
#include "eval/suite_run.h"

namespace isthmus {
namespace {

TEST(Fields, WhatNotAdaptingGivesIsWhatOthersMeasured) {
  ISTHMUS_REQUIRE_FIELDS(data);
  Suite suite = read_suite(data / "suite.json", {0}, parse_method_list("nn,logistic"));
  keep_tasks(suite, "pbmc");
  ASSERT_EQ(suite.cells.size(), 12U);
  const std::vector<SuiteAverage> averages = suite_averages(run_suite(suite, {}, {}));
  ASSERT_EQ(averages.size(), 4U);
  EXPECT_NEAR(averages[0].ours.value(), 80.80, 0.005) << "scikit-learn's 1-NN";
  EXPECT_NEAR(averages[2].ours.value(), 90.56, 1.0) << "scikit-learn's logistic regression with C = 10";
}

}  // namespace
}  // namespace isthmus
