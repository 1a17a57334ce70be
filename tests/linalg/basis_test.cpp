#include "linalg/basis.h"

#include <gtest/gtest.h>

#include "random_data.h"

namespace isthmus::linalg {
namespace {

using isthmus::testing::random_matrix;

void expect_orthonormal(const Matrix& q) {
  EXPECT_LT((q.transpose() * q - Matrix::Identity(q.cols(), q.cols())).norm(), 1e-13);
}

TEST(OrthonormalColumns, SpanTheColumnsGiven) {
  Matrix y = random_matrix(80, 12, 1);
  y.col(3) *= 1e120;
  y.col(7) *= 1e-120;
  const Matrix q = orthonormal_columns(y, 1);
  expect_orthonormal(q);
  for (Index j = 0; j < y.cols(); ++j)
    EXPECT_LT((y.col(j) - q * (q.transpose() * y.col(j))).norm(), 1e-13 * y.col(j).norm());
}

TEST(OrthonormalColumns, FillUpWhereColumnsDependOnEachOther) {
  Matrix y = random_matrix(80, 6, 2);
  y.col(4) = y.col(1) + 1e-9 * y.col(0);
  y.col(5).setZero();
  expect_orthonormal(orthonormal_columns(y, 1));
}

TEST(OrthonormalBeside, IsOrthogonalToTheBasisWhateverTheBlock) {
  const Matrix basis = orthonormal_columns(random_matrix(90, 30, 3), 1);
  const Matrix noise = random_matrix(90, 8, 4);
  Matrix within = basis * random_matrix(30, 8, 5);
  Matrix dependent = noise;
  dependent.rightCols(4) = noise.leftCols(4);
  Matrix nearly = noise;
  nearly.rightCols(4) = noise.leftCols(4) + 3e-5 * noise.rightCols(4);
  for (const Matrix& block :
       {noise, Matrix(within + 1e-14 * noise), within, dependent, nearly, Matrix(Matrix::Zero(90, 8))}) {
    const Matrix q = orthonormal_beside(basis, block, 1);
    expect_orthonormal(q);
    EXPECT_LT((basis.transpose() * q).norm(), 1e-12);
  }
  const Matrix q = orthonormal_beside(basis, noise, 1);
  const Matrix rest = noise - basis * (basis.transpose() * noise);
  EXPECT_LT((rest - q * (q.transpose() * rest)).norm(), 1e-12);
  expect_orthonormal(orthonormal_beside(Matrix(90, 0), noise, 1));
}

TEST(OrthonormalBeside, FindsOtherDirectionsThanTheZerosOfTheBasisAllow) {
  const Matrix basis = Matrix::Identity(40, 12);
  Matrix block = Matrix::Zero(40, 5);
  block.topRows(3) = random_matrix(3, 5, 6);
  const Matrix q = orthonormal_beside(basis, block, 1);
  expect_orthonormal(q);
  EXPECT_LT((basis.transpose() * q).norm(), 1e-12);
}

}  // namespace
}  // namespace isthmus::linalg
