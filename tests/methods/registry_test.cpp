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
  EXPECT_THROW(adapt(toy.pair(), {.method = "pca", .options = {{"compnents", "2"}}}), InvalidArgument);
}

TEST(Registry, AModelRecordsEveryOptionWithTheValueUsed) {
  const auto toy = testing::toy_domains(4, 5, 2, 1);
  const Model model = adapt(toy.pair(), {.method = "pca", .options = {{"components", "2"}}});
  EXPECT_EQ(model.options(), (OptionMap{{"components", "2"}}));
  EXPECT_EQ(model.method(), "pca");
  EXPECT_EQ(model.dimension(), 4);
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
