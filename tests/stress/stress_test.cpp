#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "hard_data.h"
#include "isthmus/adapt.h"
#include "isthmus/errors.h"
#include "scratch_folder.h"
#include "variants.h"

namespace isthmus {
namespace {

using testing::HardData;
using testing::Variant;

bool tells_what_to_do(const std::string& message) {
  for (const char* word : {"scale", "remove", "ask for", "needed", "needs", "expected", "lower", "take "}) {
    if (message.find(word) != std::string::npos) return true;
  }
  return false;
}

/// Runs the body; nothing where it refuses in the way that is allowed.
template <class Body>
auto unless_refused(const Body& body) -> std::optional<decltype(body())> {
  std::string refusal;
  try {
    return body();
  } catch (const InvalidArgument& error) {
    refusal = error.what();
  } catch (const NumericalError& error) {
    refusal = error.what();
  }
  EXPECT_TRUE(tells_what_to_do(refusal)) << refusal;
  return std::nullopt;
}

void expect_sound(const Prediction& prediction, Index count, int class_count) {
  ASSERT_EQ(static_cast<Index>(prediction.labels.size()), count);
  for (const int label : prediction.labels) {
    ASSERT_GE(label, 0);
    ASSERT_LT(label, class_count);
  }
  ASSERT_EQ(prediction.probabilities.rows(), class_count);
  ASSERT_EQ(prediction.probabilities.cols(), count);
  ASSERT_TRUE(prediction.probabilities.allFinite());
  EXPECT_GE(prediction.probabilities.minCoeff(), 0.0);
  EXPECT_LT((prediction.probabilities.colwise().sum().array() - 1.0).abs().maxCoeff(), 1e-9);
  if (prediction.outlier_scores.size() > 0) {
    EXPECT_EQ(prediction.outlier_scores.size(), count);
    EXPECT_TRUE(prediction.outlier_scores.allFinite());
  }
}

bool notes_arbitrary_labels(const Report& report) {
  return std::any_of(report.notes.begin(), report.notes.end(), [](const std::string& note) {
    return note.find("the labels are arbitrary") != std::string::npos;
  });
}

class Stress : public ::testing::TestWithParam<Variant> {
 protected:
  void run(const HardData& data, const std::string& steps) {
    SCOPED_TRACE(data.name + ", " + steps);
    const testing::ToyDomains& domains = data.domains;
    AdaptRequest request;
    request.method = GetParam().method;
    request.options = GetParam().options;
    request.preprocessing = Preprocessing::parse(steps);
    const std::optional<Model> model = unless_refused([&] { return adapt(domains.pair(), request); });
    if (!model) return;
    const int class_count = model->classes().size();
    expect_sound(model->target(), domains.target.cols(), class_count);
    EXPECT_TRUE(model->transform(domains.target).allFinite());
    const auto embedded = unless_refused([&] { return model->transform(domains.source, Side::Source); });
    EXPECT_TRUE(!embedded || embedded->allFinite());
    const Prediction again = model->predict(domains.target);
    expect_sound(again, domains.target.cols(), class_count);

    EXPECT_TRUE(!data.samples_are_equal || notes_arbitrary_labels(model->report()));
    // Saves wait for the disk: every method once.
    if (!GetParam().options.empty() || steps != "none") return;
    model->save(folder_ / "model.safetensors");
    const Model loaded = Model::load(folder_ / "model.safetensors");
    const Prediction later = loaded.predict(domains.target);
    EXPECT_EQ(later.labels, again.labels);
    EXPECT_EQ(later.probabilities, again.probabilities);
    EXPECT_EQ(loaded.target().labels, model->target().labels);
  }

  testing::ScratchFolder folder_;
};

TEST_P(Stress, HardNumbersGiveSoundLabelsOrAnErrorThatHelps) {
  for (const HardData& data : testing::hard_numbers()) {
    for (const char* steps : {"none", "l2", "zscore"}) run(data, steps);
  }
}

TEST_P(Stress, HardShapesGiveSoundLabelsOrAnErrorThatHelps) {
  for (const HardData& data : testing::hard_shapes()) {
    for (const char* steps : {"none", "l2", "zscore"}) run(data, steps);
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, Stress, ::testing::ValuesIn(testing::variants()),
                         [](const auto& one) { return one.param.name(); });

}  // namespace
}  // namespace isthmus
