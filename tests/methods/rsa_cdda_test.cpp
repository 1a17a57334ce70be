#include "methods/rsa_cdda/rsa_cdda.h"

#include <gtest/gtest.h>

#include <tuple>

#include <unistd.h>

#include <filesystem>
#include <set>

#include "isthmus/adapt.h"
#include "isthmus/errors.h"
#include "methods/rsa_cdda/labels.h"
#include "shifted_domains.h"

namespace isthmus {
namespace {

using testing::parted_domains;
using testing::random_matrix;
using testing::random_order;
using testing::random_rotation;
using testing::reordered;
using testing::toy_domains;
using testing::ToyDomains;

/// Small dimensions, so that each fit takes milliseconds.
const OptionMap kSmall{{"components", "2,4,6"}};

OptionMap small(OptionMap more) {
  more.insert(kSmall.begin(), kSmall.end());
  return more;
}

Model fit(const ToyDomains& toy, const OptionMap& options = kSmall, const Context& context = {}) {
  return adapt(toy.pair(), {.method = "rsa-cdda", .options = options, .preprocessing = {}}, context);
}

double share_equal(const std::vector<int>& a, const std::vector<int>& b) {
  return accuracy_percent(a, b);
}

/// Every mode and classifier that can be asked for.
class RsaCddaVariant : public ::testing::TestWithParam<OptionMap> {};

TEST_P(RsaCddaVariant, GivesProbabilitiesThatSumToOneWithTheLabelOnTop) {
  const ToyDomains toy = toy_domains(8, 12, 4, 2);
  const Prediction target = fit(toy, small(GetParam())).target();
  ASSERT_EQ(target.probabilities.cols(), 48);
  EXPECT_GE(target.probabilities.minCoeff(), 0.0);
  EXPECT_LT((target.probabilities.colwise().sum().array() - 1.0).abs().maxCoeff(), 1e-9);
  const Vector best = target.probabilities.colwise().maxCoeff();
  EXPECT_LT((target.confidence() - best).cwiseAbs().maxCoeff(), 1e-9);
}

TEST_P(RsaCddaVariant, GivesTheSameBytesAgainAndOnAnyNumberOfThreads) {
  const ToyDomains toy = toy_domains(9, 110, 3, 3);
  const Model one = fit(toy, small(GetParam()), {.threads = 1});
  const Model again = fit(toy, small(GetParam()), {.threads = 1});
  const Model three = fit(toy, small(GetParam()), {.threads = 3});
  EXPECT_TRUE(one.target().probabilities == again.target().probabilities);
  EXPECT_TRUE(one.target().probabilities == three.target().probabilities);
  EXPECT_EQ(one.target().labels, three.target().labels);
  EXPECT_EQ(one.report().series, three.report().series);
}

TEST_P(RsaCddaVariant, CarriesItsLabelsToTheFittedTargetByPredict) {
  const ToyDomains toy = toy_domains(8, 60, 4, 4);
  const Model model = fit(toy, small(GetParam()));
  EXPECT_GE(share_equal(model.predict(toy.target).labels, model.target().labels), 98.0);
}

TEST_P(RsaCddaVariant, SurvivesTheWayThroughAFile) {
  const ToyDomains toy = toy_domains(7, 15, 3, 5);
  const Model model = fit(toy, small(GetParam()));
  const auto path =
      std::filesystem::temp_directory_path() / ("isthmus-rsa-" + std::to_string(::getpid()) + ".safetensors");
  model.save(path);
  const Model loaded = Model::load(path);
  std::filesystem::remove(path);
  EXPECT_EQ(loaded.target().labels, model.target().labels);
  EXPECT_TRUE(loaded.target().outlier_scores == model.target().outlier_scores);
  EXPECT_TRUE(loaded.target().explained_by == model.target().explained_by);
  EXPECT_TRUE(loaded.target().explanation_weights == model.target().explanation_weights);
  const Matrix samples = random_matrix(7, 25, 6);
  EXPECT_TRUE(loaded.predict(samples).probabilities == model.predict(samples).probabilities);
  EXPECT_EQ(loaded.predict(samples).labels, model.predict(samples).labels);
  EXPECT_EQ(loaded.options(), model.options());
}

TEST_P(RsaCddaVariant, TakesMoreFeaturesThanSamples) {
  const ToyDomains toy = toy_domains(60, 6, 3, 7);
  const Model model = fit(toy, small(GetParam()));
  EXPECT_TRUE(model.target().probabilities.allFinite());
  EXPECT_EQ(model.transform(toy.target).cols(), toy.target.cols());
}

TEST_P(RsaCddaVariant, TakesAClassOfOneSampleAndATargetOfOneSample) {
  ToyDomains toy = toy_domains(6, 10, 2, 8);
  toy.source.conservativeResize(Eigen::NoChange, 21);
  toy.source.col(20) = random_matrix(6, 1, 9);
  toy.source_names.emplace_back("lonely");
  EXPECT_TRUE(fit(toy, small(GetParam())).target().probabilities.allFinite());
  toy.target = Matrix(toy.target.leftCols(1));
  toy.target_names.resize(1);
  const Model model = fit(toy, small(GetParam()));
  EXPECT_EQ(model.target().labels.size(), 1U);
  EXPECT_TRUE(model.target().probabilities.allFinite());
}

TEST_P(RsaCddaVariant, TakesSamplesThatAreAllTheSame) {
  ToyDomains toy = toy_domains(5, 8, 2, 10);
  toy.source.setOnes();
  toy.target.setOnes();
  const Model model = fit(toy, small(GetParam()));
  EXPECT_TRUE(model.target().probabilities.allFinite());
  EXPECT_EQ(std::set<int>(model.target().labels.begin(), model.target().labels.end()).size(), 1U);
}

TEST_P(RsaCddaVariant, StoppedByTheCallbackReturnsWhatItHas) {
  const ToyDomains toy = toy_domains(8, 20, 3, 11);
  Context context;
  int calls = 0;
  context.on_iteration = [&](const IterationInfo& info) {
    EXPECT_EQ(info.iteration, ++calls);
    return Decision::Stop;
  };
  const Model model = fit(toy, small(GetParam()), context);
  EXPECT_EQ(model.report().status, Status::Stopped);
  EXPECT_EQ(model.report().iterations, 1);
  OptionMap one_round = small(GetParam());
  if (one_round.count("mode") == 0 || one_round.at("mode") != "printed") {
    one_round["rounds"] = "1";
    EXPECT_EQ(model.target().labels, fit(toy, one_round).target().labels);
  }
}

TEST_P(RsaCddaVariant, DoesNotDependOnLabelNames) {
  const ToyDomains toy = toy_domains(8, 20, 3, 12);
  ToyDomains renamed = toy;
  // Other names in the same sorted order: the ids stay, so must every byte.
  for (std::string& name : renamed.source_names) name = "zoo-" + name;
  EXPECT_TRUE(fit(renamed, small(GetParam())).target().probabilities ==
              fit(toy, small(GetParam())).target().probabilities);
}

INSTANTIATE_TEST_SUITE_P(Modes, RsaCddaVariant,
                         ::testing::Values(OptionMap{}, OptionMap{{"committee", "1"}},
                                           OptionMap{{"classifier", "nn"}},
                                           OptionMap{{"classifier", "propagation"}},
                                           OptionMap{{"classifier", "harmonic"}, {"z_weight", "0.1"}},
                                           OptionMap{{"classifier", "risk"}, {"z_edges", "0.1"}},
                                           OptionMap{{"geo", "0.1"}, {"closeness", "0"}, {"gamma", "0"}},
                                           OptionMap{{"explain", "true"}}, OptionMap{{"mode", "corrected"}},
                                           OptionMap{{"mode", "corrected"}, {"classifier", "nn"}},
                                           OptionMap{{"mode", "corrected"}, {"classifier", "geometry"}},
                                           OptionMap{{"mode", "printed"}, {"rounds", "3"}}));

/// Invariances of the mathematics, on a problem that 1-NN cannot solve (adaptation_test.cpp). Rounding
/// differs, and label refresh can amplify it, so a small share of samples may move; where the right labels
/// are found none does.
class RsaCddaInvariance : public ::testing::TestWithParam<OptionMap> {};

TEST_P(RsaCddaInvariance, SampleOrderLeavesTheLabels) {
  const ToyDomains toy = parted_domains(21);
  const auto source_order = random_order(toy.source.cols(), 22);
  const auto target_order = random_order(toy.target.cols(), 23);
  const ToyDomains shuffled = toy.in_order(source_order, target_order);
  EXPECT_EQ(fit(shuffled, small(GetParam())).target().labels,
            reordered(fit(toy, small(GetParam())).target().labels, target_order));
}

TEST_P(RsaCddaInvariance, RotationOfTheFeaturesLeavesTheLabels) {
  const ToyDomains toy = parted_domains(24);
  ToyDomains turned = toy;
  const Matrix rotation = random_rotation(8, 25);
  turned.source = rotation * toy.source;
  turned.target = rotation * toy.target;
  EXPECT_EQ(fit(turned, small(GetParam())).target().labels, fit(toy, small(GetParam())).target().labels);
}

TEST_P(RsaCddaInvariance, ExchangedClassNamesExchangeTheLabels) {
  const ToyDomains toy = parted_domains(26);
  ToyDomains swapped = toy;
  for (std::string& name : swapped.source_names) {
    name = name == "class0" ? "class2" : name == "class2" ? "class0" : name;
  }
  std::vector<int> expected = fit(toy, small(GetParam())).target().labels;
  for (int& label : expected) label = label == 0 ? 2 : label == 2 ? 0 : label;
  EXPECT_EQ(fit(swapped, small(GetParam())).target().labels, expected);
}

INSTANTIATE_TEST_SUITE_P(Modes, RsaCddaInvariance,
                         ::testing::Values(OptionMap{}, OptionMap{{"committee", "1"}},
                                           OptionMap{{"mode", "corrected"}}));

TEST(RsaCdda, LambdaMeansTheSameForTwiceThe4000SamplesItWasMeasuredUpTo) {
  const ToyDomains toy = toy_domains(6, 600, 4, 27);
  ToyDomains twice = toy;
  twice.source = toy.source.replicate(1, 2);
  twice.target = toy.target.replicate(1, 2);
  twice.source.rightCols(toy.source.cols()) *= 1.0 + 1e-9;  // copies would count once
  twice.source_names.insert(twice.source_names.end(), toy.source_names.begin(), toy.source_names.end());
  twice.target_names.insert(twice.target_names.end(), toy.target_names.begin(), toy.target_names.end());
  const OptionMap first_round{
      {"components", "3"}, {"committee", "1"}, {"rounds", "1"}, {"classifier", "nn"}, {"landmarks", "0"}};
  const Report once = fit(toy, first_round).report();
  const Report doubled = fit(twice, first_round).report();
  for (const char* term : {"closeness", "ridge", "variance"}) {
    EXPECT_NEAR(doubled.series.at(term)[0], once.series.at(term)[0], 1e-6 * once.series.at(term)[0]) << term;
  }
}

TEST(RsaCdda, HasFiveGraphAndThreeLinearRunsUnlessToldOtherwise) {
  const ToyDomains toy = toy_domains(8, 12, 3, 28);
  EXPECT_EQ(fit(toy).report().facts.at("committee"), 8);
  EXPECT_EQ(fit(toy, small({{"voices", "graph"}})).report().facts.at("committee"), 5);
  EXPECT_EQ(fit(toy, small({{"voices", "linear"}})).report().facts.at("committee"), 3);
  EXPECT_EQ(fit(toy, small({{"mode", "corrected"}})).report().facts.at("committee"), 1);
}

TEST(RsaCdda, TellsWhatItsModeChose) {
  const ToyDomains toy = toy_domains(8, 12, 3, 29);
  const OptionMap geometry = fit(toy).options();
  const OptionMap corrected = fit(toy, small({{"mode", "corrected"}})).options();
  const OptionMap printed = fit(toy, small({{"mode", "printed"}, {"rounds", "2"}})).options();
  const std::vector<std::tuple<const char*, const char*, const char*, const char*>> expected{
      {"classifier", "geometry", "propagation", "nn"},
      {"committee", "5", "1", "1"},
      {"landmarks", "0", "0", "0"},
      {"rounds", "8", "5", "2"},
      {"rank", "200", "200", "400"},
      {"lambda", "0.3", "1", "1"},
      {"neighbours", "20", "5", "20"},
      {"lambda1", "1", "1", "0.0001"},
      {"lambda2", "0.1", "0.1", "1"},
      {"error_norm", "l21", "l21", "l1"},
      {"geo", "0", "0.1", "0"},
      {"z_weight", "0", "0.3", "0"},
      {"growth", "1.5", "1.5", "1.01"}};
  for (const auto& [name, first, second, third] : expected) {
    EXPECT_EQ(geometry.at(name), first) << name;
    EXPECT_EQ(corrected.at(name), second) << name;
    EXPECT_EQ(printed.at(name), third) << name;
  }
}

TEST(RsaCdda, ZeroMeansZero) {
  const ToyDomains toy = toy_domains(8, 12, 3, 30);
  const auto zeros_of_z = [&](const char* lambda2) {
    const Model model = fit(toy, small({{"mode", "corrected"}, {"lambda2", lambda2}, {"rounds", "1"}}));
    EXPECT_EQ(model.options().at("lambda2"), lambda2);
    return model.report().series.at("reconstruction_zero_share").back();
  };
  EXPECT_LT(zeros_of_z("0"), zeros_of_z("0.1")) << "without a weight on its sparsity Z is dense";
  const Model plain = fit(toy, small({{"mode", "corrected"}, {"geo", "0"}, {"z_weight", "0"}}));
  EXPECT_FALSE(plain.report().series.contains("reconstruction_rank"));
}

TEST(RsaCdda, TakesTwoClassesAndAThousand) {
  EXPECT_TRUE(fit(toy_domains(6, 10, 2, 31)).target().probabilities.allFinite());
  const ToyDomains many = toy_domains(12, 2, 1000, 32);
#ifdef NDEBUG
  const char* voices = "both";
#else
  const char* voices = "graph";  // logistic regression of 1000 classes takes minutes without optimisation
#endif
  const Model model =
      fit(many, {{"components", "6,12"}, {"rounds", "2"}, {"committee", "1"}, {"voices", voices}});
  EXPECT_EQ(model.target().probabilities.rows(), 1000);
  EXPECT_TRUE(model.target().probabilities.allFinite());
}

TEST(RsaCdda, GoesOnWhenAPseudoClassIsEmpty) {
  // The target has samples of two of three classes.
  ToyDomains toy = toy_domains(8, 15, 3, 33);
  std::vector<Index> kept;
  for (Index j = 0; j < toy.target.cols(); ++j) {
    if (j % 3 != 2) kept.push_back(j);
  }
  toy.target = reordered(toy.target, kept);
  toy.target_names = reordered(toy.target_names, kept);
  for (const char* mode : {"geometry", "corrected"}) {
    const Model model = fit(toy, small({{"mode", mode}, {"class_mass", "0"}}));
    EXPECT_GE(share_equal(model.target().labels, toy.pair().target_truth()), 95.0) << mode;
  }
}

TEST(RsaCdda, RefusesSamplesThatAreAllZeroAndOptionsThatDoNotGoTogether) {
  ToyDomains toy = toy_domains(5, 8, 2, 34);
  EXPECT_THROW(fit(toy, {{"mode", "corrected"}, {"committee", "4"}}), InvalidArgument);
  EXPECT_THROW(fit(toy, {{"mode", "printed"}, {"classifier", "geometry"}}), InvalidArgument);
  EXPECT_THROW(fit(toy, {{"committee", "9"}}), InvalidArgument);
  EXPECT_THROW(fit(toy, {{"mode", "printed"}, {"shares", "target"}}), InvalidArgument);
  EXPECT_THROW(fit(toy, {{"mode", "corrected"}, {"shares", "mixed"}}), InvalidArgument);
  toy.source.setZero();
  toy.target.setZero();
  EXPECT_THROW(fit(toy), InvalidArgument);
}

TEST(RsaCdda, ReportsEveryRound) {
  const Model model = fit(toy_domains(8, 20, 3, 35));
  const Report& report = model.report();
  for (const char* name : {"objective", "closeness", "repulsion", "variance", "ridge", "eigen_residual",
                           "graph_residual", "label_changes"}) {
    ASSERT_TRUE(report.series.contains(name)) << name;
    EXPECT_EQ(report.series.at(name).size(), static_cast<std::size_t>(report.iterations)) << name;
  }
  EXPECT_LT(report.series.at("eigen_residual").back(), 1e-10);
  EXPECT_LE(report.series.at("graph_residual").back(), 1e-10);
  EXPECT_EQ(report.status, Status::Converged);
  EXPECT_EQ(report.series.at("label_changes").back(), 0.0);
  // Σν = variance + repulsion where A is orthonormal in the metric of closeness + penalty.
  const double left = report.series.at("variance").back() + report.series.at("repulsion").back();
  EXPECT_NEAR(report.series.at("objective").back(), left, 1e-8 * left);
  EXPECT_NEAR(report.series.at("closeness").back() + report.series.at("ridge").back(), 6.0, 1e-8);
}

TEST(RsaCdda, ExplainsTargetSamplesBySourceSamplesOfTheirClass) {
  const ToyDomains toy = toy_domains(8, 20, 3, 36);
  const DomainPair pair = toy.pair();
  const Prediction target = fit(toy, small({{"explain", "true"}, {"explain_count", "4"}})).target();
  ASSERT_EQ(target.explained_by.rows(), 4);
  ASSERT_EQ(target.outlier_scores.size(), toy.target.cols());
  int same = 0;
  int all = 0;
  for (Index j = 0; j < toy.target.cols(); ++j) {
    for (Index i = 0; i < 4 && target.explained_by(i, j) >= 0; ++i) {
      if (target.explanation_weights(i, j) <= 0) continue;
      same += pair.source_labels()[static_cast<std::size_t>(target.explained_by(i, j))] ==
                      pair.target_truth()[static_cast<std::size_t>(j)]
                  ? 1
                  : 0;
      ++all;
    }
  }
  ASSERT_GT(all, 100);
  EXPECT_GT(same, 0.9 * all);
}

TEST(RsaCdda, GivesOutliersTheLargestScores) {
  ToyDomains toy = toy_domains(20, 20, 3, 37);
  toy.target.leftCols(3) = 30.0 * random_matrix(20, 3, 38);  // directions no source sample has
  const Vector scores = fit(toy, {{"components", "5,10,19"}, {"explain", "true"}}).target().outlier_scores;
  EXPECT_GT(scores.head(3).minCoeff(), scores.tail(57).mean());
}

TEST(RsaCdda, SaysWhenZIsAllZero) {
  const ToyDomains toy = toy_domains(8, 10, 3, 39);
  const Model model = fit(toy, small({{"explain", "true"}, {"lambda1", "1e-6"}, {"lambda2", "100"}}));
  EXPECT_EQ(model.target().explained_by.maxCoeff(), -1);
  EXPECT_FALSE(model.report().notes.empty());
}

TEST(LabelInference, ATargetThatNoLabelReachesGetsEqualSharesOfEveryClass) {
  // Both domains at right angles; two neighbours are found at home.
  const auto samples = [](double x, double y, std::uint64_t seed) {
    Matrix block = 0.01 * random_matrix(2, 6, seed);
    block.colwise() += (Vector(2) << x, y).finished();
    return block;
  };
  Matrix features(2, 12);
  features << samples(1, 0, 1), samples(0, 1, 2);
  RsaCddaOptions options;
  options.classifier = RsaCddaClassifier::Propagation;
  options.components = {2};
  options.neighbours = 2;
  options.class_mass = 0.0;
  const std::vector<int> labels{0, 0, 0, 1, 1, 1};
  const Matrix none;
  const LabelInference found = infer_labels(
      {features, labels, 2, Matrix::Identity(2, 2), LabelInference{}, none, none}, options, {}, 1);
  EXPECT_EQ(found.scores, Matrix::Constant(2, 6, 0.5));
}

}  // namespace
}  // namespace isthmus
