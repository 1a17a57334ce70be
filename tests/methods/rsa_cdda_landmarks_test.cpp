#include "methods/rsa_cdda/landmarks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>

#include "isthmus/adapt.h"
#include "isthmus/data.h"
#include "isthmus/errors.h"
#include "shifted_domains.h"

namespace isthmus {
namespace {

using testing::parted_domains;
using testing::ToyDomains;

/// Small dimensions, so that each fit takes milliseconds.
AdaptRequest on_landmarks(OptionMap more = {}) {
  more.insert({{"components", "2,4,6"}, {"landmarks", "100"}});
  return {.method = "rsa-cdda", .options = std::move(more), .preprocessing = {}};
}

double right_percent(const DomainPair& pair, const AdaptRequest& wanted, const Context& context = {}) {
  return accuracy_percent(adapt(pair, wanted, context).target().labels, pair.target_truth());
}

TEST(RsaCddaLandmarks, LabelAsWellAsAllSamplesDoWhereOneNearestNeighbourIsWrong) {
  const DomainPair pair = parted_domains(1, 200).pair();
  const double whole = right_percent(pair, on_landmarks({{"landmarks", "0"}}));
  const double nearest = right_percent(pair, {.method = "nn", .preprocessing = {}});
  EXPECT_LT(nearest, 80.0);
  EXPECT_GE(right_percent(pair, on_landmarks()), whole - 2.0);
}

TEST(RsaCddaLandmarks, ServeTheCorrectedModeToo) {
  const DomainPair pair = parted_domains(1, 200).pair();
  const double whole = right_percent(pair, on_landmarks({{"mode", "corrected"}, {"landmarks", "0"}}));
  const Model model = adapt(pair, on_landmarks({{"mode", "corrected"}}));
  EXPECT_EQ(model.options().at("committee"), "8");
  EXPECT_GE(accuracy_percent(model.target().labels, pair.target_truth()), whole - 2.0);
  EXPECT_LT(right_percent(pair, {.method = "nn", .preprocessing = {}}), whole - 5.0);
}

TEST(RsaCddaLandmarks, AFewHundredTellTheDigitsApart) {
  const DomainPair pair = make_demo({.source_count = 1500, .target_count = 1500});
  const Preprocessing unit = Preprocessing::parse("l2");
  const double nearest = right_percent(pair, {.method = "nn", .preprocessing = unit});
  const OptionMap options{{"landmarks", "250"}, {"voices", "graph"}};
  const double landmarks =
      right_percent(pair, {.method = "rsa-cdda", .options = options, .preprocessing = unit});
  EXPECT_LT(nearest, 75.0);
  EXPECT_GT(landmarks, 92.0);
}

TEST(RsaCddaLandmarks, GiveTheSameBytesOnAnyNumberOfThreadsAndOthersForAnotherSeed) {
  const DomainPair pair = parted_domains(2, 100).pair();
  const Model one = adapt(pair, on_landmarks(), {.threads = 1});
  const Model three = adapt(pair, on_landmarks(), {.threads = 3});
  EXPECT_TRUE(one.target().probabilities == three.target().probabilities);
  EXPECT_EQ(one.target().labels, three.target().labels);
  const Model other = adapt(pair, on_landmarks(), {.seed = 1});
  EXPECT_FALSE(one.target().probabilities == other.target().probabilities);
}

TEST(RsaCddaLandmarks, LabelTheTargetAsPredictDoes) {
  // More than one block of samples, and a preparation whose statistics the model has to keep.
  const DomainPair pair = parted_domains(3, 1100).pair();
  AdaptRequest wanted = on_landmarks({{"committee", "1"}});
  wanted.preprocessing = Preprocessing::parse("zscore:joint");
  const Model model = adapt(pair, wanted);
  const Prediction again = model.predict(pair.target());
  EXPECT_EQ(again.labels, model.target().labels);
  EXPECT_LT((again.probabilities - model.target().probabilities).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(RsaCddaLandmarks, TakeFeaturesInSinglePrecisionAsTheDoublesTheyAre) {
  const ToyDomains toy = parted_domains(13, 60);
  const Eigen::MatrixXf source = toy.source.cast<float>();
  const Eigen::MatrixXf target = toy.target.cast<float>();
  const auto pair_of = [&](FeatureMatrix from, FeatureMatrix to) {
    return DomainPair({std::move(from), encode_labels(toy.source_names)}, {std::move(to)});
  };
  const DomainPair narrow = pair_of({source.data(), source.rows(), source.cols(), nullptr},
                                    {target.data(), target.rows(), target.cols(), nullptr});
  const DomainPair wide = pair_of(Matrix(source.cast<double>()), Matrix(target.cast<double>()));
  const Prediction streamed = adapt(narrow, on_landmarks()).target();
  EXPECT_TRUE(streamed.probabilities == adapt(wide, on_landmarks()).target().probabilities);
}

TEST(RsaCddaLandmarks, AreAsSureAsTheirVoicesAgree) {
  const DomainPair pair = parted_domains(9, 100).pair();
  for (const char* voices : {"both", "graph", "linear"}) {
    const Model model = adapt(pair, on_landmarks({{"voices", voices}}));
    const double sure = model.target().confidence().mean();
    EXPECT_NEAR(sure, model.report().facts.at("agreement"), 0.01) << voices;
  }
}

TEST(RsaCddaLandmarks, OfAllSamplesAreNone) {
  const DomainPair pair = parted_domains(10, 25).pair();
  const Model model = adapt(pair, on_landmarks({{"landmarks", "100"}}));
  EXPECT_EQ(model.options().at("landmarks"), "0");
  EXPECT_EQ(model.target().labels, adapt(pair, on_landmarks({{"landmarks", "0"}})).target().labels);
}

TEST(RsaCddaLandmarks, AreTakenBeyondEightThousandSamplesAndTold) {
  const ToyDomains few = testing::four_classes(6, 1000, 0.3, 4);
  const ToyDomains many = testing::four_classes(6, 1001, 0.3, 4);
  const OptionMap cheap{{"components", "3"}, {"committee", "1"}, {"rounds", "1"}, {"classifier", "risk"}};
  const AdaptRequest wanted{.method = "rsa-cdda", .options = cheap, .preprocessing = {}};
  EXPECT_EQ(adapt(few.pair(), wanted).options().at("landmarks"), "0");
  const Model model = adapt(many.pair(), wanted);
  EXPECT_EQ(model.options().at("landmarks"), "1000");
  const auto& notes = model.report().notes;
  EXPECT_TRUE(std::any_of(notes.begin(), notes.end(), [](const std::string& note) {
    return note.find("each on at most 1000 samples of either domain") != std::string::npos;
  }));
}

TEST(RsaCddaLandmarks, HoldSamplesOfTheRarestClass) {
  ToyDomains toy = testing::four_classes(6, 100, 0.2, 5);
  toy.source_names.assign(toy.source_names.size(), "class0");
  toy.source.col(3).array() += 30.0;
  toy.source.col(7).array() += 30.0;
  toy.target.col(5).array() += 30.0;
  toy.source_names[3] = toy.source_names[7] = "rare";
  const Model model = adapt(toy.pair(), on_landmarks({{"landmarks", "20"}, {"voices", "graph"}}));
  EXPECT_EQ(model.classes()[model.target().labels[5]], "rare");
}

TEST(RsaCddaLandmarks, StoppedKeepTheRunsThatAreDone) {
  const DomainPair pair = parted_domains(6, 100).pair();
  Context context;
  std::vector<int> runs;
  context.on_iteration = [&](const IterationInfo& info) {
    if (info.phase != "run") return Decision::Continue;
    runs.push_back(info.iteration);
    return runs.size() == 2 ? Decision::Stop : Decision::Continue;
  };
  const Model model = adapt(pair, on_landmarks(), context);
  EXPECT_EQ(runs, (std::vector<int>{1, 2}));
  EXPECT_EQ(model.report().status, Status::Stopped);
  EXPECT_EQ(model.report().facts.at("committee"), 2.0);
  EXPECT_EQ(model.predict(pair.target()).labels, model.target().labels);
}

TEST(RsaCddaLandmarks, CancelledInARunKeepTheOnesBefore) {
  const DomainPair pair = parted_domains(7, 100).pair();
  Context context;
  int finished = 0;
  context.on_iteration = [&](const IterationInfo& info) {
    finished += info.phase == "run" ? 1 : 0;
    return Decision::Continue;
  };
  context.cancel = [&] { return finished == 1; };
  const Model model = adapt(pair, on_landmarks(), context);
  EXPECT_EQ(model.report().status, Status::Stopped);
  EXPECT_EQ(model.report().facts.at("committee"), 1.0);
  context.cancel = [] { return true; };
  EXPECT_THROW(adapt(pair, on_landmarks(), context), Cancelled);
}

TEST(RsaCddaLandmarks, CancelledAnywhereEndStoppedOrWithoutAResult) {
  const DomainPair pair = parted_domains(11, 60).pair();
  int stopped = 0;
  int nothing = 0;
  for (const int threads : {1, 3}) {
    for (const int allowed : {1, 30, 100, 300, 1000, 3000}) {
      Context context;
      context.threads = threads;
      std::atomic<int> looks = 0;
      context.cancel = [&] { return ++looks > allowed; };
      try {
        const Model model = adapt(pair, on_landmarks(), context);
        if (looks <= allowed) continue;  // it had ended before
        EXPECT_EQ(model.report().status, Status::Stopped) << allowed;
        EXPECT_TRUE(model.target().probabilities.allFinite());
        ++stopped;
      } catch (const Cancelled&) {
        ++nothing;
      }
    }
  }
  EXPECT_GT(stopped, 0);
  EXPECT_GT(nothing, 0);
}

TEST(RsaCddaLandmarks, OutOfTimeEndTheRunAfterItsRound) {
  const DomainPair pair = parted_domains(12, 60).pair();
  Context context;
  context.deadline = std::chrono::steady_clock::now();
  const Model model = adapt(pair, on_landmarks(), context);
  EXPECT_EQ(model.report().status, Status::Stopped);
  EXPECT_EQ(model.report().iterations, 1);
  EXPECT_EQ(model.report().facts.at("committee"), 1.0);
}

TEST(RsaCddaLandmarks, RefuseWhatNeedsAllSamples) {
  const DomainPair pair = parted_domains(8, 50).pair();
  EXPECT_THROW(adapt(pair, on_landmarks({{"explain", "true"}})), InvalidArgument);
  EXPECT_THROW(adapt(pair, on_landmarks({{"mode", "printed"}})), InvalidArgument);
}

}  // namespace
}  // namespace isthmus
