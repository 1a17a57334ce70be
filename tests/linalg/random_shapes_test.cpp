#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "linalg/blas.h"
#include "linalg/eigen.h"
#include "linalg/moments.h"
#include "linalg/subspace.h"
#include "linalg/svt.h"
#include "random_cases.h"
#include "samples/fold.h"

// The matrix routines against their definitions on random shapes.
namespace isthmus::linalg {
namespace {

using testing::difference;
using testing::for_random_cases;
using testing::RandomCase;

/// The first complaint.
std::string first_of(std::initializer_list<std::string> complaints) {
  for (const std::string& complaint : complaints) {
    if (!complaint.empty()) return complaint;
  }
  return {};
}

/// Entry by entry.
Matrix product(const Matrix& a, const Matrix& b) {
  Matrix c = Matrix::Zero(a.rows(), b.cols());
  for (Index i = 0; i < c.rows(); ++i) {
    for (Index j = 0; j < c.cols(); ++j) {
      for (Index k = 0; k < a.cols(); ++k) c(i, j) += a(i, k) * b(k, j);
    }
  }
  return c;
}

TEST(RandomShapes, ProductsEqualTheTripleLoop) {
  for_random_cases(2000, 100, [](RandomCase& c) -> std::string {
    const Index m = c.size("rows", 0, 20);
    const Index k = c.size("inner", 0, 20);
    const Index n = c.size("columns", 0, 20);
    const Matrix a = c.matrix(m, k);
    const Matrix b = c.matrix(k, n);
    const Matrix before = c.matrix(m, n);
    Matrix larger = Matrix::Zero(m + 3, n + 2);
    larger.block(1, 2, m, n) = before;
    gemm(Op::None, Op::None, -0.5, a, b, 2.0, larger.block(1, 2, m, n), 1);
    const Matrix ab = product(a, b);
    const double scale = 1.0;
    return first_of(
        {difference("a b", multiply(a, b, 1), ab, 1e-13, scale),
         difference("aᵀ b", multiply_transposed(a.transpose().eval(), b, 1), ab, 1e-13, scale),
         difference("a bᵀ", multiply_by_transpose(a, b.transpose().eval(), 1), ab, 1e-13, scale),
         difference("−½ a b + 2 c", larger.block(1, 2, m, n), 2.0 * before - 0.5 * ab, 1e-13, 1.0),
         larger.row(0).isZero(0) && larger.bottomRows(2).isZero(0) ? "" : "wrote beside its block"});
  });
}

TEST(RandomShapes, SumsOverSamplesEqualTheLoopAtAnyOffset) {
  for_random_cases(2000, 200, [](RandomCase& c) -> std::string {
    const Index d = c.size("features", 1, 20);
    const Index n = c.size("samples", 1, 60);
    const Matrix centred = c.matrix(d, n);
    const double offset = std::pow(10.0, c.choice(10));
    const Matrix x = centred.array() + offset;
    Vector mean = Vector::Zero(d);
    for (Index j = 0; j < n; ++j) mean += (x.col(j).array() - offset).matrix() / static_cast<double>(n);
    Matrix scatter = Matrix::Zero(d, d);
    for (Index j = 0; j < n; ++j) {
      const Vector from_mean = (x.col(j).array() - offset).matrix() - mean;
      scatter += from_mean * from_mean.transpose();
    }
    const Moments found = fold(x, 1, Moments(d));
    const Matrix gap = found.mean.array() - offset;
    return first_of(
        {difference("gram", gram(x, 1), product(x, x.transpose()), 1e-13),
         difference("transposed gram", gram_transposed(x, 1), product(x.transpose(), x), 1e-13),
         difference("mean", gap, mean, 1e-14, offset * std::sqrt(static_cast<double>(d))),
         // Of the offset's rounding only its square is left.
         difference("scatter", found.scatter(), scatter, 1e-12, 1e-12 * offset * offset * 1e-6 + 1e-6)});
  });
}

TEST(RandomShapes, EigenpairsSatisfyTheirEquation) {
  for_random_cases(400, 300, [](RandomCase& c) -> std::string {
    const Index n = c.size("size", 1, 25);
    const Index k = std::min(c.size("wanted", 1, 25), n);
    const Matrix half = c.choice(2) == 0 ? c.matrix(n, n) : c.grid(n, n);
    const Matrix a = half + half.transpose();
    const EigenPairs all = symmetric_eigen(a);
    const EigenPairs top = largest_eigen(a, k, 1);
    const Matrix b = testing::random_spd(n, static_cast<std::uint64_t>(n));
    const EigenPairs pencil = generalized_largest_eigen(a, b, k);
    const Matrix identity = Matrix::Identity(k, k);
    return first_of(
        {difference("A V = V Λ", product(a, all.vectors), all.vectors * all.values.asDiagonal(), 1e-12, 1),
         difference("VᵀV", product(all.vectors.transpose(), all.vectors), Matrix::Identity(n, n), 1e-12),
         difference("largest", top.values, all.values.reverse().head(k), 1e-12, 1),
         difference("A V = V Λ of the largest", product(a, top.vectors),
                    top.vectors * top.values.asDiagonal(), 1e-12, a.norm()),
         difference("A V = B V Λ", product(a, pencil.vectors),
                    product(b, pencil.vectors) * pencil.values.asDiagonal(), 1e-10, a.norm()),
         difference("VᵀBV", product(pencil.vectors.transpose(), product(b, pencil.vectors)), identity,
                    1e-11)});
  });
}

TEST(RandomShapes, FactorsRebuildTheirMatrix) {
  for_random_cases(400, 400, [](RandomCase& c) -> std::string {
    const Index m = c.size("rows", 1, 25);
    const Index n = c.size("columns", 1, 25);
    const Matrix a = c.choice(2) == 0 ? c.matrix(m, n) : c.grid(m, n);
    const Svd svd = thin_svd(a);
    const Index r = std::min(m, n);
    const Matrix tall = m >= n ? a : Matrix(a.transpose());
    const Matrix basis = orthonormal_basis(tall);
    const Matrix spd = testing::random_spd(m, static_cast<std::uint64_t>(m));
    return first_of({difference("U Σ Vᵀ", svd.u * svd.values.asDiagonal() * svd.v.transpose(), a, 1e-12, 1),
                     difference("UᵀU", product(svd.u.transpose(), svd.u), Matrix::Identity(r, r), 1e-12),
                     difference("VᵀV", product(svd.v.transpose(), svd.v), Matrix::Identity(r, r), 1e-12),
                     difference("Q Qᵀ A", product(basis, product(basis.transpose(), tall)), tall, 1e-12, 1),
                     difference("A x = b", product(spd, solve_spd(spd, a)), a, 1e-10, 1)});
  });
}

TEST(RandomShapes, EveryThresholdingPathEqualsTheFullSvd) {
  for_random_cases(300, 500, [](RandomCase& c) -> std::string {
    const Index m = c.size("rows", 1, 60);
    const Index n = c.size("columns", 1, 60);
    const Index rank = std::min({c.size("rank", 1, 60), m, n});
    const Matrix x = c.matrix(m, rank) * c.matrix(rank, n) + 1e-3 * c.matrix(m, n);
    const Svd full = thin_svd(x);
    const double threshold = full.values[0] * std::pow(10.0, -3.0 * c.choice(1000) / 1000.0);
    const Vector shrunk = (full.values.array() - threshold).max(0.0);
    const Matrix expected = full.u * shrunk.asDiagonal() * full.v.transpose();
    for (const SvtPath path : {SvtPath::Auto, SvtPath::Svd, SvtPath::Gram, SvtPath::Subspace}) {
      SingularValueThresholder prox(1, path);
      for (const char* call : {"cold", "warm"}) {
        const LowRank z = prox(x, threshold, 1);
        const std::string where = "path " + std::to_string(static_cast<int>(path)) + ", " + call;
        const std::string gap = difference(where, z.matrix(1), expected, 1e-9, full.values[0]);
        if (!gap.empty()) return gap;
        if (!certify_threshold(x, z, threshold, 1)) return where + ": not certified";
      }
    }
    return {};
  });
}

TEST(RandomShapes, PrincipalSubspacesAreThoseOfTheScatterMatrixAtAnyOffset) {
  for_random_cases(500, 600, [](RandomCase& c) -> std::string {
    const Index d = c.size("features", 1, 30);
    const Index first = c.size("samples", 1, 20);
    const Index second = c.size("more samples", 1, 20);
    const Index limit = c.size("limit", 1, 30);
    const Index rank = std::min(c.size("rank", 1, 30), d);
    const Matrix all = c.matrix(d, rank) * c.matrix(rank, first + second);
    const double offset = std::pow(10.0, c.choice(7)) - 1;
    const Matrix x = all.array() + offset;
    const PrincipalSubspace found = principal_subspace({x.leftCols(first), x.rightCols(second)}, limit, 1);
    const Matrix centred = all.colwise() - all.rowwise().mean();
    const Matrix scatter = product(centred, centred.transpose());
    const Vector values = Eigen::SelfAdjointEigenSolver<Matrix>(scatter).eigenvalues().reverse();
    const Index expected = std::min({limit, rank, first + second - 1});
    if (found.basis.cols() != expected) {
      return "rank " + std::to_string(found.basis.cols()) + ", expected " + std::to_string(expected);
    }
    if (expected == 0) return {};
    const Matrix identity = Matrix::Identity(expected, expected);
    return first_of({difference("variances", found.scatter, values.head(expected), 1e-8),
                     difference("BᵀB", product(found.basis.transpose(), found.basis), identity, 1e-11),
                     difference("S B = B Λ", product(scatter, found.basis),
                                found.basis * found.scatter.asDiagonal(), 1e-7)});
  });
}

}  // namespace
}  // namespace isthmus::linalg
