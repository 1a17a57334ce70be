#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <tuple>

#include "core/options_io.h"
#include "isthmus/adapt.h"
#include "isthmus/errors.h"
#include "scratch_folder.h"
#include "shifted_domains.h"

namespace isthmus {
namespace {

std::string bytes_of(const Model& model) {
  const testing::ScratchFolder folder;
  const auto path = folder / "model.safetensors";
  model.save(path);
  std::ostringstream all;
  all << std::ifstream(path, std::ios::binary).rdbuf();
  return all.str();
}

/// One of each method, most with a value that is not the default.
const auto kAll = std::make_tuple(
    NnOptions{}, LogisticOptions{.ridge = 0.3}, PcaOptions{.components = 3},
    GfkOptions{.subspace = 2, .classifier = {.classifier = Reference::Means}},
    TcaOptions{.matching = {.components = 3, .lambda = 1.0 / 3.0}}, TslOptions{.iterations = 3},
    JdaOptions{.matching = {.kernel = {.kernel = Kernel::Rbf}}, .rounds = {.rounds = 2}},
    CddaOptions{.form = RepulsionForm::Algebraic}, LrsrOptions{.iterations = 2},
    LtslOptions{.criterion = LtslCriterion::Lda, .rounds = 1},
    RsaCddaOptions{.committee = 2, .rounds = 2, .components = {2, 3}, .lambda = 0.1},
    SaOptions{.components = 2}, CoralOptions{.regularization = 0.7});

TEST(TypedOptions, GiveTheBytesOfTheSameOptionsAsTextForEveryMethod) {
  const auto pair = testing::moved_domains(1).pair();
  std::set<std::string> seen;
  std::apply(
      [&](const auto&... options) {
        const auto check = [&](const auto& o) {
          const Model typed = adapt(pair, o, {.seed = 3}, Preprocessing::parse("zscore"));
          const Model text = adapt(pair,
                                   {.method = typed.method(),
                                    .options = values_of(o),
                                    .preprocessing = Preprocessing::parse("zscore")},
                                   {.seed = 3});
          EXPECT_EQ(typed.requested_options(), values_of(o)) << typed.method();
          EXPECT_TRUE(bytes_of(typed) == bytes_of(text)) << typed.method();
          seen.insert(typed.method());
        };
        (check(options), ...);
      },
      kAll);
  for (const MethodInfo& method : methods())
    EXPECT_TRUE(seen.contains(std::string(method.name))) << method.name;
}

TEST(TypedOptions, AreHeldToTheSameBounds) {
  const auto pair = testing::moved_domains(1).pair();
  try {
    adapt(pair, JdaOptions{.rounds = {.rounds = 0}});
    FAIL();
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find("option 'rounds' of method 'jda' is '0'"), std::string::npos)
        << error.what();
  }
}

TEST(TypedOptions, ArePreparedForAsTheProgramDoesUnlessToldOtherwise) {
  const auto pair = testing::moved_domains(1).pair();
  EXPECT_TRUE(bytes_of(adapt(pair, PcaOptions{})) == bytes_of(adapt(pair, {.method = "pca"})));
}

}  // namespace
}  // namespace isthmus
