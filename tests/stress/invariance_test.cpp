#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "isthmus/adapt.h"
#include "scratch_folder.h"
#include "shifted_domains.h"
#include "variants.h"

// What must not change the labels, for every method.
namespace isthmus {
namespace {

using testing::random_order;
using testing::reordered;
using testing::ToyDomains;
using testing::Variant;

enum class Change { Order, Names, Scale, FeatureScales, Rotation, Twice };

/// Variants that a change may move, and why.
const std::map<std::pair<Change, std::string>, std::string>& exceptions() {
  const std::string landmarks = "jda_kernel_rbf_kernel_size_landmarks_landmarks_4";
  const std::string prototypes = "jda_classifier_prototypes_lambda_unit_absolute_prototypes_3";
  const std::string drawn = "samples are drawn by their position";
  const std::string units = "terms of different units are weighed by plain numbers, as published";
  static const std::map<std::pair<Change, std::string>, std::string> list{
      {{Change::Order, landmarks}, drawn},
      {{Change::Order, prototypes}, drawn},
      {{Change::Order, "lrsr_prototypes_3"}, drawn},
      {{Change::Names, prototypes}, "samples are drawn class by class"},
      {{Change::Names, "lrsr_prototypes_3"}, "samples are drawn class by class"},
      {{Change::Scale, "lrsr"}, units},
      {{Change::Scale, "lrsr_prototypes_3"}, units},
      {{Change::Scale, "ltsl"}, units},
      {{Change::Scale, "ltsl_criterion_lda"}, units},
      {{Change::Scale, prototypes}, units},
      {{Change::Rotation, "jda_kernel_laplace"}, "the sum norm depends on the axes"},
  };
  return list;
}

/// A problem on which 1-NN is wrong for a third of the target (tests/methods/adaptation_test.cpp).
ToyDomains problem() {
  return testing::parted_domains(31, 12);
}

Model fitted(const Variant& variant, const ToyDomains& toy, const std::string& steps = "none") {
  AdaptRequest request;
  request.method = variant.method;
  request.options = variant.options;
  request.preprocessing = Preprocessing::parse(steps);
  return adapt(toy.pair(), request);
}

std::vector<int> labels(const Variant& variant, const ToyDomains& toy, const std::string& steps = "none") {
  return fitted(variant, toy, steps).target().labels;
}

bool has_note(const Model& model, const std::string& words) {
  const auto& notes = model.report().notes;
  return std::any_of(notes.begin(), notes.end(),
                     [&](const std::string& note) { return note.find(words) != std::string::npos; });
}

class Invariance : public ::testing::TestWithParam<Variant> {
 protected:
  static void expect_equal(Change change, const std::vector<int>& found, const std::vector<int>& expected) {
    const auto exception = exceptions().find({change, GetParam().name()});
    if (exception != exceptions().end()) GTEST_SKIP() << exception->second;
    EXPECT_EQ(found, expected);
  }
};

TEST_P(Invariance, LabelsFollowTheOrderOfSamples) {
  const ToyDomains toy = problem();
  const auto source_order = random_order(toy.source.cols(), 5);
  const auto target_order = random_order(toy.target.cols(), 6);
  const ToyDomains shuffled = toy.in_order(source_order, target_order);
  expect_equal(Change::Order, labels(GetParam(), shuffled), reordered(labels(GetParam(), toy), target_order));
}

TEST_P(Invariance, LabelsFollowARenamingThatReordersTheClasses) {
  const ToyDomains toy = problem();
  const std::vector<int> new_id{2, 0, 3, 1};
  ToyDomains renamed = toy;
  for (std::string& name : renamed.source_names) {
    name = "kind" + std::to_string(new_id[static_cast<std::size_t>(name.back() - '0')]);
  }
  std::vector<int> expected = labels(GetParam(), toy);
  for (int& label : expected) label = new_id[static_cast<std::size_t>(label)];
  expect_equal(Change::Names, labels(GetParam(), renamed), expected);
}

TEST_P(Invariance, LabelsDoNotDependOnTheScaleOfTheFeatures) {
  ToyDomains scaled = problem();
  // A power of two is exact: whatever is homogeneous in the features gives the same bits.
  scaled.source *= 1024.0;
  scaled.target *= 1024.0;
  expect_equal(Change::Scale, labels(GetParam(), scaled), labels(GetParam(), problem()));
}

/// From 1e-300 to 1e300.
TEST_P(Invariance, LabelsDoNotDependOnTheScaleOfTheFeaturesHoweverExtreme) {
  const bool has_units = exceptions().count({Change::Scale, GetParam().name()}) > 0;
  const auto scaled_by = [](int exponent) {
    ToyDomains scaled = problem();
    scaled.source *= std::ldexp(1.0, exponent);
    scaled.target *= std::ldexp(1.0, exponent);
    return fitted(GetParam(), scaled);
  };
  // Where options have the features' units, the note says to what they are brought.
  const std::vector<int> expected =
      has_units ? scaled_by(600).target().labels : labels(GetParam(), problem());
  for (const int exponent : {-1000, -600, -538, -250, -190, -60, 60, 190, 250, 532, 600, 990}) {
    const bool extreme = std::abs(exponent) > 200;
    if (has_units && !extreme) continue;
    const Model model = scaled_by(exponent);
    EXPECT_EQ(model.target().labels, expected) << "times 2^" << exponent;
    EXPECT_EQ(has_note(model, "divided by 2^"), extreme) << "times 2^" << exponent;
    EXPECT_FALSE(has_note(model, "arbitrary")) << "times 2^" << exponent;
  }
}

TEST_P(Invariance, PreprocessingTakesOutTheScaleOfEachFeature) {
  ToyDomains scaled = problem();
  const Vector factors = (Vector(8) << 8, 0.25, 1, 1024, 0x1p-20, 2, 64, 0.5).finished();
  scaled.source = factors.asDiagonal() * scaled.source;
  scaled.target = factors.asDiagonal() * scaled.target;
  for (const char* steps : {"zscore", "minmax", "zscore:joint,l2"}) {
    expect_equal(Change::FeatureScales, labels(GetParam(), scaled, steps),
                 labels(GetParam(), problem(), steps));
  }
}

TEST_P(Invariance, LabelsDoNotDependOnARotationOfTheFeatures) {
  ToyDomains turned = problem();
  const Matrix rotation = testing::random_rotation(8, 8);
  turned.source = rotation * turned.source;
  turned.target = rotation * turned.target;
  expect_equal(Change::Rotation, labels(GetParam(), turned), labels(GetParam(), problem()));
}

TEST_P(Invariance, ATargetThatIsThereTwiceGetsTheSameLabelsTwice) {
  const ToyDomains toy = problem();
  ToyDomains twice = toy;
  twice.target = toy.target.replicate(1, 2);
  twice.target_names.insert(twice.target_names.end(), toy.target_names.begin(), toy.target_names.end());
  const std::vector<int> found = labels(GetParam(), twice);
  const auto half = found.begin() + static_cast<std::ptrdiff_t>(toy.target_names.size());
  expect_equal(Change::Twice, std::vector<int>(found.begin(), half), std::vector<int>(half, found.end()));
}

TEST(ExtremeScale, NewSamplesAndSavedModelsFollow) {
  for (const double scale : {1e-162, 1e160}) {
    ToyDomains toy = problem();
    toy.source *= scale;
    toy.target *= scale;
    const Model model = fitted({"nn", {}}, toy);
    EXPECT_EQ(model.preprocessing().to_string(), "unit:joint");
    const Prediction again = model.predict(toy.target);
    EXPECT_EQ(again.labels, model.target().labels);
    EXPECT_EQ(again.probabilities, model.target().probabilities);
    EXPECT_GT(again.probabilities.colwise().maxCoeff().mean(), 0.5);
    const testing::ScratchFolder folder;
    model.save(folder / "model.safetensors");
    EXPECT_EQ(Model::load(folder / "model.safetensors").predict(toy.target).labels, again.labels);
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, Invariance, ::testing::ValuesIn(testing::variants()),
                         [](const auto& one) { return one.param.name(); });

}  // namespace
}  // namespace isthmus
