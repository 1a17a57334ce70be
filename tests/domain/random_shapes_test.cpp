#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "dense_form.h"
#include "domain/class_means.h"
#include "domain/forms.h"
#include "domain/kde_divergence.h"
#include "domain/kernel.h"
#include "domain/pencil.h"
#include "domain/scatter.h"
#include "random_cases.h"

// Forms, means and kernels against their definitions over all samples, on random shapes.
namespace isthmus {
namespace {

using testing::DenseForm;
using testing::difference;
using testing::for_random_cases;
using testing::LabelledProblem;
using testing::RandomCase;

/// Any class may be empty on either side, but not all of them.
LabelledProblem random_problem(RandomCase& c) {
  const Index classes = c.size("classes", 2, 6);
  std::vector<int> source_sizes(static_cast<std::size_t>(classes));
  std::vector<int> target_sizes(static_cast<std::size_t>(classes));
  for (Index k = 0; k < classes; ++k) {
    source_sizes[static_cast<std::size_t>(k)] = static_cast<int>(c.size("source samples of a class", 1, 8));
    target_sizes[static_cast<std::size_t>(k)] = static_cast<int>(c.size("target samples of a class", 0, 8));
  }
  target_sizes.back() += 1;
  return {c.size("features", 1, 8), source_sizes, target_sizes,
          static_cast<std::uint64_t>(c.choice(1 << 30))};
}

TEST(RandomShapes, FactoredFormsEqualTheDenseOnes) {
  for_random_cases(1500, 100, [](RandomCase& c) -> std::string {
    const LabelledProblem problem = random_problem(c);
    const ClassMeans classes = problem.class_means();
    const Matrix x = problem.samples();
    const double marginal = c.choice(4);
    const RepulsionWeights weights{static_cast<double>(c.choice(3)), static_cast<double>(c.choice(3)), 1.0};
    DenseForm close(problem);
    close.add_closeness(marginal, 1.0);
    DenseForm apart(problem);
    apart.add_repulsion(weights.source_target, weights.target_source, weights.source_source);
    const Matrix k = closeness(classes, {marginal, 1.0}).coefficients();
    const Matrix r = repulsion(classes, weights).coefficients();
    const Matrix& p = classes.means();
    for (const std::string& gap :
         {difference("closeness", p * k * p.transpose(), x * close.matrix * x.transpose(), 1e-11, 1e-3),
          difference("repulsion", p * r * p.transpose(), x * apart.matrix * x.transpose(), 1e-11, 1e-3),
          difference("its norm", Matrix::Constant(1, 1, frobenius_norm(k - r, classes.counts())),
                     Matrix::Constant(1, 1, (close.matrix - apart.matrix).norm()), 1e-11, 1e-3)}) {
      if (!gap.empty()) return gap;
    }
    return {};
  });
}

TEST(RandomShapes, RelabelledMeansEqualFreshOnesAlsoAfterAnOutlierMoved) {
  for_random_cases(300, 200, [](RandomCase& c) -> std::string {
    const Index d = c.size("features", 1, 6);
    const Index ns = c.size("source", 1, 20);
    const Index nt = c.size("target", 1, 40);
    const Index rounds = c.size("rounds", 1, 40);
    const auto classes = static_cast<int>(c.size("classes", 2, 5));
    const Matrix source = c.matrix(d, ns);
    Matrix target = c.matrix(d, nt);
    target.col(0) *= std::pow(10.0, 3.0 * c.choice(11));
    const std::vector<int> source_labels = c.labels(ns, classes);
    std::vector<int> labels = c.labels(nt, classes);
    ClassMeans followed(source, source_labels, target, labels, classes, 1);
    for (Index round = 0; round < rounds; ++round) {
      const auto moved = static_cast<std::size_t>(c.choice(2) == 0 ? 0 : c.choice(static_cast<int>(nt)));
      labels[moved] = c.choice(classes);
      followed.relabel(target, labels, 1);
      const ClassMeans fresh(source, source_labels, target, labels, classes, 1);
      if (followed.counts() != fresh.counts()) return "other counts in round " + std::to_string(round);
      for (Index k = 0; k < 2 * classes; ++k) {
        const std::string gap = difference("mean " + std::to_string(k) + " in round " + std::to_string(round),
                                           followed.means().col(k), fresh.means().col(k), 1e-9, 1e-3);
        if (!gap.empty()) return gap;
      }
    }
    return {};
  });
}

TEST(RandomShapes, JointScatterEqualsTheLoopAtAnyOffset) {
  for_random_cases(1000, 300, [](RandomCase& c) -> std::string {
    const Index d = c.size("features", 1, 10);
    const Index ns = c.size("source", 1, 30);
    const Index nt = c.size("target", 1, 30);
    const Matrix both = c.matrix(d, ns + nt);
    const double offset = std::pow(10.0, c.choice(7)) - 1;
    const Matrix x = both.array() + offset;
    const linalg::Moments found = joint_moments(x.leftCols(ns), x.rightCols(nt), 1);
    const Vector mean = both.rowwise().mean();
    Matrix expected = Matrix::Zero(d, d);
    for (Index j = 0; j < ns + nt; ++j) expected += (both.col(j) - mean) * (both.col(j) - mean).transpose();
    return difference("scatter", found.scatter(), expected, 1e-8, 1e-3);
  });
}

double kernel_value(const KernelMap& map, const Vector& a, const Vector& b) {
  switch (map.kernel) {
    case Kernel::Rbf:
      return std::exp(-(a - b).squaredNorm() / (2 * map.width * map.width));
    case Kernel::Laplace:
      return std::exp(-(a - b).cwiseAbs().sum() / map.width);
    case Kernel::Polynomial:
      return std::pow(a.dot(b) / (map.width * map.width) + 1, map.degree);
    default:
      return a.dot(b);
  }
}

TEST(RandomShapes, KernelsAndTheDensityDivergenceEqualTheDoubleLoop) {
  for_random_cases(1000, 400, [](RandomCase& c) -> std::string {
    const Index d = c.size("features", 1, 8);
    const Index m = c.size("landmarks", 1, 20);
    const Index n = c.size("samples", 1, 90);
    KernelMap map;
    map.kernel = std::array{Kernel::Linear, Kernel::Rbf, Kernel::Laplace,
                            Kernel::Polynomial}[static_cast<std::size_t>(c.choice(4))];
    map.width = 0.5 + c.choice(4);
    map.degree = 1 + c.choice(3);
    map.landmarks = c.matrix(d, m);
    const Matrix samples = c.matrix(d, n);
    Matrix expected(m, n);
    for (Index i = 0; i < m; ++i) {
      for (Index j = 0; j < n; ++j) expected(i, j) = kernel_value(map, map.landmarks.col(i), samples.col(j));
    }
    const std::string gap = difference("kernel", map.evaluate(samples, 1), expected, 1e-12);
    if (!gap.empty()) return gap;
    const KernelMap gaussian{Kernel::Rbf, map.width, 2, Matrix()};
    const auto mean = [&](const Matrix& a, const Matrix& b) {
      double sum = 0;
      for (Index i = 0; i < a.cols(); ++i) {
        for (Index j = 0; j < b.cols(); ++j) sum += kernel_value(gaussian, a.col(i), b.col(j));
      }
      return sum / static_cast<double>(a.cols() * b.cols());
    };
    const Matrix& s = map.landmarks;
    return difference("divergence", Matrix::Constant(1, 1, kde_divergence(s, samples, map.width, 1)),
                      Matrix::Constant(1, 1, mean(s, s) + mean(samples, samples) - 2 * mean(s, samples)),
                      1e-11, 1.0);
  });
}

TEST(RandomShapes, TheLowRankPencilEqualsTheDenseOne) {
  for_random_cases(500, 500, [](RandomCase& c) -> std::string {
    const Index d = c.size("features", 1, 20);
    const Index terms = c.size("terms", 0, 12);
    const Index k = std::min(c.size("wanted", 1, 20), d);
    const Matrix half = c.matrix(d, d);
    const Matrix left = half * half.transpose();
    const Matrix factors = c.matrix(d, terms);
    const double ridge = std::pow(10.0, c.choice(5) - 3);
    const PencilSolution found = largest_of_low_rank_pencil(left, factors, ridge, k, 1);
    const Matrix right = ridge * Matrix::Identity(d, d) + factors * factors.transpose();
    const Vector dense = Eigen::GeneralizedSelfAdjointEigenSolver<Matrix>(left, right).eigenvalues();
    const std::string gap = difference("values", found.values, dense.reverse().head(k), 1e-8);
    if (!gap.empty()) return gap;
    return difference("VᵀBV", found.vectors.transpose() * right * found.vectors, Matrix::Identity(k, k),
                      1e-8);
  });
}

}  // namespace
}  // namespace isthmus
