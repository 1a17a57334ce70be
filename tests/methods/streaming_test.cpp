#include <gtest/gtest.h>

#include "isthmus/adapt.h"
#include "toy_domains.h"

namespace isthmus {
namespace {

using testing::toy_domains;

/// The same values in single precision, stored feature by feature: read block by block, never held as
/// doubles.
FeatureMatrix streamed(const Eigen::MatrixXf& values) {
  auto turned = std::make_shared<Eigen::MatrixXf>(values.transpose());
  const auto load = [](const std::byte* from, std::ptrdiff_t stride, Index count, double* to) {
    for (Index i = 0; i < count; ++i) to[i] = *reinterpret_cast<const float*>(from + i * stride);
  };
  const auto item = static_cast<std::ptrdiff_t>(sizeof(float));
  return FeatureMatrix(StoredFeatures{reinterpret_cast<const std::byte*>(turned->data()), values.rows(),
                                      values.cols(), item * values.cols(), item, load, turned});
}

class Streaming : public ::testing::TestWithParam<std::string> {};

TEST_P(Streaming, OnTwoThreadsGivesTheBytesOfTheSameValuesInMemoryOnOne) {
  const auto toy = toy_domains(12, 200, 3, 5);  // several blocks of every loop over samples
  const Eigen::MatrixXf source = toy.source.cast<float>();
  const Eigen::MatrixXf target = toy.target.cast<float>();
  const Labels labels = encode_labels(std::vector<std::string>(toy.source_names));
  AdaptRequest request;
  request.method = GetParam();
  request.preprocessing = Preprocessing::parse("zscore,l2");
  const Model plain =
      adapt({{Matrix(source.cast<double>()), labels}, {Matrix(target.cast<double>()), {}}}, request, {});
  Context two_threads;
  two_threads.threads = 2;
  const Model model = adapt({{streamed(source), labels}, {streamed(target), {}}}, request, two_threads);
  EXPECT_EQ(model.target().labels, plain.target().labels);
  EXPECT_TRUE(model.target().probabilities == plain.target().probabilities);
  const FeatureMatrix fresh = streamed(target.rightCols(20));
  EXPECT_TRUE(model.predict(fresh, two_threads).probabilities ==
              plain.predict(Matrix(target.rightCols(20).cast<double>())).probabilities);
  EXPECT_TRUE(model.transform(fresh, Side::Target, two_threads) ==
              plain.transform(Matrix(target.rightCols(20).cast<double>())));
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const MethodInfo& info : methods()) names.emplace_back(info.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Methods, Streaming, ::testing::ValuesIn(method_names()), [](const auto& method) {
  std::string name = method.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace isthmus
