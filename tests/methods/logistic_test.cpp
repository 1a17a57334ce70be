#include "methods/logistic.h"

#include <gtest/gtest.h>

#include <array>

#include "isthmus/adapt.h"
#include "isthmus/errors.h"
#include "scratch_folder.h"
#include "toy_domains.h"

namespace isthmus {
namespace {

using testing::labels_of;
using testing::random_matrix;
using testing::toy_domains;
using testing::ToyDomains;

double accuracy(const Model& model, const ToyDomains& toy) {
  return accuracy_percent(model.target().labels, toy.pair().target_truth());
}

/// Two classes that only the first of many noisy features tells apart, 9 : 1.
ToyDomains noisy_domains(std::uint64_t seed) {
  ToyDomains toy{random_matrix(60, 400, seed), random_matrix(60, 400, seed + 1), {}, {}};
  for (Index i = 0; i < 400; ++i) {
    const bool rare = i % 10 == 0;
    toy.source(0, i) += rare ? 3.0 : -3.0;
    toy.target(0, i) += rare ? 3.0 : -3.0;
    toy.source_names.emplace_back(rare ? "rare" : "usual");
    toy.target_names.emplace_back(rare ? "rare" : "usual");
  }
  return toy;
}

TEST(LogisticMethod, BeatsNearestNeighbourWhereMostFeaturesAreNoise) {
  const ToyDomains toy = noisy_domains(1);
  const double nearest = accuracy(adapt(toy.pair(), {.method = "nn"}), toy);
  const double logistic = accuracy(adapt(toy.pair(), {.method = "logistic"}), toy);
  EXPECT_GT(logistic, 98.0);
  EXPECT_GT(logistic, nearest);
}

TEST(LogisticMethod, ServesAsClassifierOfEveryMethodThatLabelsInAnEmbedding) {
  const ToyDomains toy = noisy_domains(2);
  for (const char* method : {"pca", "gfk", "tca", "tsl", "jda", "cdda", "lrsr", "ltsl", "sa", "coral"}) {
    const Model model = adapt(toy.pair(), {.method = method,
                                           .options = {{"classifier", "logistic"}},
                                           .preprocessing = Preprocessing::parse("l2")});
    EXPECT_GT(accuracy(model, toy), 85.0) << method;
    EXPECT_GT(model.report().facts.at("classifier_ridge"), 0) << method;
    const Model given = adapt(
        toy.pair(), {.method = method, .options = {{"classifier", "logistic"}, {"classifier_ridge", "3"}}});
    EXPECT_EQ(given.report().facts.at("classifier_ridge"), 3) << method;
  }
}

TEST(LogisticMethod, BalancedWeightsFindMoreOfTheRareClass) {
  ToyDomains toy = noisy_domains(3);
  toy.source.row(0) *= 0.2;
  toy.target.row(0) *= 0.2;
  const auto rare = [&](const char* balanced) {
    const std::vector<int> labels = labels_of(toy, {.method = "logistic",
                                                    .options = {{"balanced", balanced}, {"ridge", "1"}},
                                                    .preprocessing = Preprocessing::parse("l2")});
    return std::count(labels.begin(), labels.end(), 0);
  };
  EXPECT_GT(rare("true"), rare("false") + 20);
}

TEST(LogisticMethod, ASavedModelLabelsAsTheFittedOne) {
  const testing::ScratchFolder folder;
  const ToyDomains toy = toy_domains(7, 20, 3, 4);
  for (const char* method : {"logistic", "jda"}) {
    AdaptRequest request{.method = method};
    if (request.method == "jda") request.options = {{"classifier", "logistic"}, {"components", "3"}};
    const Model model = adapt(toy.pair(), request);
    model.save(folder / "model");
    const Prediction loaded = Model::load(folder / "model").predict(toy.target);
    EXPECT_EQ(loaded.labels, model.target().labels) << method;
    EXPECT_EQ(loaded.probabilities, model.predict(toy.target).probabilities) << method;
  }
}

TEST(LogisticMethod, TellsWhatItChoseAndHowItEnded) {
  const ToyDomains toy = toy_domains(5, 30, 3, 5);
  const Model model = adapt(toy.pair(), {.method = "logistic"});
  EXPECT_EQ(model.report().status, Status::Converged);
  EXPECT_GT(model.report().facts.at("ridge"), 0);
  Context context;
  context.on_iteration = [](const IterationInfo&) { return Decision::Stop; };
  EXPECT_EQ(adapt(toy.pair(), {.method = "logistic"}, context).report().status, Status::Stopped);
  context.cancel = [] { return true; };
  EXPECT_THROW(adapt(toy.pair(), {.method = "logistic"}, context), Cancelled);
}

TEST(LogisticMethod, CancelledItKeepsItsLastStepAndAsAClassifierNone) {
  const ToyDomains toy = toy_domains(5, 30, 3, 5);
  bool stepped = false;
  Context context;
  context.on_iteration = [&](const IterationInfo&) {
    stepped = true;
    return Decision::Continue;
  };
  context.cancel = [&] { return stepped; };
  const Report report = adapt(toy.pair(), {.method = "logistic"}, context).report();
  EXPECT_EQ(report.status, Status::Stopped);
  EXPECT_EQ(report.iterations, 1);

  LogisticOptions options{.ridge = 1.0};
  stepped = false;
  const DomainPair pair = toy.pair();
  EXPECT_THROW(fit_source_logistic(pair.source(), pair.source_labels(), 3, options, context), Cancelled);
}

}  // namespace
}  // namespace isthmus
