#include <gtest/gtest.h>

#include <set>

#include "isthmus/adapt.h"
#include "isthmus/errors.h"
#include "toy_domains.h"

namespace isthmus {
namespace {

TEST(Registry, EveryMethodSaysWhatItIsAndDescribesItsOptions) {
  std::set<std::string_view> names;
  for (const MethodInfo& method : methods()) {
    EXPECT_TRUE(names.insert(method.name).second) << method.name;
    EXPECT_FALSE(method.title.empty()) << method.name;
    EXPECT_TRUE(method.summary.ends_with('.')) << method.name;
    EXPECT_FALSE(method.reference.empty()) << method.name;
    for (const OptionSpec& option : method.options) {
      EXPECT_FALSE(option.help.empty()) << method.name << "." << option.name;
      EXPECT_FALSE(option.range.empty()) << method.name << "." << option.name;
    }
  }
}

TEST(Registry, AnUnknownMethodGetsADidYouMean) {
  try {
    find_method("pac");
    FAIL();
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'pca'?"), std::string::npos) << error.what();
  }
}

TEST(Registry, AnUnknownOptionIsRefusedBeforeAnyWork) {
  const auto toy = testing::toy_domains(4, 5, 2, 1);
  EXPECT_THROW(adapt(toy.pair(), {.method = "pca", .options = {{"compnents", "2"}}, .preprocessing = {}}),
               InvalidArgument);
}

TEST(Registry, AModelRecordsEveryOptionWithTheValueUsed) {
  const auto toy = testing::toy_domains(4, 5, 2, 1);
  const Model model =
      adapt(toy.pair(), {.method = "pca", .options = {{"components", "2"}}, .preprocessing = {}});
  EXPECT_EQ(model.options(), (OptionMap{{"components", "2"},
                                        {"classifier", "nn"},
                                        {"prototypes", "auto"},
                                        {"classifier_ridge", "auto"},
                                        {"balanced", "false"}}));
  EXPECT_EQ(model.method(), "pca");
  EXPECT_EQ(model.dimension(), 4);
}

TEST(Registry, ARequestThatSaysNothingTakesTheDefaultsOfTheProgram) {
  const AdaptRequest request;
  EXPECT_EQ(request.method, default_method());
  EXPECT_EQ(request.preprocessing.to_string(), default_preprocessing());
  const Model model = adapt(testing::toy_domains(4, 5, 2, 1).pair(), {});
  EXPECT_EQ(model.method(), "rsa-cdda");
  EXPECT_EQ(model.preprocessing().to_string(), "zscore:joint") << "not auto: what new samples get";
  const std::string& note = model.report().notes.back();
  EXPECT_EQ(note.rfind("prepared by zscore:joint, chosen from the features: 4 features", 0), 0U) << note;
}

/// Six readings, each in a unit of its own; every third says which of two classes a sample is of, the last
/// one is large and says nothing. The classes have 100·share of 100 samples; `drift` moves and stretches the
/// target.
testing::ToyDomains six_units(double source_share, double target_share, double drift) {
  Vector unit(6);
  unit << 1e-3, 0.1, 1.0, 20.0, 500.0, 1e5;
  const auto draw = [&](double share, std::uint64_t seed, std::vector<std::string>& names) {
    Matrix readings = testing::random_matrix(6, 100, seed);
    for (Index i = 0; i < 100; ++i) {
      const bool second = static_cast<double>(i) < 100.0 * share;
      if (second) readings.col(i).head(4).array() += 4.0;
      names.emplace_back(second ? "b" : "a");
    }
    return readings;
  };
  testing::ToyDomains toy;
  toy.source = unit.asDiagonal() * draw(source_share, 1, toy.source_names);
  const Matrix target = draw(target_share, 2, toy.target_names);
  toy.target = unit.asDiagonal() * Matrix((1.0 + drift) * target.array() + 10.0 * drift);
  return toy;
}

double accuracy_on(const testing::ToyDomains& toy, const AdaptRequest& request) {
  const DomainPair pair = toy.pair();
  return accuracy_percent(adapt(pair, request).target().labels, pair.target_truth());
}

TEST(DefaultPreparation, IsRightWhereAFixedOneIsWrong) {
  const auto with = [](const char* steps) {
    return AdaptRequest{.method = "nn", .preprocessing = Preprocessing::parse(steps)};
  };
  const testing::ToyDomains alike = six_units(0.5, 0.5, 0);
  EXPECT_LT(accuracy_on(alike, with("l2")), 75);
  EXPECT_GT(accuracy_on(alike, {.method = "nn"}), 95);
  // Other shares of the classes: statistics by domain move one class onto the other.
  const testing::ToyDomains shares = six_units(0.3, 0.7, 0);
  EXPECT_LT(accuracy_on(shares, with("zscore:domain")), 90);
  EXPECT_GT(accuracy_on(shares, {.method = "nn"}), 95);
  // Other offsets and gains: joint statistics leave the domains apart.
  const testing::ToyDomains drifted = six_units(0.5, 0.5, 0.5);
  EXPECT_LT(accuracy_on(drifted, with("zscore:joint")), 75);
  EXPECT_GT(accuracy_on(drifted, {.method = "nn"}), 95);
}

TEST(Registry, ClassIdsKeepTheMeaningThatTheCallerGaveThem) {
  const auto toy = testing::toy_domains(5, 12, 3, 2);
  const DomainPair sorted = toy.pair();
  // The same labels under names in another order: class0 → walk, class1 → run, class2 → sit.
  const DomainPair named({toy.source, Labels{ClassNames({"walk", "run", "sit"}), sorted.source_labels()}},
                         {toy.target, {}});
  const Model model = adapt(named, {.method = "jda"});
  EXPECT_EQ(model.target().labels, adapt(sorted, {.method = "jda"}).target().labels);
  EXPECT_EQ(model.classes().all(), (std::vector<std::string>{"walk", "run", "sit"}));
}

/// Options that a method does not use with the others as they are, and so never chooses.
bool unused(const std::string& method, const std::string& option) {
  // Of logistic regression, where 1-NN labels; RSA-CDDA's is a number, of its structural risk.
  if (option == "classifier_ridge") return method != "rsa-cdda";
  // Of those that label; LRSR's and LTSL's rebuild.
  if (option == "prototypes") return method != "lrsr" && method != "ltsl";
  const bool matching = method == "tca" || method == "jda" || method == "cdda";
  return matching && (option == "width" || option == "kernel_size");
}

TEST(Registry, AModelTellsWhatWasUsedAndAFitWithItRepeatsIt) {
  const DomainPair pair = testing::toy_domains(6, 20, 3, 72).pair();
  for (const MethodInfo& method : methods()) {
    const std::string name(method.name);
    const Model model = adapt(pair, {.method = name, .preprocessing = {}});
    for (const OptionSpec& option : method.options) {
      const std::string& asked = model.requested_options().at(option.name);
      const std::string& used = model.options().at(option.name);
      EXPECT_EQ(asked, option.default_value) << name << "." << option.name;
      EXPECT_EQ(used == "auto", unused(name, option.name)) << name << "." << option.name;
      EXPECT_TRUE(option.automatic || used == asked) << name << "." << option.name;
    }
    const Model again = adapt(pair, {.method = name, .options = model.options(), .preprocessing = {}});
    EXPECT_EQ(again.options(), model.options()) << name;
    EXPECT_EQ(again.target().labels, model.target().labels) << name;
    EXPECT_TRUE(again.target().probabilities.isApprox(model.target().probabilities, 1e-9)) << name;
  }
}

TEST(Registry, AKernelTellsItsWidthAndSizeAndAFitWithThemRepeatsIt) {
  const DomainPair pair = testing::toy_domains(6, 20, 3, 73).pair();
  for (const char* limit : {"1000", "50"}) {
    const AdaptRequest request{.method = "jda",
                               .options = {{"kernel", "rbf"}, {"exact_limit", limit}, {"landmarks", "30"}},
                               .preprocessing = {}};
    const Model model = adapt(pair, request);
    EXPECT_EQ(model.options().at("kernel_size"), limit == std::string("50") ? "landmarks" : "exact");
    EXPECT_NE(model.options().at("width"), "auto");
    const Model again = adapt(pair, {.method = "jda", .options = model.options(), .preprocessing = {}});
    EXPECT_EQ(again.options(), model.options());
    EXPECT_EQ(again.target().probabilities, model.target().probabilities);
  }
}

TEST(Registry, DefaultsTakeDataOfFewFeatures) {
  const DomainPair pair = testing::toy_domains(3, 10, 2, 71).pair();
  for (const MethodInfo& method : methods()) {
    const Model model = adapt(pair, {.method = std::string(method.name), .options = {}, .preprocessing = {}});
    EXPECT_EQ(model.target().labels.size(), 20U) << method.name;
  }
}

}  // namespace
}  // namespace isthmus
