#include "linalg/blas.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "core/parallel.h"
#include "isthmus/errors.h"
#include "isthmus/version.h"
#include "linalg/lapack.h"
#include "linalg/moments.h"
#include "samples/fold.h"

namespace isthmus {

std::string blas_description() {
  return openblas_get_config();
}

namespace linalg {
namespace {

// Wide enough for full gemm speed, narrow enough to share among threads; part of the result's definition.
constexpr Index kColumnBlock = 512;
constexpr Index kRowBlock = 1024;
Execution blas_run(const Execution& run) {
  return BlasCall::concurrent() ? run : run.on(1);
}

/// Rows in a block of the result: a single column of blocks is cut into two or more like ones, so that two
/// threads have the same to do.
Index row_block(Index rows, Index columns) {
  constexpr Index kAligned = 16;
  if (columns > kColumnBlock || rows < kRowBlock / 4) return kRowBlock;
  const Index blocks = 2 * block_count(rows, 2 * kRowBlock);
  return block_count(block_count(rows, blocks), kAligned) * kAligned;
}

/// Rows and columns of op(a).
template <class View>
std::pair<Index, Index> shape(Op op, const View& a) {
  return op == Op::None ? std::pair(a.rows(), a.cols()) : std::pair(a.cols(), a.rows());
}

template <class Real, class Routine, class View, class Result>
void blocked_gemm(Routine routine, Op op_a, Op op_b, Real alpha, const View& a, const View& b, Real beta,
                  Result& c, const Execution& run) {
  const auto [a_rows, inner] = shape(op_a, a);
  const auto [inner_b, b_columns] = shape(op_b, b);
  const Index rows = c.rows();
  const Index columns = c.cols();
  if (inner != inner_b || a_rows != rows || b_columns != columns) {
    throw InvalidArgument(fmt::format("gemm: {}×{} times {}×{} does not give {}×{}", a_rows, inner, inner_b,
                                      b_columns, rows, columns));
  }
  const char ta = op_a == Op::None ? 'N' : 'T';
  const char tb = op_b == Op::None ? 'N' : 'T';
  const int k = blas_size(inner);
  const int lda = leading_dimension(a);
  const int ldb = leading_dimension(b);
  const int ldc = leading_dimension(c);
  const Index most_rows = row_block(rows, columns);
  const Index row_blocks = block_count(rows, most_rows);
  parallel_blocks(blas_run(run), row_blocks * block_count(columns, kColumnBlock), [&](Index block) {
    const BlasCall blas;
    const Index row = block % row_blocks * most_rows;
    const Index column = block / row_blocks * kColumnBlock;
    const int m = static_cast<int>(std::min(most_rows, rows - row));
    const int n = static_cast<int>(std::min(kColumnBlock, columns - column));
    const Real* a_block = a.data() + (op_a == Op::None ? row : row * a.outerStride());
    const Real* b_block = b.data() + (op_b == Op::None ? column * b.outerStride() : column);
    routine(&ta, &tb, &m, &n, &k, &alpha, a_block, &lda, b_block, &ldb, &beta,
            c.data() + row + column * c.outerStride(), &ldc);
  });
}

}  // namespace

bool BlasCall::concurrent() {
  constexpr int kPthreads = 1;
  static const bool pthreads = openblas_get_parallel() == kPthreads;
  return pthreads;
}

BlasCall::BlasCall() {
  static const bool one_thread = (openblas_set_num_threads(1), true);
  static_cast<void>(one_thread);
  static std::recursive_mutex one_at_a_time;
  if (!concurrent()) lock_ = std::unique_lock(one_at_a_time);
}

int blas_size(long size) {
  if (size > std::numeric_limits<int>::max()) {
    throw InvalidArgument(fmt::format("a matrix dimension of {} is beyond what BLAS takes (2^31 - 1)", size));
  }
  return static_cast<int>(size);
}

void gemm(Op op_a, Op op_b, double alpha, MatrixView a, MatrixView b, double beta, Eigen::Ref<Matrix> c,
          const Execution& run) {
  blocked_gemm<double>(dgemm_, op_a, op_b, alpha, a, b, beta, c, run);
}

void gemm(Op op_a, Op op_b, float alpha, SingleView a, SingleView b, float beta,
          Eigen::Ref<Eigen::MatrixXf> c, const Execution& run) {
  blocked_gemm<float>(sgemm_, op_a, op_b, alpha, a, b, beta, c, run);
}

Matrix multiply(MatrixView a, MatrixView b, const Execution& run) {
  Matrix c(a.rows(), b.cols());
  gemm(Op::None, Op::None, 1.0, a, b, 0.0, c, run);
  return c;
}

Matrix multiply_transposed(MatrixView a, MatrixView b, const Execution& run) {
  Matrix c(a.cols(), b.cols());
  gemm(Op::Transpose, Op::None, 1.0, a, b, 0.0, c, run);
  return c;
}

Matrix multiply_by_transpose(MatrixView a, MatrixView b, const Execution& run) {
  Matrix c(a.rows(), b.rows());
  gemm(Op::None, Op::Transpose, 1.0, a, b, 0.0, c, run);
  return c;
}

void add_gram(MatrixView x, Matrix& sum, const Execution& run) {
  const Index d = x.rows();
  if (d > kManyFeatures) {
    // Strips of the sum's columns, each from its diagonal down.
    constexpr Index kStrip = 256;
    parallel_ranges(run, d, kStrip, [&](Index first, Index length) {
      gemm(Op::None, Op::Transpose, 1.0, x.bottomRows(d - first), x.middleRows(first, length), 1.0,
           sum.block(first, first, d - first, length), 1);
    });
  } else if (d > 0) {
    const BlasCall blas;
    const int rows = blas_size(d);
    const int k = blas_size(x.cols());
    const int ld = leading_dimension(x);
    const double one = 1.0;
    dsyrk_("L", "N", &rows, &k, &one, x.data(), &ld, &one, sum.data(), &rows);
  }
}

Matrix gram(SampleView x, const Execution& run) {
  return fold(x, run, GramSum(x.rows())).lower.selfadjointView<Eigen::Lower>();
}

Matrix gram_transposed(MatrixView x, const Execution& run) {
  const Index n = x.cols();
  Matrix product(n, n);
  // Each block of columns from its diagonal down.
  parallel_ranges(run, n, kColumnBlock / 2, [&](Index begin, Index length) {
    gemm(Op::Transpose, Op::None, 1.0, x.rightCols(n - begin), x.middleCols(begin, length), 0.0,
         product.block(begin, begin, n - begin, length), 1);
  });
  product.triangularView<Eigen::StrictlyUpper>() = product.transpose();
  return product;
}

void normalize_columns(Eigen::Ref<Matrix> x) {
  for (Index j = 0; j < x.cols(); ++j) {
    const double norm = x.col(j).stableNorm();
    if (norm > 0) x.col(j) /= norm;
  }
}

}  // namespace linalg
}  // namespace isthmus
