#include <gtest/gtest.h>

#include <cctype>

#include "isthmus/adapt.h"
#include "shifted_domains.h"

// Whether the methods adapt: each must be right where 1-NN is wrong.
namespace isthmus {
namespace {

using testing::moved_domains;
using testing::parted_domains;
using testing::stretched_domains;
using testing::ToyDomains;
using testing::turned_domains;

/// One draw proves little: accuracies are means over ten.
double mean_accuracy(ToyDomains (*draw)(std::uint64_t), const AdaptRequest& request) {
  constexpr int kDraws = 10;
  double sum = 0;
  for (std::uint64_t i = 0; i < kDraws; ++i) {
    const DomainPair pair = draw(100 * i + 1).pair();
    sum += accuracy_percent(adapt(pair, request).target().labels, pair.target_truth());
  }
  return sum / kDraws;
}

AdaptRequest unprepared(std::string method, OptionMap options = {}) {
  return {.method = std::move(method),
          .options = std::move(options),
          .preprocessing = Preprocessing::parse("none")};
}

/// Bounds hold with room to spare for any thirty draws looked at, not for these ten alone; between the weaker
/// method and the one under test there are fifteen points or more.
struct Problem {
  const char* name;
  ToyDomains (*draw)(std::uint64_t);
  AdaptRequest weaker;    ///< 1-NN, or what adapts to something else
  double weaker_at_most;  ///< percent
};

const Problem kMoved{"moved", moved_domains, unprepared("nn"), 30};
const Problem kParted{"parted", [](std::uint64_t seed) { return parted_domains(seed); }, unprepared("nn"),
                      70};
const Problem kTurned{"turned", turned_domains, unprepared("nn"), 64};
const Problem kStretched{"stretched", stretched_domains, unprepared("nn"), 46};

class WeakerMethod : public ::testing::TestWithParam<Problem> {};

TEST_P(WeakerMethod, IsWrong) {
  const Problem& problem = GetParam();
  EXPECT_LE(mean_accuracy(problem.draw, problem.weaker), problem.weaker_at_most);
}

// Beside 1-NN: matching the domains as wholes does not undo what happened to the classes, nor moving and
// scaling a turn, nor aligned subspaces a stretch within them.
INSTANTIATE_TEST_SUITE_P(
    Problems, WeakerMethod,
    ::testing::Values(kMoved, kParted, kTurned, kStretched,
                      Problem{"parted", kParted.draw, unprepared("tca", {{"components", "7"}}), 72},
                      Problem{"turned", kTurned.draw, unprepared("coral"), 64},
                      Problem{"stretched", kStretched.draw, unprepared("sa"), 46}),
    [](const auto& one) { return std::string(one.param.name) + "_" + one.param.weaker.method; });

struct Adapting {
  Problem problem;
  AdaptRequest request;
  double at_least;  ///< percent
};

std::string name_of(const Adapting& one) {
  std::string text = one.request.method + "_" + one.problem.name;
  for (const auto& [option, value] : one.request.options) text += "_" + option + "_" + value;
  for (char& c : text) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return text;
}

void PrintTo(const Adapting& one, std::ostream* out) {
  *out << name_of(one);
}

std::vector<Adapting> adapting() {
  const OptionMap three{{"components", "3"}};
  const OptionMap seven{{"components", "7"}};
  std::vector<Adapting> list{
      {kMoved, unprepared("tca", seven), 90},
      {kMoved, unprepared("jda", three), 95},
      {kMoved, unprepared("cdda", three), 95},
      {kMoved, unprepared("lrsr"), 95},
      {kMoved, unprepared("tsl"), 95},
      {kMoved, unprepared("sa", three), 95},
      {kMoved, unprepared("coral"), 95},
      {kParted, unprepared("jda", seven), 87},
      {kParted, unprepared("cdda", seven), 87},
      {kParted, unprepared("lrsr"), 95},
      {kParted, unprepared("ltsl", {{"criterion", "lda"}}), 95},
      {kParted, unprepared("rsa-cdda", {{"mode", "printed"}}), 85},
      {kTurned, unprepared("gfk", {{"subspace", "3"}}), 88},
      {kTurned, unprepared("sa", three), 94},
      {kTurned, unprepared("tsl", three), 93},
      {kTurned, unprepared("tsl", {{"components", "3"}, {"criterion", "pca"}}), 93},
      {kTurned, unprepared("ltsl", three), 86},
      {kStretched, unprepared("coral", {{"regularization", "0.01"}}), 90},
  };
  for (const OptionMap& options : std::vector<OptionMap>{{}, {{"committee", "1"}}, {{"mode", "corrected"}}}) {
    for (const Problem& problem : {kMoved, kParted, kTurned}) {
      list.push_back({problem, unprepared("rsa-cdda", options), 94});
    }
  }
  for (const OptionMap& options :
       std::vector<OptionMap>{{{"classifier", "nn"}},
                              {{"classifier", "propagation"}},
                              {{"classifier", "harmonic"}, {"z_weight", "0.1"}},
                              {{"classifier", "risk"}, {"z_edges", "0.1"}},
                              {{"geo", "0.1"}, {"closeness", "0"}, {"gamma", "0"}},
                              {{"components", "2,4,6"}},
                              {{"mode", "corrected"}, {"classifier", "nn"}},
                              {{"mode", "corrected"}, {"classifier", "geometry"}}}) {
    list.push_back({kParted, unprepared("rsa-cdda", options), 95});
  }
  return list;
}

class AdaptingMethod : public ::testing::TestWithParam<Adapting> {};

TEST_P(AdaptingMethod, IsRightWhereOneNearestNeighbourIsWrong) {
  const auto& [problem, request, at_least] = GetParam();
  EXPECT_GE(at_least, problem.weaker_at_most + 15);
  EXPECT_GE(mean_accuracy(problem.draw, request), at_least);
}

INSTANTIATE_TEST_SUITE_P(Problems, AdaptingMethod, ::testing::ValuesIn(adapting()),
                         [](const auto& one) { return name_of(one.param); });

}  // namespace
}  // namespace isthmus
