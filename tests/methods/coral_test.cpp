#include "methods/coral.h"

#include <gtest/gtest.h>

#include "isthmus/adapt.h"
#include "isthmus/errors.h"
#include "toy_domains.h"

namespace isthmus {
namespace {

using testing::labels_of;
using testing::random_matrix;
using testing::toy_domains;
using testing::ToyDomains;

Matrix covariance(const Matrix& samples) {
  const Matrix centred = samples.colwise() - samples.rowwise().mean();
  return centred * centred.transpose() / static_cast<double>(samples.cols() - 1);
}

TEST(Coral, WithoutRegularisationTheSourceGetsTheTargetsMeanAndCovariance) {
  ToyDomains toy = toy_domains(5, 30, 3, 1);
  toy.target = (random_matrix(5, 5, 2) * toy.target).colwise() + Vector::Constant(5, 7.0);
  const ModelState state = fit_coral(toy.pair(), {.regularization = 0}, {});
  const Matrix moved = state.source_embedding->apply(toy.source, 1);
  EXPECT_LT((covariance(moved) - covariance(toy.target)).norm(), 1e-10 * covariance(toy.target).norm());
  EXPECT_LT((moved.rowwise().mean() - toy.target.rowwise().mean()).norm(), 1e-10);
}

TEST(Coral, SolvesTheRegularisedEquation) {
  const ToyDomains toy = toy_domains(6, 20, 2, 3);
  const ModelState state = fit_coral(toy.pair(), {.regularization = 0.7}, {});
  const Matrix identity = Matrix::Identity(6, 6);
  const double ridge = state.report.facts.at("ridge");
  EXPECT_NEAR(ridge, 0.7 * (covariance(toy.source).trace() + covariance(toy.target).trace()) / 12.0, 1e-10);
  // A (C_s + εI) Aᵀ = C_t + εI, and A = projectionᵀ
  const Matrix& p = state.source_embedding->projection;
  const Matrix wanted = covariance(toy.target) + ridge * identity;
  EXPECT_LT((p.transpose() * (covariance(toy.source) + ridge * identity) * p - wanted).norm(),
            1e-10 * wanted.norm());
}

TEST(Coral, LeavesTheTargetAsItIs) {
  const ToyDomains toy = toy_domains(6, 20, 2, 4);
  const Model model = adapt(toy.pair(), {.method = "coral", .preprocessing = {}});
  EXPECT_EQ(model.transform(toy.target), toy.target);
  EXPECT_NE(model.transform(toy.source, Side::Source), toy.source);
}

TEST(Coral, DoesNotDependOnTheUnitOfTheFeatures) {
  ToyDomains toy = toy_domains(6, 20, 3, 5);
  const std::vector<int> before = labels_of(toy, {.method = "coral", .preprocessing = {}});
  toy.source *= 1e-3;
  toy.target *= 1e-3;
  EXPECT_EQ(labels_of(toy, {.method = "coral", .preprocessing = {}}), before);
}

TEST(Coral, TakesFewSamplesWithRegularisationAndRefusesThemWithout) {
  ToyDomains toy = toy_domains(20, 4, 2, 6);
  EXPECT_NO_THROW(fit_coral(toy.pair(), {}, {}));
  EXPECT_THROW(fit_coral(toy.pair(), {.regularization = 0}, {}), InvalidArgument);
  toy.target = toy.target.leftCols(1).eval();
  toy.target_names = {"class0"};
  EXPECT_EQ(fit_coral(toy.pair(), {}, {}).target.labels.size(), 1U);
  toy.source.setConstant(2.0);
  EXPECT_THROW(fit_coral(toy.pair(), {}, {}), InvalidArgument) << "nothing varies";
}

}  // namespace
}  // namespace isthmus
