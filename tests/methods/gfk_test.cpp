#include "methods/gfk.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "benchmark_data.h"
#include "isthmus/adapt.h"
#include "isthmus/data.h"
#include "isthmus/errors.h"
#include "principal_basis.h"
#include "toy_domains.h"

namespace isthmus {
namespace {

using testing::principal_basis;
using testing::random_matrix;
using testing::random_rotation;
using testing::toy_domains;
using testing::ToyDomains;

/// ∫₀¹ Φ(t)Φ(t)ᵀ dt by Simpson's rule. The principal vectors b_i of the target diagonalise P_tᵀP_sP_sᵀP_t;
/// the geodesic turns each from its projection on the source subspace, cos θ_i long, to itself.
Matrix integrated_kernel(const Matrix& ps, const Matrix& pt) {
  const Matrix overlap = ps.transpose() * pt;
  const Matrix end = pt * Eigen::SelfAdjointEigenSolver<Matrix>(overlap.transpose() * overlap).eigenvectors();
  const Matrix inside = ps * (ps.transpose() * end);
  const Matrix outside = end - inside;
  const auto point = [&](double t) {
    Matrix phi(ps.rows(), ps.cols());
    for (Index i = 0; i < ps.cols(); ++i) {
      const double sine = outside.col(i).norm();
      const double angle = std::atan2(sine, inside.col(i).norm());
      phi.col(i) = std::cos(angle * t) * inside.col(i).normalized();
      if (sine > 1e-12) phi.col(i) += std::sin(angle * t) / sine * outside.col(i);
    }
    return phi;
  };
  constexpr int kIntervals = 1000;
  Matrix sum = Matrix::Zero(ps.rows(), ps.rows());
  for (int i = 0; i <= kIntervals; ++i) {
    const Matrix phi = point(static_cast<double>(i) / kIntervals);
    const double weight = i == 0 || i == kIntervals ? 1.0 : (i % 2 == 1 ? 4.0 : 2.0);
    sum += weight / (3.0 * kIntervals) * phi * phi.transpose();
  }
  return sum;
}

Matrix kernel_of(const ModelState& state) {
  const Matrix& factor = state.branches[0].embedding.projection;
  return factor * factor.transpose();
}

/// Target samples whose principal directions are those of `basis`.
ToyDomains with_target_in(const Matrix& source, const Matrix& basis, std::uint64_t seed) {
  ToyDomains toy;
  toy.source = source;
  const Vector scales = Vector::LinSpaced(basis.cols(), 5.0, 1.0);
  toy.target = basis * (scales.asDiagonal() * random_matrix(basis.cols(), 50, seed));
  for (Index i = 0; i < source.cols(); ++i) toy.source_names.push_back(i % 2 == 0 ? "a" : "b");
  toy.target_names.assign(50, "a");
  return toy;
}

class GfkDimension : public ::testing::TestWithParam<int> {};

TEST_P(GfkDimension, KernelIsTheIntegralAlongTheGeodesic) {
  const int q = GetParam();
  const ToyDomains toy = toy_domains(9, 15, 3, 1);
  const ModelState state = fit_gfk(toy.pair(), {.subspace = q}, {});
  EXPECT_EQ(state.branches[0].embedding.projection.cols(), 2 * q);
  EXPECT_EQ(state.report.facts.at("subspace"), q);
  const Matrix expected = integrated_kernel(principal_basis(toy.source, q), principal_basis(toy.target, q));
  EXPECT_LT((kernel_of(state) - expected).norm(), 1e-10);
}

// Below, at and beyond half of the nine features; with all nine both subspaces are the whole space.
INSTANTIATE_TEST_SUITE_P(Sizes, GfkDimension, ::testing::Values(1, 3, 4, 5, 7, 9));

TEST(Gfk, EqualSubspacesGiveTheProjection) {
  ToyDomains toy = toy_domains(8, 12, 3, 2);
  toy.target = toy.source;
  toy.target_names = toy.source_names;
  const Matrix basis = principal_basis(toy.source, 3);
  EXPECT_LT((kernel_of(fit_gfk(toy.pair(), {.subspace = 3}, {})) - basis * basis.transpose()).norm(), 1e-12);
}

TEST(Gfk, NearlyEqualSubspacesLoseNoDigits) {
  // One direction turned by a tiny angle: 1 − sin x / x and its square root would cancel if taken literally.
  const Matrix frame = random_rotation(6, 3);
  const Matrix source = frame.leftCols(2) * random_matrix(2, 50, 4);
  const Matrix ps = principal_basis(source, 2);
  for (const double angle : {1e-9, 1e-7, 1e-4, 4e-3}) {
    Matrix turned = ps;
    turned.col(0) = std::cos(angle) * ps.col(0) + std::sin(angle) * frame.col(4);
    const ModelState state = fit_gfk(with_target_in(source, turned, 5).pair(), {.subspace = 2}, {});
    // Through the kernel's factor: the kernel itself, entries near 1, cannot hold θ².
    const Matrix& factor = state.branches[0].embedding.projection;
    const Vector along_r = factor.transpose() * frame.col(4);
    const Vector along_a = factor.transpose() * ps.col(0);
    // Along r the kernel is ½(1 − sin 2θ/2θ) = θ²/3 + O(θ⁴), between a and r θ/2 + O(θ³).
    EXPECT_NEAR(along_r.squaredNorm() / (angle * angle / 3.0), 1.0, 1e-4) << angle;
    EXPECT_NEAR(std::abs(along_r.dot(along_a)) / (angle / 2.0), 1.0, 1e-4) << angle;
  }
}

TEST(Gfk, OrthogonalSubspacesGiveTheQuarterTurn) {
  const Matrix frame = random_rotation(6, 6);
  const Matrix source = frame.leftCols(2) * random_matrix(2, 50, 7);
  const Matrix target_basis = frame.rightCols(2);
  const Matrix kernel =
      kernel_of(fit_gfk(with_target_in(source, target_basis, 8).pair(), {.subspace = 2}, {}));
  // θ = π/2: ½[[1, 2/π], [2/π, 1]] for each pair; the trace of the kernel is q.
  EXPECT_NEAR(kernel.trace(), 2.0, 1e-12);
  EXPECT_LT(
      (frame.leftCols(2).transpose() * kernel * frame.leftCols(2) - 0.5 * Matrix::Identity(2, 2)).norm(),
      1e-10);
}

TEST(Gfk, ChoosesTheSubspaceByDisagreementAndSaysSo) {
  const ToyDomains toy = toy_domains(12, 30, 3, 9);
  const ModelState state = fit_gfk(toy.pair(), {}, {});
  const auto& measure = state.report.series.at("subspace_disagreement");
  EXPECT_EQ(state.report.facts.at("subspace"), static_cast<double>(measure.size()));
  EXPECT_EQ(state.report.notes.size(), 1U);
  for (std::size_t i = 0; i + 1 < measure.size(); ++i) EXPECT_LT(measure[i], 0.999);
  EXPECT_EQ(fit_gfk(toy.pair(), {.subspace = static_cast<int>(measure.size())}, {}).target.labels,
            state.target.labels);
}

TEST(Gfk, TakesAllDirectionsWhereTheDomainsAgree) {
  ToyDomains toy = toy_domains(5, 20, 2, 10);
  toy.target = toy.source;
  EXPECT_EQ(fit_gfk(toy.pair(), {}, {}).report.facts.at("subspace"), 5);
}

TEST(Gfk, RefusesSubspacesThatADomainDoesNotSpan) {
  ToyDomains toy = toy_domains(20, 15, 2, 11);
  toy.target = random_matrix(20, 2, 12) * random_matrix(2, 30, 13);
  try {
    fit_gfk(toy.pair(), {.subspace = 3}, {});
    FAIL() << "a plane has no three directions";
  } catch (const InvalidArgument& error) {
    EXPECT_STREQ(
        error.what(),
        "option 'subspace' is 3; expected at most 2, the dimension that the target's 30 samples span: ask "
        "for fewer, or auto to choose it without labels");
  }
  EXPECT_NO_THROW(fit_gfk(toy.pair(), {.subspace = 2}, {}));
  EXPECT_THROW(fit_gfk(toy.pair(), {.subspace = 21}, {}), InvalidArgument);
  toy.target = random_matrix(20, 1, 14);
  toy.target_names = {"class0"};
  EXPECT_THROW(fit_gfk(toy.pair(), {}, {}), InvalidArgument) << "one sample has no subspace";
}

TEST(Gfk, WorksWithFewerSamplesThanFeatures) {
  const ToyDomains toy = toy_domains(60, 4, 3, 15);
  const ModelState state = fit_gfk(toy.pair(), {.subspace = 5}, {});
  const Matrix expected = integrated_kernel(principal_basis(toy.source, 5), principal_basis(toy.target, 5));
  EXPECT_LT((kernel_of(state) - expected).norm(), 1e-10);
}

struct GfkCell {
  const char* source_file;
  const char* target_file;
  int subspace;
  double accuracy;
};

void PrintTo(const GfkCell& cell, std::ostream* out) {
  *out << cell.source_file << " -> " << cell.target_file << ", q = " << cell.subspace;
}

class GfkPublished : public ::testing::TestWithParam<GfkCell> {};

TEST_P(GfkPublished, CellIsReproducedToTheDigit) {
  ISTHMUS_REQUIRE_DATA(folder);
  const GfkCell& cell = GetParam();
  const bool digits = std::string(cell.source_file) == cell.target_file;
  Domain source =
      read_dataset(folder / cell.source_file, {digits ? "X_src" : "fts", digits ? "Y_src" : "labels"}).domain;
  Domain target =
      read_dataset(folder / cell.target_file, {digits ? "X_tar" : "fts", digits ? "Y_tar" : "labels"}).domain;
  DomainPair pair(std::move(source), std::move(target));
  const std::vector<int> truth = pair.target_truth();
  const Model model =
      adapt(std::move(pair), {.method = "gfk",
                              .options = {{"subspace", std::to_string(cell.subspace)}},
                              .preprocessing = Preprocessing::parse(digits ? "l2" : "sum,zscore")});
  EXPECT_NEAR(accuracy_percent(model.target().labels, truth), cell.accuracy, 0.005001);
}

constexpr const char* kCaltech = "Caltech10_SURF_L10.mat";
constexpr const char* kAmazon = "amazon_SURF_L10.mat";
constexpr const char* kWebcam = "webcam_SURF_L10.mat";
constexpr const char* kDslr = "dslr_SURF_L10.mat";

// All but COIL, which no dimension reaches.
INSTANTIATE_TEST_SUITE_P(
    Table1, GfkPublished,
    ::testing::Values(GfkCell{"USPS_vs_MNIST.mat", "USPS_vs_MNIST.mat", 100, 46.45},
                      GfkCell{"MNIST_vs_USPS.mat", "MNIST_vs_USPS.mat", 100, 67.22},
                      GfkCell{kCaltech, kAmazon, 20, 41.02}, GfkCell{kCaltech, kWebcam, 20, 40.68},
                      GfkCell{kCaltech, kDslr, 10, 38.85}, GfkCell{kAmazon, kCaltech, 20, 40.25},
                      GfkCell{kAmazon, kWebcam, 10, 38.98}, GfkCell{kAmazon, kDslr, 20, 36.31},
                      GfkCell{kWebcam, kCaltech, 20, 30.72}, GfkCell{kWebcam, kAmazon, 10, 29.75},
                      GfkCell{kWebcam, kDslr, 10, 80.89}, GfkCell{kDslr, kCaltech, 10, 30.28},
                      GfkCell{kDslr, kAmazon, 20, 32.05}, GfkCell{kDslr, kWebcam, 10, 75.59}));

}  // namespace
}  // namespace isthmus
