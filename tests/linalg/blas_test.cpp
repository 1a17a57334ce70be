#include "linalg/blas.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <tuple>

#include "core/parallel.h"
#include "isthmus/errors.h"
#include "random_data.h"

namespace isthmus::linalg {
namespace {

using isthmus::testing::random_matrix;

Matrix naive_product(const Matrix& a, const Matrix& b) {
  Matrix c = Matrix::Zero(a.rows(), b.cols());
  for (Index j = 0; j < b.cols(); ++j) {
    for (Index k = 0; k < a.cols(); ++k) {
      for (Index i = 0; i < a.rows(); ++i) c(i, j) += a(i, k) * b(k, j);
    }
  }
  return c;
}

Matrix apply(Op op, const Matrix& a) {
  return op == Op::None ? a : Matrix(a.transpose());
}

class GemmOps : public ::testing::TestWithParam<std::tuple<Op, Op>> {};

TEST_P(GemmOps, EqualsTheNaiveProductOnStridedBlocks) {
  const auto [op_a, op_b] = GetParam();
  const Index rows = 5, inner = 7, columns = 1100;  // columns: three blocks
  const Matrix a = random_matrix(20, 20, 1);
  const Matrix b = random_matrix(1200, 1200, 2).topRows(op_b == Op::None ? 20 : 1200);
  const auto a_block = op_a == Op::None ? a.block(3, 2, rows, inner) : a.block(3, 2, inner, rows);
  const auto b_block = op_b == Op::None ? b.block(4, 6, inner, columns) : b.block(4, 6, columns, inner);
  Matrix c = random_matrix(9, 1300, 3);
  const Matrix before = c;
  gemm(op_a, op_b, 1.5, a_block, b_block, -0.5, c.block(2, 100, rows, columns), 1);

  Matrix expected = before;
  expected.block(2, 100, rows, columns) = 1.5 * naive_product(apply(op_a, a_block), apply(op_b, b_block)) -
                                          0.5 * before.block(2, 100, rows, columns);
  EXPECT_LT((c - expected).cwiseAbs().maxCoeff(), 1e-12);
  // Nothing outside the block is touched.
  Matrix outside = c - before;
  outside.block(2, 100, rows, columns).setZero();
  EXPECT_EQ(outside, Matrix::Zero(9, 1300));
}

INSTANTIATE_TEST_SUITE_P(AllOps, GemmOps,
                         ::testing::Combine(::testing::Values(Op::None, Op::Transpose),
                                            ::testing::Values(Op::None, Op::Transpose)));

TEST(Gemm, GivesTheSameBytesOnAnyNumberOfThreads) {
  const Matrix a = random_matrix(37, 41, 1);
  const Matrix b = random_matrix(41, 2100, 2);
  const Matrix one = multiply(a, b, 1);
  const Matrix tall = multiply_transposed(b, a.transpose(), 1);
  EXPECT_LT((tall - one.transpose()).cwiseAbs().maxCoeff(), 1e-12);
  for (const int threads : {2, 3}) {
    EXPECT_EQ(multiply(a, b, threads), one);
    EXPECT_EQ(multiply_transposed(b, a.transpose(), threads), tall);
  }
}

TEST(Gemm, StartsNoThreadsOfBlas) {
  multiply(random_matrix(200, 200, 1), random_matrix(200, 200, 2), 1);
  const auto threads_of_blas = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "openblas_get_num_threads"));
  ASSERT_NE(threads_of_blas, nullptr);
  EXPECT_EQ(threads_of_blas(), 1);
}

TEST(Gemm, IsRightWhenSeveralThreadsCallItAtOnce) {
  const Matrix a = random_matrix(5, 30, 1);
  const Matrix b = random_matrix(5, 300, 2);
  const Matrix expected = naive_product(a.transpose(), b);
  std::atomic<int> wrong{0};
  for (int round = 0; round < 1200; ++round) {
    parallel_ranges(3, b.cols(), 3, [&](Index begin, Index length) {
      const Matrix c = multiply_transposed(a, b.middleCols(begin, length), 1);
      if ((c - expected.middleCols(begin, length)).cwiseAbs().maxCoeff() > 1e-12) ++wrong;
    });
  }
  EXPECT_EQ(wrong, 0);
}

TEST(Gemm, OverwritesNaNWhenBetaIsZero) {
  Matrix c = Matrix::Constant(2, 2, std::numeric_limits<double>::quiet_NaN());
  gemm(Op::None, Op::None, 1.0, Matrix::Identity(2, 2), Matrix::Identity(2, 2), 0.0, c, 1);
  EXPECT_EQ(c, Matrix::Identity(2, 2));
}

TEST(Gemm, TakesMatricesWithoutRowsOrColumns) {
  EXPECT_EQ(multiply(Matrix(3, 0), Matrix(0, 4), 1), Matrix::Zero(3, 4));
  EXPECT_EQ(multiply(Matrix(0, 3), Matrix(3, 4), 1).rows(), 0);
  EXPECT_EQ(multiply(Matrix(2, 3), Matrix(3, 0), 1).cols(), 0);
  EXPECT_EQ(multiply_transposed(Matrix(0, 3), Matrix(0, 2), 1), Matrix::Zero(3, 2));
  EXPECT_EQ(multiply_by_transpose(Matrix(3, 0), Matrix(2, 0), 1), Matrix::Zero(3, 2));
  Matrix kept = Matrix::Ones(2, 2);
  gemm(Op::None, Op::None, 1.0, Matrix(2, 0), Matrix(0, 2), 3.0, kept, 1);
  EXPECT_EQ(kept, Matrix::Constant(2, 2, 3.0));
}

TEST(Gemm, IgnoresTheStrideOfASingleColumnAndRefusesAStrideBeyondBlas) {
  const Vector x = random_matrix(4, 1, 1);
  const Index beyond = Index{1} << 33;
  using Strided = Eigen::Map<const Matrix, 0, Eigen::OuterStride<>>;
  const Strided column(x.data(), 4, 1, Eigen::OuterStride<>(beyond));
  EXPECT_NEAR(multiply_transposed(column, column, 1)(0, 0), x.squaredNorm(), 1e-14);
  const Strided columns(x.data(), 4, 2, Eigen::OuterStride<>(beyond));  // never read
  EXPECT_THROW(multiply_transposed(columns, columns, 1), InvalidArgument);
}

TEST(Gemm, RefusesShapesThatDoNotMatch) {
  EXPECT_THROW(multiply(Matrix(2, 3), Matrix(2, 3), 1), InvalidArgument);
  EXPECT_THROW(multiply_transposed(Matrix(2, 3), Matrix(3, 3), 1), InvalidArgument);
  Matrix c(2, 2);
  EXPECT_THROW(gemm(Op::None, Op::None, 1.0, Matrix(2, 3), Matrix(3, 3), 0.0, c, 1), InvalidArgument);
}

TEST(Gram, EqualsTheNaiveProductAndIsSymmetric) {
  const Matrix x = random_matrix(11, 30, 4);
  const auto block = x.block(2, 5, 6, 20);
  const Matrix g = gram(block, 1);
  EXPECT_LT((g - naive_product(block, block.transpose())).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_EQ(g, Matrix(g.transpose()));
}

TEST(Gram, SumsManyBlocksToTheSameBytesOnAnyNumberOfThreads) {
  const Matrix x = random_matrix(5, 5 * 4096 + 17, 5);
  const Matrix one = gram(x, 1);
  EXPECT_LT((one - x * x.transpose()).cwiseAbs().maxCoeff(), 1e-9);
  for (const int threads : {2, 3}) EXPECT_EQ(gram(x, threads), one);
}

TEST(Gram, OfManyFeaturesIsTheSameInBytesOnAnyNumberOfThreads) {
  const Matrix x = random_matrix(1100, 1100, 9);
  const Matrix one = gram(x, 1);
  EXPECT_LT((one - x * x.transpose()).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_EQ(one, Matrix(one.transpose()));
  for (const int threads : {2, 3}) EXPECT_EQ(gram(x, threads), one);
}

TEST(GramTransposed, EqualsTheNaiveProductToTheSameBytesOnAnyNumberOfThreads) {
  const Matrix x = random_matrix(9, 1200, 8);
  const auto block = x.middleRows(2, 6);
  const Matrix one = gram_transposed(block, 1);
  EXPECT_LT((one - naive_product(block.transpose(), block)).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_EQ(one, Matrix(one.transpose()));
  for (const int threads : {2, 3}) EXPECT_EQ(gram_transposed(block, threads), one);
  EXPECT_EQ(gram_transposed(Matrix(0, 3), 1), Matrix::Zero(3, 3));
  EXPECT_EQ(gram_transposed(Matrix(3, 0), 1).size(), 0);
}

TEST(Gram, OfNoSamplesIsZeroAndOfNoFeaturesEmpty) {
  EXPECT_EQ(gram(Matrix(3, 0), 1), Matrix::Zero(3, 3));
  EXPECT_EQ(gram(Matrix(0, 5), 1).size(), 0);
}

TEST(NormalizeColumns, GivesUnitColumnsOfAnyScaleAndLeavesZeroAlone) {
  Matrix x = random_matrix(5, 4, 7);
  x.col(1).setZero();
  x.col(2) *= 1e200;
  x.col(3) *= 1e-300;
  const Vector direction = x.col(0) / x.col(0).norm();
  normalize_columns(x);
  EXPECT_LT((x.col(0) - direction).norm(), 1e-15);
  EXPECT_EQ(x.col(1), Vector::Zero(5));
  EXPECT_NEAR(x.col(2).norm(), 1.0, 1e-14);
  EXPECT_NEAR(x.col(3).norm(), 1.0, 1e-14);
}

}  // namespace
}  // namespace isthmus::linalg
