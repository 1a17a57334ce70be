#pragma once

#include "isthmus/execution.h"
#include "isthmus/features.h"
#include "isthmus/matrix.h"

namespace isthmus::linalg {

enum class Op { None, Transpose };

/// c = alpha·op(a)·op(b) + beta·c. Fixed blocks of c go over the threads: the same bytes on any
/// number of threads.
void gemm(Op op_a, Op op_b, double alpha, MatrixView a, MatrixView b, double beta, Eigen::Ref<Matrix> c,
          const Execution& run);

/// The same in single precision, for what is checked in double afterwards.
using SingleView = Eigen::Ref<const Eigen::MatrixXf>;
void gemm(Op op_a, Op op_b, float alpha, SingleView a, SingleView b, float beta,
          Eigen::Ref<Eigen::MatrixXf> c, const Execution& run);

/// op(a)·op(b).
Matrix multiply(MatrixView a, MatrixView b, const Execution& run);               // a b
Matrix multiply_transposed(MatrixView a, MatrixView b, const Execution& run);    // aᵀ b
Matrix multiply_by_transpose(MatrixView a, MatrixView b, const Execution& run);  // a bᵀ

/// With more features the threads of a Gram matrix share one sum, instead of having one each: at 1024 it has
/// 8 MB.
inline constexpr Index kManyFeatures = 1024;

/// sum += x xᵀ, the lower triangle; the threads of `run` help where there are many features. The same bytes
/// on any number of them.
void add_gram(MatrixView x, Matrix& sum, const Execution& run);

/// x xᵀ (d×d, both triangles), by `fold`.
Matrix gram(SampleView x, const Execution& run);

/// xᵀ x (both triangles), its columns in fixed blocks over the threads.
Matrix gram_transposed(MatrixView x, const Execution& run);

/// Divides each column by its Euclidean norm; a zero column stays zero.
void normalize_columns(Eigen::Ref<Matrix> x);

}  // namespace isthmus::linalg
