#include <gtest/gtest.h>

#include <algorithm>

#include "isthmus/isthmus.h"

namespace isthmus {
namespace {

struct Case {
  const char* method;
  OptionMap options;
};

DomainPair digits() {
  return make_demo({.source_count = 400, .target_count = 300});
}

Model fit(const Case& what, const std::string& search, int threads) {
  OptionMap options = what.options;
  if (!search.empty()) options["search"] = search;
  Context context;
  context.threads = threads;
  return adapt(digits(), {.method = what.method, .options = options, .preprocessing = {}}, context);
}

class SearchOption : public ::testing::TestWithParam<Case> {};

TEST_P(SearchOption, IsExactByDefaultAndSaysNothingThen) {
  const Model plain = fit(GetParam(), "", 1);
  const Model exact = fit(GetParam(), "exact", 1);
  EXPECT_EQ(plain.target().labels, exact.target().labels);
  EXPECT_EQ(plain.target().probabilities, exact.target().probabilities);
  EXPECT_EQ(plain.report().facts.count("neighbour_recall"), 0U);
}

TEST_P(SearchOption, ApproximateFindsNearlyTheSameLabelsAndTellsItsRecall) {
  const Model exact = fit(GetParam(), "exact", 1);
  const Model approximate = fit(GetParam(), "approximate", 1);
  Index same = 0;
  for (std::size_t j = 0; j < exact.target().labels.size(); ++j) {
    same += exact.target().labels[j] == approximate.target().labels[j] ? 1 : 0;
  }
  EXPECT_GE(same, 285);
  const double recall = approximate.report().facts.at("neighbour_recall");
  EXPECT_GT(recall, 0.9);
  EXPECT_LE(recall, 1.0);
  const auto& notes = approximate.report().notes;
  EXPECT_TRUE(std::any_of(notes.begin(), notes.end(), [](const std::string& note) {
    return note.find("searched approximately") != std::string::npos;
  }));
}

TEST_P(SearchOption, ApproximateGivesTheSameBytesOnAnyNumberOfThreads) {
  const Model one = fit(GetParam(), "approximate", 1);
  const Model three = fit(GetParam(), "approximate", 3);
  EXPECT_EQ(one.target().labels, three.target().labels);
  EXPECT_EQ(one.target().probabilities, three.target().probabilities);
  EXPECT_EQ(one.report().facts.at("neighbour_recall"), three.report().facts.at("neighbour_recall"));
}

INSTANTIATE_TEST_SUITE_P(Methods, SearchOption,
                         ::testing::Values(Case{"jda", {{"components", "20"}, {"rounds", "3"}}},
                                           Case{"rsa-cdda", {{"committee", "1"}, {"rounds", "2"}}}),
                         [](const auto& made) { return std::string(made.param.method).substr(0, 3); });

}  // namespace
}  // namespace isthmus
