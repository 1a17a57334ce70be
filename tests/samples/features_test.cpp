#include "isthmus/features.h"

#include <gtest/gtest.h>

#include <numeric>

namespace isthmus {
namespace {

/// 0, 1, 2, … as floats, kept alive by what uses them.
std::shared_ptr<std::vector<float>> count_up(std::size_t size) {
  auto values = std::make_shared<std::vector<float>>(size);
  std::iota(values->begin(), values->end(), 0.0F);
  return values;
}

void load_float(const std::byte* from, std::ptrdiff_t stride, Index count, double* to) {
  for (Index i = 0; i < count; ++i) to[i] = *reinterpret_cast<const float*>(from + i * stride);
}

/// 5 samples of 3 features, stored feature by feature.
StoredFeatures turned(const std::shared_ptr<std::vector<float>>& values) {
  return {reinterpret_cast<const std::byte*>(values->data()),
          3,
          5,
          5 * sizeof(float),
          sizeof(float),
          load_float,
          values};
}

TEST(Features, OfSinglePrecisionStayWhereTheyAreAndAreReadAsDoubles) {
  const auto values = count_up(12);
  const FeatureMatrix features(values->data(), 3, 4, values);
  EXPECT_EQ(values.use_count(), 2) << "borrowed, not copied";
  EXPECT_TRUE(features.streams());
  EXPECT_EQ(features.view(), (Matrix(3, 4) << 0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11).finished());
  EXPECT_EQ(features.columns(1, 2), features.view().middleCols(1, 2));
  EXPECT_EQ(features.columns(4, 0).cols(), 0);
}

TEST(Features, StoredFeatureByFeatureAreTurnedWhenRead) {
  const auto values = count_up(300 * 7);
  StoredFeatures stored = turned(values);
  stored.count = 300;
  stored.dimension = 7;
  stored.feature_stride = 300 * sizeof(float);
  const FeatureMatrix features(stored);
  const Matrix expected =
      Eigen::Map<const Eigen::MatrixXf>(values->data(), 300, 7).cast<double>().transpose();
  EXPECT_EQ(features.view(), expected);
  EXPECT_EQ(features.columns(100, 131), expected.middleCols(100, 131));
}

TEST(Features, ArePreparedEachTimeTheyAreReadAndNeverInPlace) {
  const auto values = count_up(15);
  const FeatureMatrix features(turned(values));
  const FeatureMatrix changed =
      features.prepared([](Eigen::Ref<Matrix> samples, Index) { samples.array() += 1.0; })
          .prepared([](Eigen::Ref<Matrix> samples, Index first) {
            for (Index j = 0; j < samples.cols(); ++j) samples.col(j) *= static_cast<double>(first + j);
          });
  Matrix expected = features.view();
  expected.array() += 1.0;
  for (Index j = 0; j < 5; ++j) expected.col(j) *= static_cast<double>(j);
  EXPECT_EQ(changed.view(), expected);
  EXPECT_EQ(changed.columns(2, 3), expected.rightCols(3)) << "a step knows the number of its first sample";
  EXPECT_EQ(features.view()(0, 4), 4.0F);
  FeatureMatrix released = changed;
  EXPECT_EQ(std::move(released).release(), expected);
}

// What was given back to the owner of the memory.
std::vector<std::pair<const std::byte*, std::size_t>> forgotten;
void record(const void* /*owner*/, const std::byte* from, std::size_t bytes) {
  forgotten.emplace_back(from, bytes);
}

TEST(Features, GiveEveryBlockBackThatHasBeenRead) {
  const auto floats = count_up(15);
  StoredFeatures stored = turned(floats);
  stored.forget = record;
  forgotten.clear();
  FeatureMatrix(stored).columns(1, 2);
  ASSERT_EQ(forgotten.size(), 3U) << "each feature lies elsewhere";
  EXPECT_EQ(forgotten[2], std::pair(stored.data + (2 * 5 + 1) * sizeof(float), 2 * sizeof(float)));

  const auto doubles = std::make_shared<std::vector<double>>(12, 1.0);
  StoredFeatures plain{reinterpret_cast<const std::byte*>(doubles->data()), 3, 4, 8, 24};
  plain.owner = doubles;
  plain.forget = record;
  forgotten.clear();
  {
    const Columns columns = FeatureMatrix(plain).columns(1, 3);
    EXPECT_EQ(columns.data(), doubles->data() + 3) << "doubles are used where they are";
    EXPECT_TRUE(forgotten.empty()) << "still in use";
  }
  EXPECT_EQ(forgotten, (decltype(forgotten){{plain.data + 24, 72}}));
}

TEST(SampleView, ReadsMatricesBlocksAndFeaturesAlike) {
  const Matrix matrix = Matrix::Random(6, 9);
  const FeatureMatrix features(matrix);
  const std::vector<Index> numbers{3, 0, 3};
  const Matrix picked = matrix(Eigen::all, numbers);
  EXPECT_EQ(SampleView(matrix).pick(numbers), picked);
  EXPECT_EQ(SampleView(features).pick(numbers), picked);
  for (const SampleView& view : {SampleView(matrix), SampleView(features)}) {
    const SampleView part = view.range(2, 6).range(1, 4);
    EXPECT_EQ(part.cols(), 4);
    EXPECT_EQ(part.columns(1, 3), matrix.middleCols(4, 3));
  }
  const SampleView rows(matrix.middleRows(2, 3));
  EXPECT_EQ(rows.rows(), 3);
  EXPECT_EQ(rows.all(), matrix.middleRows(2, 3)) << "columns farther apart than they are long";
  EXPECT_EQ(SampleView(matrix.transpose()).columns(2, 3), matrix.transpose().middleCols(2, 3));
  EXPECT_EQ(SampleView(matrix + matrix).all(), 2 * matrix);
  EXPECT_EQ(SampleView(matrix.row(1)).all(), matrix.row(1)) << "values that lie apart";
  EXPECT_EQ(rows.sample(4), matrix.col(4).segment(2, 3));
}

}  // namespace
}  // namespace isthmus
