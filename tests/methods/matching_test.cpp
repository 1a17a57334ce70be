#include "methods/matching.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "isthmus/adapt.h"
#include "isthmus/errors.h"
#include "methods/cdda.h"
#include "methods/jda.h"
#include "methods/tca.h"
#include "toy_domains.h"

namespace isthmus {
namespace {

using testing::labels_of;
using testing::random_matrix;
using testing::random_order;
using testing::random_rotation;
using testing::reordered;
using testing::toy_domains;
using testing::ToyDomains;

/// A harder toy: the classes overlap and the target is moved by as much as they are apart.
ToyDomains shifted_domains(Index per_class, std::uint64_t seed) {
  ToyDomains toy = toy_domains(8, per_class, 4, seed);
  toy.target.colwise() += Vector(3.0 * random_matrix(8, 1, seed + 50));
  return toy;
}

AdaptRequest request(std::string method, OptionMap options) {
  options.emplace("components", "4");
  AdaptRequest wanted;
  wanted.method = std::move(method);
  wanted.options = std::move(options);
  wanted.preprocessing = {};
  return wanted;
}

class Matching : public ::testing::TestWithParam<AdaptRequest> {};

TEST_P(Matching, LabelsDoNotDependOnSampleOrder) {
  const ToyDomains toy = shifted_domains(25, 4);
  const auto source_order = random_order(toy.source.cols(), 5);
  const auto target_order = random_order(toy.target.cols(), 6);
  const ToyDomains shuffled = toy.in_order(source_order, target_order);
  EXPECT_EQ(labels_of(shuffled, GetParam()), reordered(labels_of(toy, GetParam()), target_order));
}

TEST_P(Matching, LabelsFollowARenamingThatAlsoReordersTheClasses) {
  const ToyDomains toy = shifted_domains(25, 7);
  ToyDomains renamed = toy;
  const std::vector<int> new_id{2, 0, 3, 1};
  for (std::string& name : renamed.source_names) {
    name = "kind" + std::to_string(new_id[static_cast<std::size_t>(name.back() - '0')]);
  }
  std::vector<int> expected = labels_of(toy, GetParam());
  for (int& label : expected) label = new_id[static_cast<std::size_t>(label)];
  EXPECT_EQ(labels_of(renamed, GetParam()), expected);
}

TEST_P(Matching, LabelsDoNotDependOnTheThreadCount) {
  const ToyDomains toy = shifted_domains(300, 9);
  AdaptRequest wanted = GetParam();
  wanted.options["kernel_size"] = "landmarks";  // an exact kernel of 2400 samples would take minutes
  wanted.options["landmarks"] = "60";
  const Model one = adapt(toy.pair(), wanted, {.threads = 1});
  const Model three = adapt(toy.pair(), wanted, {.threads = 3});
  EXPECT_EQ(one.target().labels, three.target().labels);
  EXPECT_EQ(one.target().probabilities, three.target().probabilities);
}

TEST_P(Matching, PredictingTheFittedTargetGivesItsLabels) {
  const ToyDomains toy = shifted_domains(25, 10);
  const Model model = adapt(toy.pair(), GetParam());
  EXPECT_EQ(model.predict(toy.target).labels, model.target().labels);
}

TEST_P(Matching, BeatsNearestNeighbourOnShiftedDomains) {
  const ToyDomains toy = shifted_domains(40, 11);
  const std::vector<int> truth = toy.pair().target_truth();
  const AdaptRequest plain{.method = "nn", .preprocessing = {}};
  EXPECT_GT(accuracy_percent(labels_of(toy, GetParam()), truth),
            accuracy_percent(labels_of(toy, plain), truth));
}

TEST_P(Matching, ReportsEveryRound) {
  const Report report = adapt(shifted_domains(25, 12).pair(), GetParam()).report();
  const auto rounds = static_cast<std::size_t>(report.iterations);
  ASSERT_GE(rounds, 1U);
  for (const char* name : {"objective", "variance", "closeness", "ridge", "repulsion", "eigen_residual",
                           "label_changes", "mmd_marginal_before", "mmd_marginal", "mmd_class_before",
                           "mmd_class", "mmd_class:class0", "mmd_class_before:class3"}) {
    ASSERT_TRUE(report.series.contains(name)) << name;
    EXPECT_EQ(report.series.at(name).size(), rounds) << name;
  }
  EXPECT_LT(report.series.at("eigen_residual").back(), 1e-10);
  EXPECT_LT(report.series.at("mmd_marginal").back(), report.series.at("mmd_marginal_before").back());
  EXPECT_LT(report.series.at("mmd_class").back(), report.series.at("mmd_class_before").back());
}

INSTANTIATE_TEST_SUITE_P(
    Methods, Matching,
    ::testing::Values(request("tca", {}),
                      request("tca", {{"kernel", "rbf"}, {"normalize_embedding", "true"}}),
                      request("jda", {}), request("jda", {{"kernel", "linear"}}),
                      request("jda", {{"kernel", "rbf"}, {"kernel_size", "exact"}}),
                      request("jda", {{"kernel", "laplace"}, {"scaling", "metric"}}),
                      request("jda", {{"kernel", "polynomial"}, {"scaling", "whitened"}}),
                      request("jda", {{"weighting", "balanced"}, {"balance", "0.8"}}),
                      request("jda", {{"classifier", "mean"}}), request("jda", {{"classifier", "logistic"}}),
                      request("cdda", {{"form", "ratio"}}),
                      request("cdda", {{"form", "algebraic"}, {"classifier", "mean"}})));

class RotationFree : public ::testing::TestWithParam<AdaptRequest> {};

TEST_P(RotationFree, LabelsDoNotDependOnARotationOfTheFeatures) {
  const ToyDomains toy = shifted_domains(25, 13);
  ToyDomains turned = toy;
  const Matrix rotation = random_rotation(8, 8);
  turned.source = rotation * toy.source;
  turned.target = rotation * toy.target;
  EXPECT_EQ(labels_of(turned, GetParam()), labels_of(toy, GetParam()));
}

TEST_P(RotationFree, LabelsAreTheSameWithFarMoreFeaturesThanSamples) {
  const ToyDomains toy = shifted_domains(5, 14);
  ToyDomains wide = toy;
  const Matrix isometry = random_rotation(60, 9).leftCols(8);
  wide.source = isometry * toy.source;
  wide.target = isometry * toy.target;
  ASSERT_LT(wide.source.cols() + wide.target.cols(), 60);
  EXPECT_EQ(labels_of(wide, GetParam()), labels_of(toy, GetParam()));
}

TEST(Cdda, RepelsAlsoWhenOnlyTheDomainsAsAWholeAreClosed) {
  const Report report =
      adapt(shifted_domains(25, 15).pair(), request("cdda", {{"weighting", "balanced"}, {"balance", "0"}}))
          .report();
  EXPECT_GE(report.iterations, 2);
  EXPECT_GT(report.series.at("repulsion").back(), 0.0);
}

INSTANTIATE_TEST_SUITE_P(Methods, RotationFree,
                         ::testing::Values(request("tca", {}), request("jda", {}),
                                           request("jda", {{"kernel", "linear"}}),
                                           request("jda", {{"kernel", "rbf"}}), request("cdda", {}),
                                           request("cdda", {{"form", "algebraic"}}),
                                           request("pca", {{"components", "3"}})));

class LambdaInPercent : public ::testing::TestWithParam<AdaptRequest> {};

TEST_P(LambdaInPercent, MeansTheSameForFeaturesOfAnotherScale) {
  const ToyDomains toy = shifted_domains(25, 17);
  ToyDomains scaled = toy;
  scaled.source *= 1024.0;
  scaled.target *= 1024.0;
  EXPECT_EQ(labels_of(scaled, GetParam()), labels_of(toy, GetParam()));
}

TEST_P(LambdaInPercent, MeansTheSameWhenEverySampleIsThereTwice) {
  const ToyDomains toy = shifted_domains(25, 18);
  ToyDomains twice = toy;
  twice.source = toy.source.replicate(1, 2);
  twice.target = toy.target.replicate(1, 2);
  twice.source_names.insert(twice.source_names.end(), toy.source_names.begin(), toy.source_names.end());
  twice.target_names.insert(twice.target_names.end(), toy.target_names.begin(), toy.target_names.end());
  std::vector<int> labels = labels_of(toy, GetParam());
  labels.insert(labels.end(), labels.begin(), labels.end());
  EXPECT_EQ(labels_of(twice, GetParam()), labels);
}

INSTANTIATE_TEST_SUITE_P(Methods, LambdaInPercent,
                         ::testing::Values(request("tca", {}), request("jda", {}),
                                           request("jda", {{"kernel", "linear"}}), request("cdda", {})));

class ConstantFeature : public ::testing::TestWithParam<AdaptRequest> {};

TEST_P(ConstantFeature, ChangesNothingWhereTheEmbeddingIsNotNormalised) {
  const ToyDomains toy = shifted_domains(25, 14);
  ToyDomains longer = toy;
  longer.source.conservativeResize(9, Eigen::NoChange);
  longer.target.conservativeResize(9, Eigen::NoChange);
  longer.source.row(8).setConstant(5.0);
  longer.target.row(8).setConstant(5.0);
  EXPECT_EQ(labels_of(longer, GetParam()), labels_of(toy, GetParam()));
}

INSTANTIATE_TEST_SUITE_P(
    Methods, ConstantFeature,
    ::testing::Values(request("tca", {}), request("jda", {{"normalize_embedding", "false"}}),
                      request("cdda", {{"normalize_embedding", "false"}}),
                      request("cdda", {{"normalize_embedding", "false"}, {"form", "algebraic"}})));

TEST(Matching, NystroemWithAllSamplesAsLandmarksEqualsTheExactKernel) {
  const ToyDomains toy = shifted_domains(20, 15);
  for (const char* kernel : {"rbf", "laplace", "polynomial"}) {
    const auto with = [&](const char* size) {
      return adapt(toy.pair(), request("jda", {{"kernel", kernel}, {"kernel_size", size}, {"width", "3"}}));
    };
    const Model exact = with("exact");
    const Model landmarks = with("landmarks");
    EXPECT_EQ(exact.target().labels, landmarks.target().labels) << kernel;
    EXPECT_LT((exact.target().probabilities - landmarks.target().probabilities).cwiseAbs().maxCoeff(), 1e-6)
        << kernel;
  }
}

TEST(Matching, AsManyPrototypesAsSamplesAreNearestNeighbour) {
  const ToyDomains toy = shifted_domains(20, 16);
  EXPECT_EQ(labels_of(toy, request("jda", {{"classifier", "prototypes"}, {"prototypes", "80"}})),
            labels_of(toy, request("jda", {})));
  const Model few = adapt(toy.pair(), request("jda", {{"classifier", "prototypes"}, {"prototypes", "12"}}));
  EXPECT_EQ(few.predict(toy.target).labels, few.target().labels);
}

TEST(Matching, StopsWhenToldWithTheRoundsSoFar) {
  const ToyDomains toy = shifted_domains(40, 17);
  const AdaptRequest wanted = request("jda", {{"rounds", "10"}});
  Context stopping;
  int rounds = 0;
  stopping.on_iteration = [&](const IterationInfo& info) {
    EXPECT_EQ(info.iteration, ++rounds);
    EXPECT_EQ(info.limit, 10);
    return Decision::Stop;
  };
  const Model stopped = adapt(toy.pair(), wanted, stopping);
  EXPECT_EQ(rounds, 1);
  EXPECT_EQ(stopped.report().status, Status::Stopped);
  EXPECT_EQ(stopped.target().labels, labels_of(toy, request("jda", {{"rounds", "1"}})));
}

TEST(Matching, StableLabelsEndTheRounds) {
  const Report report = adapt(shifted_domains(25, 18).pair(), request("jda", {{"rounds", "50"}})).report();
  EXPECT_EQ(report.status, Status::Converged);
  EXPECT_LT(report.iterations, 50);
  EXPECT_EQ(report.series.at("label_changes").back(), 0.0);
  EXPECT_EQ(report.series.at("label_changes").front(), 100.0);
}

TEST(Matching, RefusesMoreComponentsThanThereAreFeatures) {
  const ToyDomains toy = shifted_domains(5, 19);
  EXPECT_THROW(adapt(toy.pair(), request("tca", {{"components", "9"}})), InvalidArgument);
}

TEST(Matching, SaysWhichClassNoTargetSampleGot) {
  ToyDomains toy = shifted_domains(10, 20);
  toy.source.conservativeResize(Eigen::NoChange, 41);
  toy.source.col(40).setConstant(40.0);
  toy.source_names.emplace_back("far");
  const Report report = adapt(toy.pair(), request("cdda", {{"normalize_embedding", "false"}})).report();
  ASSERT_EQ(report.notes.size(), 1U);
  EXPECT_NE(report.notes[0].find("'far'"), std::string::npos);
}

}  // namespace
}  // namespace isthmus
