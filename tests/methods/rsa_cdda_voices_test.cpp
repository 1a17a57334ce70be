#include <gtest/gtest.h>

#include <algorithm>

#include "isthmus/adapt.h"
#include "isthmus/data.h"
#include "methods/rsa_cdda/fusion.h"
#include "methods/rsa_cdda/witnesses.h"
#include "toy_domains.h"

// Which runs of RSA-CDDA count, and what is known of them without target labels.
namespace isthmus {
namespace {

using testing::random_matrix;
using testing::ToyDomains;

AdaptRequest request(OptionMap options = {}) {
  return {.method = "rsa-cdda", .options = std::move(options), .preprocessing = {}};
}

double accuracy(const DomainPair& pair, const AdaptRequest& asked) {
  return accuracy_percent(adapt(pair, asked).target().labels, pair.target_truth());
}

double fact(const Model& model, const std::string& name) {
  return model.report().facts.at(name);
}

/// Two classes that a plane in 30 dimensions parts, with noise along it that hides who is near to whom.
ToyDomains parted_by_a_plane(std::uint64_t seed) {
  ToyDomains toy;
  toy.source = random_matrix(30, 300, seed);
  toy.target = random_matrix(30, 300, seed + 1);
  const auto name = [](Matrix& samples, std::vector<std::string>& names) {
    for (Index i = 0; i < samples.cols(); ++i) {
      samples.col(i).head(3).array() += i % 2 == 0 ? 0.7 : -0.7;
      names.push_back(i % 2 == 0 ? "above" : "below");
    }
  };
  name(toy.source, toy.source_names);
  name(toy.target, toy.target_names);
  return toy;
}

/// 97 samples of one class to 3 of the other in 24 features; the domains overlap.
ToyDomains unequal_classes(std::uint64_t seed) {
  ToyDomains toy;
  toy.source = random_matrix(24, 400, seed);
  toy.target = random_matrix(24, 400, seed + 1);
  const auto name = [](Matrix& samples, std::vector<std::string>& names) {
    for (Index i = 0; i < samples.cols(); ++i) {
      const bool rare = i % 33 == 0;
      if (rare) samples.col(i).head(4).array() += 3.0;
      names.push_back(rare ? "rare" : "usual");
    }
  };
  name(toy.source, toy.source_names);
  name(toy.target, toy.target_names);
  return toy;
}

/// A target that holds one of two classes only, which looks in it as it does in the source.
ToyDomains one_class_left(std::uint64_t seed) {
  ToyDomains toy;
  toy.source = random_matrix(10, 200, seed);
  toy.target = random_matrix(10, 200, seed + 1);
  for (Index i = 0; i < 200; ++i) {
    toy.source.col(i).head(3).array() += i % 2 == 0 ? 2.0 : -2.0;
    toy.target.col(i).head(3).array() += 2.0;
    toy.source_names.push_back(i % 2 == 0 ? "there" : "gone");
    toy.target_names.push_back("there");
  }
  return toy;
}

TEST(SourceWitnesses, SeeWhatKindOfDataItIs) {
  const SourceWitnesses plane(parted_by_a_plane(1).pair(), {});
  EXPECT_GT(plane.linear_accuracy(), plane.nearest_accuracy() + 0.05);
  EXPECT_GT(plane.source_evidence(), 0.1);
  const SourceWitnesses digits(make_demo({.source_count = 300, .target_count = 300}), {});
  EXPECT_LT(digits.source_evidence(), plane.source_evidence());
  EXPECT_GT(digits.linear_skill(), 0.5);
}

TEST(SourceWitnesses, AreNotFlatteredByCopies) {
  const ToyDomains once = parted_by_a_plane(11);
  ToyDomains twice = once;
  twice.source = once.source.replicate(1, 2);
  twice.source_names.insert(twice.source_names.end(), once.source_names.begin(), once.source_names.end());
  const SourceWitnesses before(once.pair(), {});
  const SourceWitnesses after(twice.pair(), {});
  EXPECT_EQ(after.nearest_accuracy(), before.nearest_accuracy());
  EXPECT_EQ(after.overlap(), before.overlap());
  EXPECT_NEAR(after.linear_accuracy(), before.linear_accuracy(), 0.03);
  EXPECT_LT(after.linear_accuracy(), 0.99);
}

TEST(SourceWitnesses, AreNotMovedByTheTargetsLabels) {
  ToyDomains toy = parted_by_a_plane(2);
  const SourceWitnesses before(toy.pair(), {});
  std::reverse(toy.target_names.begin(), toy.target_names.end());
  const SourceWitnesses after(toy.pair(), {});
  EXPECT_TRUE(before.linear_scores() == after.linear_scores());
  EXPECT_EQ(before.agree_with_each_other(), after.agree_with_each_other());
}

TEST(RsaCddaVoices, LinearRunsCountWhereALinearClassifierSuitsTheData) {
  const Model plane = adapt(parted_by_a_plane(3).pair(), request());
  EXPECT_GT(fact(plane, "linear_weight"), 0.4);
  const DomainPair digits = make_demo({.source_count = 400, .target_count = 400});
  const Model glyphs = adapt(digits, {.method = "rsa-cdda", .preprocessing = Preprocessing::parse("l2")});
  EXPECT_LT(fact(glyphs, "linear_weight"), fact(plane, "linear_weight"));
}

TEST(RsaCddaVoices, RunsThatCountForNothingRest) {
  const DomainPair digits = make_demo({.source_count = 200, .target_count = 200});
  const Model model = adapt(digits, {.method = "rsa-cdda", .preprocessing = Preprocessing::parse("l2")});
  ASSERT_EQ(fact(model, "linear_weight"), 0.0);
  EXPECT_GT(fact(model, "member_1_rounds"), 2.0);
  for (const char* linear : {"member_6_rounds", "member_7_rounds", "member_8_rounds"})
    EXPECT_EQ(fact(model, linear), 2.0);
  const Model graph = adapt(
      digits,
      {.method = "rsa-cdda", .options = {{"voices", "graph"}}, .preprocessing = Preprocessing::parse("l2")});
  EXPECT_EQ(model.target().labels, graph.target().labels);
}

TEST(RsaCddaVoices, TheWholeIsNotWorseThanEitherKindOfRuns) {
  double whole = 0;
  double graph = 0;
  double linear = 0;
  for (const std::uint64_t seed : {4U, 14U, 24U}) {
    const DomainPair pair = parted_by_a_plane(seed).pair();
    whole += accuracy(pair, request()) / 3;
    graph += accuracy(pair, request({{"voices", "graph"}})) / 3;
    linear += accuracy(pair, request({{"voices", "linear"}})) / 3;
  }
  EXPECT_GE(whole, std::max(graph, linear) - 1.5);
}

TEST(RsaCddaVoices, UnequalClassesAreNotEvenedOut) {
  // Structural risk, which has no intercept, takes many of the usual samples for rare ones.
  double whole = 0;
  double risk = 0;
  for (const std::uint64_t seed : {5U, 15U, 25U}) {
    const DomainPair pair = unequal_classes(seed).pair();
    whole += accuracy(pair, request()) / 3;
    risk += accuracy(pair, request({{"classifier", "risk"}})) / 3;
  }
  EXPECT_GE(whole, 95.0);
  EXPECT_GT(whole, risk + 5.0);
}

TEST(RsaCddaVoices, WhereAdaptationGoesAstrayTheAnswerIsTheSources) {
  const DomainPair pair = one_class_left(6).pair();
  EXPECT_LT(accuracy(pair, request({{"voices", "graph"}})), 80.0);
  const Model model = adapt(pair, request());
  EXPECT_GT(accuracy_percent(model.target().labels, pair.target_truth()), 95.0);
  const auto& notes = model.report().notes;
  EXPECT_TRUE(std::any_of(notes.begin(), notes.end(), [](const std::string& note) {
    return note.find("adaptation does not help here") != std::string::npos;
  }));
  EXPECT_EQ(model.predict(pair.target()).labels, model.target().labels);
}

TEST(RsaCddaVoices, TheReportTellsWhatEachKindOfRunsIsWorth) {
  const Model model = adapt(parted_by_a_plane(7).pair(), request());
  for (const char* name : {"linear_weight", "linear_smoothness", "linear_source_accuracy",
                           "nearest_source_accuracy", "linear_agreement", "nearest_agreement"}) {
    EXPECT_GE(fact(model, name), 0.0) << name;
    EXPECT_LE(fact(model, name), 1.0) << name;
  }
}

TEST(RsaCddaVoices, PredictingTheFittedTargetGivesItsLabels) {
  const DomainPair pair = parted_by_a_plane(8).pair();
  for (const char* voices : {"both", "graph", "linear"}) {
    const Model model = adapt(pair, request({{"voices", voices}}));
    EXPECT_GE(accuracy_percent(model.predict(pair.target()).labels, model.target().labels), 99.0) << voices;
  }
}

TEST(RsaCddaVoices, LinearRunsAloneAreWeighedAgainstNone) {
  const DomainPair pair = parted_by_a_plane(10).pair();
  const Model model = adapt(pair, request({{"voices", "linear"}}));
  EXPECT_FALSE(model.report().facts.contains("linear_weight"));
  EXPECT_TRUE(model.target().probabilities.allFinite());
  const auto& notes = model.report().notes;
  EXPECT_TRUE(std::none_of(notes.begin(), notes.end(), [](const std::string& note) {
    return note.find("graph runs") != std::string::npos || note.find("does not help") != std::string::npos;
  }));
}

/// Runs that say nothing but how often their two voices agree.
Fusion fused(const std::vector<Voices>& voices, const std::vector<double>& agreements) {
  std::vector<LabelInference> inferences(voices.size());
  std::vector<Vote> votes;
  for (std::size_t i = 0; i < voices.size(); ++i) {
    inferences[i].scores = random_matrix(2, 10, 1).cwiseAbs();
    inferences[i].agreement = agreements[i];
    inferences[i].branches.push_back({{}, LinearScores{}, 1.0});
    votes.push_back({voices[i], inferences[i]});
  }
  return fuse(votes, nullptr);
}

TEST(RsaCddaFusion, FlatRunsCountByHowMuchMoreTheirVoicesAgree) {
  const Voices usual;
  const Voices flat{.flat = true};
  EXPECT_NEAR(fused({usual, usual, flat}, {0.7, 0.7, 0.74}).flat_share, 1.0 / 3.0, 1e-12);
  EXPECT_GT(fused({usual, usual, flat}, {0.7, 0.7, 0.80}).flat_share, 0.95);
  EXPECT_EQ(fused({usual, usual, flat}, {0.7, 0.7, 0.65}).flat_share, 0.0) << "below a hundredth";
  const double most = std::exp(5.0);
  EXPECT_NEAR(fused({usual, usual, flat}, {0.1, 0.1, 1.0}).flat_share, most / (most + 2.0), 1e-12);
  EXPECT_EQ(fused({flat, flat}, {0.1, 0.9}).flat_share, 1.0) << "nothing to compare with";
}

TEST(RsaCddaVoices, OtherModesAndClassifiersHaveNone) {
  const DomainPair pair = parted_by_a_plane(9).pair();
  EXPECT_EQ(adapt(pair, request({{"classifier", "harmonic"}})).options().at("voices"), "graph");
  EXPECT_THROW(adapt(pair, request({{"mode", "corrected"}, {"voices", "linear"}})), InvalidArgument);
}

}  // namespace
}  // namespace isthmus
