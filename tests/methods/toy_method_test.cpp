// A method that is not of the library: this file and one line that registers it are all it takes.
#include <gtest/gtest.h>

#include "isthmus/errors.h"
#include "methods/registry.h"
#include "methods/source_state.h"
#include "ops/operations.h"
#include "shifted_domains.h"

namespace isthmus::testing {
namespace {

/// Moves the target's mean by a share of its way to the source's, then 1-NN.
struct MeanShiftOptions {
  double share = 1.0;  ///< all of the way
  ReferenceOptions classifier{};
};

void describe(OptionVisitor& visit, MeanShiftOptions& o) {
  visit.real("share", o.share, {.low = 0.0, .high = 1.0}, "How far the target is moved.");
  describe_references(visit, o.classifier);
}

ModelState fit_mean_shift(const DomainPair& pair, MeanShiftOptions o, const Context& context) {
  Embedding target;
  target.offset =
      o.share * (ops::moments({pair.source()}, context).mean - ops::moments({pair.target()}, context).mean);
  return source_state(pair, o, std::move(target), Embedding{}, {}, context);
}

std::vector<Method> with_toy() {
  std::vector<Method> methods = registry();
  methods.push_back(entry("mean-shift", "Mean shift", "Moves means together.", "none", fit_mean_shift));
  return methods;
}

double accuracy(const ToyDomains& toy, const OptionMap& options) {
  const std::vector<Method> methods = with_toy();
  const Method& method = find_entry(methods, "mean-shift");
  const Model model = adapt_with(method, method.by_text(options), toy.pair(), {}, {});
  EXPECT_EQ(model.method(), "mean-shift");
  Index right = 0;
  for (std::size_t i = 0; i < toy.target_names.size(); ++i) {
    right += model.classes()[model.target().labels[i]] == toy.target_names[i] ? 1 : 0;
  }
  return static_cast<double>(right) / static_cast<double>(toy.target_names.size());
}

TEST(ToyMethod, AdaptsWithItsOwnFileAndOneLineOfRegistration) {
  const ToyDomains moved = moved_domains(7);
  EXPECT_LT(accuracy(moved, {{"share", "0"}}), 0.6);
  EXPECT_GT(accuracy(moved, {}), 0.95);
}

TEST(ToyMethod, IsAdaptedByItsStructHeldToItsBounds) {
  const std::vector<Method> methods = with_toy();
  const ToyDomains moved = moved_domains(7);
  const Method& method = find_entry(methods, "mean-shift");
  const auto fit = method.by_struct(MeanShiftOptions{.share = 0.5});
  ASSERT_TRUE(fit);
  EXPECT_EQ(adapt_with(method, *fit, moved.pair(), {}, {}).options().at("share"), "0.5");
  EXPECT_THROW(method.by_struct(MeanShiftOptions{.share = 2.0}), InvalidArgument);
  EXPECT_FALSE(method.by_struct(JdaOptions{}));
}

TEST(ToyMethod, LeavesTheListOfTheLibraryAsItIs) {
  EXPECT_EQ(with_toy().size(), registry().size() + 1);
  EXPECT_THROW(find_method("mean-shift"), InvalidArgument);
}

}  // namespace
}  // namespace isthmus::testing
