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
  EXPECT_EQ(
      model.options(),
      (OptionMap{
          {"components", "2"}, {"classifier", "nn"}, {"classifier_ridge", "auto"}, {"balanced", "false"}}));
  EXPECT_EQ(model.method(), "pca");
  EXPECT_EQ(model.dimension(), 4);
}

TEST(Registry, ARequestThatSaysNothingTakesTheDefaultsOfTheProgram) {
  const AdaptRequest request;
  EXPECT_EQ(request.method, default_method());
  EXPECT_EQ(request.preprocessing.to_string(), default_preprocessing());
  const Model model = adapt(testing::toy_domains(4, 5, 2, 1).pair(), {});
  EXPECT_EQ(model.method(), "rsa-cdda");
  EXPECT_EQ(model.preprocessing().to_string(), "l2");
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
