#include "methods/pca.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "isthmus/adapt.h"
#include "isthmus/errors.h"
#include "methods/nn.h"
#include "toy_domains.h"

namespace isthmus {
namespace {

using testing::labels_of;
using testing::random_order;
using testing::random_rotation;
using testing::reordered;
using testing::toy_domains;
using testing::ToyDomains;

TEST(Pca, ProjectsOntoTheLeadingDirectionsOfTheJointScatter) {
  const ToyDomains toy = toy_domains(8, 10, 3, 1);
  const ModelState state = fit_pca(toy.pair(), {.components = 3}, {});
  Matrix joint(8, 60);
  joint << toy.source, toy.target;
  const Matrix centred = joint.colwise() - joint.rowwise().mean();
  const Matrix scatter = centred * centred.transpose();
  const Matrix& p = state.branches[0].embedding.projection;
  EXPECT_LT((p.transpose() * p - Matrix::Identity(3, 3)).norm(), 1e-12);
  // An invariant subspace: S P = P (PᵀSP), with the largest part of the trace.
  EXPECT_LT((scatter * p - p * (p.transpose() * scatter * p)).norm(), 1e-9 * scatter.norm());
  const Vector values = Eigen::SelfAdjointEigenSolver<Matrix>(scatter).eigenvalues();
  EXPECT_NEAR((p.transpose() * scatter * p).trace(), values.tail(3).sum(), 1e-9 * values.sum());
  EXPECT_LT(state.branches[0].embedding.apply(joint, 1).rowwise().mean().norm(), 1e-12);
}

TEST(Pca, AllComponentsKeepAllDistancesSoItEqualsNearestNeighbour) {
  const ToyDomains toy = toy_domains(6, 12, 4, 2);
  EXPECT_EQ(labels_of(toy, {.method = "pca", .options = {{"components", "6"}}, .preprocessing = {}}),
            labels_of(toy, {.method = "nn", .preprocessing = {}}));
}

TEST(Pca, RefusesMoreComponentsThanTheDataHas) {
  const ToyDomains toy = toy_domains(6, 5, 2, 3);
  EXPECT_THROW(adapt(toy.pair(), {.method = "pca", .options = {{"components", "7"}}, .preprocessing = {}}),
               InvalidArgument);
}

class Baseline : public ::testing::TestWithParam<AdaptRequest> {};

TEST_P(Baseline, LabelsDoNotDependOnSampleOrder) {
  const ToyDomains toy = toy_domains(7, 20, 3, 4);
  const auto source_order = random_order(toy.source.cols(), 5);
  const auto target_order = random_order(toy.target.cols(), 6);
  const ToyDomains shuffled = toy.in_order(source_order, target_order);
  EXPECT_EQ(labels_of(shuffled, GetParam()), reordered(labels_of(toy, GetParam()), target_order));
}

TEST_P(Baseline, LabelsDoNotDependOnWhatTheClassesAreCalled) {
  const ToyDomains toy = toy_domains(7, 20, 3, 5);
  ToyDomains renamed = toy;
  const auto rename = [](std::string& name) {
    name = std::string(1, static_cast<char>('z' - (name.back() - '0')));
  };
  std::for_each(renamed.source_names.begin(), renamed.source_names.end(), rename);
  const Model model = adapt(toy.pair(), GetParam());
  const Model other = adapt(renamed.pair(), GetParam());
  for (std::size_t i = 0; i < model.target().labels.size(); ++i) {
    std::string expected = model.classes()[model.target().labels[i]];
    rename(expected);
    EXPECT_EQ(other.classes()[other.target().labels[i]], expected) << "sample " << i;
  }
}

TEST_P(Baseline, LabelsDoNotDependOnARotationOfTheFeatures) {
  const ToyDomains toy = toy_domains(7, 20, 3, 7);
  ToyDomains turned = toy;
  const Matrix rotation = random_rotation(7, 8);
  turned.source = rotation * toy.source;
  turned.target = rotation * toy.target;
  EXPECT_EQ(labels_of(turned, GetParam()), labels_of(toy, GetParam()));
}

TEST_P(Baseline, LabelsDoNotDependOnTheThreadCount) {
  const ToyDomains toy = toy_domains(7, 300, 3, 9);
  const Model one = adapt(toy.pair(), GetParam(), {.threads = 1});
  const Model three = adapt(toy.pair(), GetParam(), {.threads = 3});
  EXPECT_EQ(one.target().labels, three.target().labels);
  EXPECT_EQ(one.target().probabilities, three.target().probabilities);
}

TEST_P(Baseline, PredictingTheFittedTargetGivesItsLabels) {
  const ToyDomains toy = toy_domains(7, 20, 3, 10);
  const Model model = adapt(toy.pair(), GetParam());
  EXPECT_EQ(model.predict(toy.target).labels, model.target().labels);
}

INSTANTIATE_TEST_SUITE_P(
    Methods, Baseline,
    ::testing::Values(
        AdaptRequest{.method = "nn", .preprocessing = {}},
        AdaptRequest{.method = "logistic", .preprocessing = {}},
        AdaptRequest{.method = "pca", .options = {{"components", "3"}}, .preprocessing = {}},
        AdaptRequest{.method = "sa",
                     .options = {{"components", "3"}, {"classifier", "logistic"}},
                     .preprocessing = {}},
        AdaptRequest{
            .method = "pca", .options = {{"components", "3"}}, .preprocessing = Preprocessing::parse("l2")},
        AdaptRequest{.method = "gfk", .options = {{"subspace", "3"}}, .preprocessing = {}},
        AdaptRequest{.method = "gfk", .preprocessing = {}},
        AdaptRequest{
            .method = "tsl", .options = {{"components", "3"}, {"iterations", "10"}}, .preprocessing = {}},
        AdaptRequest{.method = "lrsr", .preprocessing = {}},
        AdaptRequest{.method = "ltsl", .options = {{"components", "3"}}, .preprocessing = {}},
        AdaptRequest{
            .method = "ltsl", .options = {{"components", "2"}, {"criterion", "lda"}}, .preprocessing = {}},
        AdaptRequest{.method = "sa", .options = {{"components", "3"}}, .preprocessing = {}},
        AdaptRequest{.method = "coral", .preprocessing = {}}));

}  // namespace
}  // namespace isthmus
