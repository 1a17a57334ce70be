#include "methods/sa.h"

#include <gtest/gtest.h>

#include "isthmus/adapt.h"
#include "isthmus/errors.h"
#include "principal_basis.h"
#include "toy_domains.h"

namespace isthmus {
namespace {

using testing::labels_of;
using testing::principal_basis;
using testing::random_matrix;
using testing::toy_domains;
using testing::ToyDomains;

Matrix centred(const Matrix& samples) {
  return samples.colwise() - samples.rowwise().mean();
}

TEST(SubspaceAlignment, EmbedsTheSourceInItsAlignedSubspace) {
  const ToyDomains toy = toy_domains(10, 12, 3, 1);
  const Model model =
      adapt(toy.pair(), {.method = "sa", .options = {{"components", "4"}}, .preprocessing = {}});
  const Matrix ps = principal_basis(toy.source, 4);
  const Matrix pt = principal_basis(toy.target, 4);
  // Bases are known up to the signs of their vectors: compare Gram matrices, which are not.
  const Matrix source = (ps * ps.transpose() * pt).transpose() * centred(toy.source);
  const Matrix target = pt.transpose() * centred(toy.target);
  const Matrix found_source = model.transform(toy.source, Side::Source);
  const Matrix found_target = model.transform(toy.target, Side::Target);
  EXPECT_LT((found_target.transpose() * found_target - target.transpose() * target).norm(), 1e-9);
  EXPECT_LT((found_source.transpose() * found_target - source.transpose() * target).norm(), 1e-9);
}

TEST(SubspaceAlignment, TheAlignmentIsTheBestLinearMapBetweenTheBases) {
  const ToyDomains toy = toy_domains(10, 12, 3, 2);
  const ModelState state = fit_sa(toy.pair(), {.components = 3}, {});
  const Matrix ps = principal_basis(toy.source, 3);
  const Matrix pt = state.branches[0].embedding.projection;
  const double reached = state.report.facts.at("alignment");
  const Matrix best = ps.transpose() * pt;
  EXPECT_NEAR((ps * best - pt).norm(), reached, 1e-10);
  for (std::uint64_t seed = 3; seed < 8; ++seed) {
    EXPECT_GT((ps * (best + 0.1 * random_matrix(3, 3, seed)) - pt).norm(), reached);
  }
}

TEST(SubspaceAlignment, IgnoresAShiftBetweenTheDomains) {
  ToyDomains toy = toy_domains(8, 20, 3, 9);
  const AdaptRequest request{.method = "sa", .options = {{"components", "3"}}, .preprocessing = {}};
  const std::vector<int> before = labels_of(toy, request);
  toy.target.colwise() += Vector::Constant(8, 5.0);
  EXPECT_EQ(labels_of(toy, request), before);
}

TEST(SubspaceAlignment, ChoosesTheDimensionUnlessGiven) {
  const ModelState state = fit_sa(toy_domains(12, 30, 3, 10).pair(), {}, {});
  EXPECT_EQ(state.report.facts.at("subspace"),
            static_cast<double>(state.branches[0].embedding.projection.cols()));
  EXPECT_TRUE(state.report.series.contains("subspace_disagreement"));
}

TEST(SubspaceAlignment, RefusesMoreComponentsThanADomainSpans) {
  ToyDomains toy = toy_domains(30, 5, 2, 11);
  EXPECT_THROW(fit_sa(toy.pair(), {.components = 10}, {}), InvalidArgument);
  EXPECT_NO_THROW(fit_sa(toy.pair(), {.components = 9}, {}));
  toy.target = Matrix::Constant(30, 10, 0.5);
  EXPECT_THROW(fit_sa(toy.pair(), {.components = 1}, {}), InvalidArgument) << "equal samples span nothing";
}

}  // namespace
}  // namespace isthmus
