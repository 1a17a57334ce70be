#include "methods/source_references.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "isthmus/adapt.h"
#include "toy_domains.h"

namespace isthmus {
namespace {

using testing::toy_domains;
using testing::ToyDomains;

TEST(AffordableReferences, AreAllSourceSamplesUpToTheBudget) {
  EXPECT_EQ(affordable_references({2000, 1800, 100, 10}), 2000);  // the largest task of Table 1
  EXPECT_EQ(affordable_references({50'000, 50'000, 100, 10}), 50'000);
  EXPECT_EQ(affordable_references({200'000, 200'000, 100, 1}), 200'000);
  EXPECT_EQ(affordable_references({500'000, 100'000, 90, 1}), 500'000);  // 5e12 to the last
  EXPECT_EQ(affordable_references({500'001, 100'000, 90, 1}), 500'000);
}

TEST(AffordableReferences, FallAsTheTargetTheDimensionAndTheRoundsGrow) {
  EXPECT_EQ(affordable_references({100'000, 100'000, 90, 10}), 50'000);
  EXPECT_EQ(affordable_references({100'000, 1'000'000, 90, 10}), 5'000);
  EXPECT_EQ(affordable_references({100'000, 100'000, 990, 10}), 5'000);
  EXPECT_EQ(affordable_references({100'000, 100'000, 90, 100}), 5'000);
}

TEST(AffordableReferences, AreAThousandAtLeastWhereThereAreAsMany) {
  EXPECT_EQ(affordable_references({100'000, 2'000'000'000, 4096, 100}), 1000);
  EXPECT_EQ(affordable_references({300, 2'000'000'000, 4096, 100}), 300);
}

AdaptRequest request(std::string method, OptionMap options) {
  return {.method = std::move(method), .options = std::move(options), .preprocessing = {}};
}

bool has_note_of_drawing(const Model& model) {
  const auto& notes = model.report().notes;
  return std::any_of(notes.begin(), notes.end(), [](const std::string& note) {
    return note.find("source samples, drawn by the seed; classifier=nn compares it with all") !=
           std::string::npos;
  });
}

/// Two features and 2500 samples a domain, for which so many rounds are dear, though few are needed.
const OptionMap kManyRounds{{"rounds", "100000"}};
ToyDomains two_features() {
  return toy_domains(2, 1250, 2, 5);
}

TEST(ClassifierAuto, ComparesWithWhatIsAffordableAndSaysSo) {
  const ToyDomains toy = two_features();
  const Model model = adapt(toy.pair(), request("jda", kManyRounds));
  EXPECT_TRUE(has_note_of_drawing(model));
  EXPECT_EQ(model.requested_options().at("classifier"), "auto");
  EXPECT_EQ(model.requested_options().at("prototypes"), "auto");
  EXPECT_EQ(model.options().at("classifier"), "prototypes");
  EXPECT_EQ(model.options().at("prototypes"), "1666");
  OptionMap same = kManyRounds;
  same.insert({{"classifier", "prototypes"}, {"prototypes", "1666"}});
  EXPECT_EQ(model.target().probabilities, adapt(toy.pair(), request("jda", same)).target().probabilities);
}

TEST(ClassifierAuto, LeavesTheRestToWhoGivesTheNumberOrAsksForAll) {
  const DomainPair pair = two_features().pair();
  for (const auto& [name, value] : OptionMap{{"prototypes", "20"}, {"classifier", "nn"}}) {
    OptionMap options = kManyRounds;
    options[name] = value;
    const Model model = adapt(pair, request("jda", options));
    EXPECT_EQ(has_note_of_drawing(model), name == "prototypes");
    EXPECT_EQ(model.options().at(name), value);
  }
}

class SourceReferencesOf : public ::testing::TestWithParam<const char*> {};

TEST_P(SourceReferencesOf, AreAllSourceSamplesByDefault) {
  const ToyDomains toy = toy_domains(6, 20, 3, 7);
  const Model model = adapt(toy.pair(), request(GetParam(), {}));
  const Model exact = adapt(toy.pair(), request(GetParam(), {{"classifier", "nn"}}));
  EXPECT_EQ(model.options().at("classifier"), "nn");
  EXPECT_FALSE(has_note_of_drawing(model));
  EXPECT_EQ(model.target().labels, exact.target().labels);
  EXPECT_EQ(model.target().probabilities, exact.target().probabilities);
}

TEST_P(SourceReferencesOf, MayBeMeansOrPrototypesAndLabelNewSamplesTheSameWay) {
  const ToyDomains toy = toy_domains(6, 20, 3, 7);
  for (const char* classifier : {"mean", "prototypes"}) {
    const Model model = adapt(toy.pair(), request(GetParam(), {{"classifier", classifier}}));
    EXPECT_EQ(model.options().at("classifier"), classifier);
    EXPECT_EQ(model.predict(toy.target).labels, model.target().labels) << classifier;
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, SourceReferencesOf,
                         ::testing::Values("pca", "gfk", "sa", "coral", "tca", "jda", "cdda", "lrsr", "ltsl",
                                           "tsl"),
                         [](const auto& made) { return std::string(made.param); });

}  // namespace
}  // namespace isthmus
