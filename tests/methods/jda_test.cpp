#include "methods/jda.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "methods/tca.h"
#include "toy_domains.h"

namespace isthmus {
namespace {

using testing::random_matrix;
using testing::toy_domains;

/// JDA as in the paper: dense M and H, the n×n linear kernel or the features themselves, brute-force 1-NN.
std::vector<int> textbook_jda(const DomainPair& pair, bool linear_kernel, int rounds, double lambda,
                              Index k) {
  const Index ns = pair.source_count();
  const Index n = ns + pair.target_count();
  Matrix x(pair.dimension(), n);
  x << pair.source().view(), pair.target().view();
  const Matrix f = linear_kernel ? Matrix(x.transpose() * x) : x;
  const Matrix h = Matrix::Identity(n, n) - Matrix::Constant(n, n, 1.0 / static_cast<double>(n));
  Vector e = Vector::Constant(n, 1.0 / static_cast<double>(ns));
  e.tail(n - ns).setConstant(-1.0 / static_cast<double>(n - ns));
  std::vector<int> labels;
  for (int round = 0; round < rounds; ++round) {
    Matrix m = pair.class_count() * e * e.transpose();
    for (int c = 0; c < pair.class_count() && !labels.empty(); ++c) {
      Vector source = Vector::Zero(n);
      Vector target = Vector::Zero(n);
      for (Index i = 0; i < ns; ++i) source[i] = pair.source_labels()[static_cast<std::size_t>(i)] == c;
      for (Index i = ns; i < n; ++i) target[i] = labels[static_cast<std::size_t>(i - ns)] == c;
      if (target.sum() == 0) continue;
      const Vector difference = source / source.sum() - target / target.sum();
      m += difference * difference.transpose();
    }
    m /= m.norm();
    const Matrix right = f * m * f.transpose() + lambda * Matrix::Identity(f.rows(), f.rows());
    const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> solver(f * h * f.transpose(), right);
    const Matrix a = solver.eigenvectors().rightCols(k).colwise().normalized();
    const Matrix z = (a.transpose() * f).colwise().normalized();
    labels.clear();
    for (Index j = ns; j < n; ++j) {
      Index nearest = 0;
      (z.leftCols(ns).colwise() - z.col(j)).colwise().squaredNorm().minCoeff(&nearest);
      labels.push_back(pair.source_labels()[static_cast<std::size_t>(nearest)]);
    }
  }
  return labels;
}

class Jda : public ::testing::TestWithParam<std::tuple<bool, int>> {};

TEST_P(Jda, LabelsAreThoseOfTheTextbook) {
  const auto [linear_kernel, rounds] = GetParam();
  testing::ToyDomains toy = toy_domains(9, 15, 4, 61);
  toy.target.colwise() += Vector(2.0 * random_matrix(9, 1, 62));
  const DomainPair pair = toy.pair();
  JdaOptions options;
  options.matching.components = 5;
  options.matching.lambda = 0.4;
  options.matching.lambda_unit = LambdaUnit::Absolute;
  options.matching.kernel.kernel = linear_kernel ? Kernel::Linear : Kernel::Primal;
  options.rounds.rounds = rounds;
  EXPECT_EQ(fit_jda(pair, options, {}).target.labels, textbook_jda(pair, linear_kernel, rounds, 0.4, 5));
}

INSTANTIATE_TEST_SUITE_P(KernelsAndRounds, Jda,
                         ::testing::Combine(::testing::Bool(), ::testing::Values(1, 2, 10)));

TEST(Jda, OneRoundIsTcaWithTheSameEmbedding) {
  const DomainPair pair = toy_domains(9, 15, 4, 63).pair();
  JdaOptions jda;
  jda.matching.components = 5;
  jda.rounds.rounds = 1;
  TcaOptions tca;
  tca.matching = jda.matching;
  EXPECT_EQ(fit_jda(pair, jda, {}).target.labels, fit_tca(pair, tca, {}).target.labels);
  EXPECT_EQ(fit_tca(pair, tca, {}).report.status, Status::Converged);
}

TEST(Jda, BalancedHalfAndHalfIsPlain) {
  const DomainPair pair = toy_domains(9, 15, 4, 64).pair();
  JdaOptions plain;
  plain.matching.components = 5;
  JdaOptions balanced = plain;
  balanced.rounds.weighting = Weighting::Balanced;
  const ModelState a = fit_jda(pair, plain, {});
  const ModelState b = fit_jda(pair, balanced, {});
  EXPECT_EQ(a.target.labels, b.target.labels);
  EXPECT_NEAR(a.report.series.at("objective").back(), b.report.series.at("objective").back(),
              1e-9 * a.report.series.at("objective").back());
}

}  // namespace
}  // namespace isthmus
