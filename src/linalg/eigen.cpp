#include "linalg/eigen.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "isthmus/errors.h"
#include "linalg/lanczos.h"
#include "linalg/lapack.h"

namespace isthmus::linalg {
namespace {

void require_square(const MatrixView& a, const char* what) {
  if (a.rows() != a.cols() || a.rows() == 0) {
    throw InvalidArgument(fmt::format("{} needs a square matrix; got {}×{}", what, a.rows(), a.cols()));
  }
}

void check_info(int info, const char* routine) {
  if (info != 0) throw NumericalError(fmt::format("LAPACK {} gave up (info {})", routine, info));
}

void require_finite(const MatrixView& a, const char* what) {
  if (!a.allFinite()) throw NumericalError(fmt::format("{}: the matrix holds NaN or infinite values", what));
}

/// Of a symmetric matrix only the lower triangle is read; the upper one may hold anything.
void require_finite_lower(const Matrix& a, const char* what) {
  for (Index j = 0; j < a.cols(); ++j) require_finite(a.col(j).tail(a.rows() - j), what);
}

void fix_signs(Matrix& vectors) {
  for (Index j = 0; j < vectors.cols(); ++j) {
    Index at = 0;
    vectors.col(j).cwiseAbs().maxCoeff(&at);
    if (vectors(at, j) < 0) vectors.col(j) = -vectors.col(j);
  }
}

/// Which part of the spectrum dsyevr is asked for: everything, numbers first..last (from 1, ascending), or
/// the values above a bound.
struct Spectrum {
  char range = 'A';
  int first = 0;
  int last = 0;
  double above = 0.0;
};

/// The eigenpairs asked for, values ascending; a is destroyed.
EigenPairs eigen_range(Matrix a, Spectrum wanted) {
  const BlasCall blas;
  require_finite_lower(a, "symmetric eigenproblem");
  const int n = blas_size(a.rows());
  const bool by_number = wanted.range == 'I';
  const int columns = by_number ? wanted.last - wanted.first + 1 : n;
  if (columns == n && by_number) wanted.range = 'A';
  const double beyond = std::numeric_limits<double>::max();
  const double abstol = 0.0;
  int found = 0;
  EigenPairs result{Vector(n), Matrix(n, columns)};
  std::vector<int> support(2 * static_cast<std::size_t>(columns));
  int info = 0;
  const auto call = [&](double* work, int lwork, int* iwork, int liwork) {
    dsyevr_("V", &wanted.range, "L", &n, a.data(), &n, &wanted.above, &beyond, &wanted.first, &wanted.last,
            &abstol, &found, result.values.data(), result.vectors.data(), &n, support.data(), work, &lwork,
            iwork, &liwork, &info);
    check_info(info, "dsyevr");
  };
  double work_size = 0;
  int iwork_size = 0;
  call(&work_size, -1, &iwork_size, -1);
  std::vector<double> work(static_cast<std::size_t>(work_size));
  std::vector<int> iwork(static_cast<std::size_t>(iwork_size));
  call(work.data(), blas_size(static_cast<long>(work.size())), iwork.data(),
       blas_size(static_cast<long>(iwork.size())));
  if (wanted.range != 'V' && found != columns) {
    throw NumericalError(fmt::format("LAPACK dsyevr found {} of {} eigenpairs", found, columns));
  }
  result.values.conservativeResize(found);
  result.vectors.conservativeResize(Eigen::NoChange, found);
  return result;
}

EigenPairs descending(EigenPairs pairs) {
  pairs.values.reverseInPlace();
  pairs.vectors = pairs.vectors.rowwise().reverse().eval();
  return pairs;
}

EigenPairs last(const EigenPairs& pairs, Index k) {
  return {pairs.values.tail(k), pairs.vectors.rightCols(k)};
}

void require_count(Index k, Index n) {
  if (k < 1 || k > n) throw InvalidArgument(fmt::format("eigenpairs wanted: {}; expected 1 … {}", k, n));
}

/// Lower Cholesky factor of b, in place.
void require_cholesky(Matrix& b) {
  const Index n = b.rows();
  if (!cholesky_factor(b)) {
    throw NumericalError(fmt::format("a {0}×{0} matrix that must be positive definite is not", n));
  }
}

}  // namespace

EigenPairs symmetric_eigen(MatrixView a) {
  require_square(a, "symmetric eigenproblem");
  EigenPairs pairs = eigen_range(a, {});
  fix_signs(pairs.vectors);
  return pairs;
}

EigenPairs largest_eigen(MatrixView a, Index k, const Execution& run) {
  // LAPACK takes less than a second below this order; Lanczos is worth trying for this share of the pairs.
  constexpr Index kLarge = 1536;
  constexpr Index kFewShare = 16;
  require_square(a, "symmetric eigenproblem");
  require_count(k, a.rows());
  std::optional<EigenPairs> few;
  if (a.rows() > kLarge && k <= a.rows() / kFewShare) few = lanczos_largest(a, k, run);
  const int n = blas_size(a.rows());
  // A quarter of the pairs takes LAPACK as long as all of them, by another algorithm.
  constexpr Index kManyShare = 4;
  EigenPairs pairs = few ? std::move(*few)
                     : kManyShare * k >= a.rows()
                         ? descending(last(eigen_range(a, {}), k))
                         : descending(eigen_range(a, {'I', n - static_cast<int>(k) + 1, n}));
  fix_signs(pairs.vectors);
  return pairs;
}

EigenPairs smallest_eigen(MatrixView a, Index k) {
  require_square(a, "symmetric eigenproblem");
  require_count(k, a.rows());
  EigenPairs pairs = eigen_range(a, {'I', 1, static_cast<int>(k)});
  fix_signs(pairs.vectors);
  return pairs;
}

EigenPairs eigen_above(MatrixView a, double bound, bool few) {
  require_square(a, "symmetric eigenproblem");
  EigenPairs pairs = descending(eigen_range(a, few ? Spectrum{.range = 'V', .above = bound} : Spectrum{}));
  const Index count = (pairs.values.array() > bound).count();
  pairs.values.conservativeResize(count);
  pairs.vectors.conservativeResize(Eigen::NoChange, count);
  fix_signs(pairs.vectors);
  return pairs;
}

EigenPairs generalized_largest_eigen(MatrixView a, MatrixView b, Index k) {
  require_square(a, "generalised eigenproblem");
  if (b.rows() != a.rows() || b.cols() != a.cols()) {
    throw InvalidArgument(
        fmt::format("generalised eigenproblem: a is {0}×{0} and b {1}×{2}", a.rows(), b.rows(), b.cols()));
  }
  require_count(k, a.rows());
  const BlasCall blas;
  // b = L Lᵀ; (L⁻¹ a L⁻ᵀ) w = ν w; v = L⁻ᵀ w.
  Matrix factor = b;
  require_finite_lower(factor, "generalised eigenproblem");
  require_cholesky(factor);
  const int n = blas_size(a.rows());
  const int itype = 1;
  int info = 0;
  Matrix reduced = a;
  dsygst_(&itype, "L", &n, reduced.data(), &n, factor.data(), &n, &info);
  check_info(info, "dsygst");
  EigenPairs pairs = descending(eigen_range(std::move(reduced), {'I', n - static_cast<int>(k) + 1, n}));
  const int columns = static_cast<int>(k);
  const double one = 1.0;
  dtrsm_("L", "L", "T", "N", &n, &columns, &one, factor.data(), &n, pairs.vectors.data(), &n);
  fix_signs(pairs.vectors);
  return pairs;
}

Svd thin_svd(MatrixView a) {
  const BlasCall blas;
  if (a.size() == 0) throw InvalidArgument(fmt::format("SVD of an empty matrix ({}×{})", a.rows(), a.cols()));
  Matrix copy = a;
  require_finite(copy, "SVD");
  const int m = blas_size(a.rows());
  const int n = blas_size(a.cols());
  const int r = std::min(m, n);
  Svd svd{Matrix(m, r), Vector(r), Matrix()};
  Matrix vt(r, n);
  std::vector<int> iwork(8 * static_cast<std::size_t>(r));
  int info = 0;
  const auto solve = [&](const auto& routine) {
    double work_size = 0;
    routine(&work_size, -1);
    std::vector<double> work(static_cast<std::size_t>(work_size));
    routine(work.data(), blas_size(static_cast<long>(work.size())));
  };
  solve([&](double* work, int lwork) {
    dgesdd_("S", &m, &n, copy.data(), &m, svd.values.data(), svd.u.data(), &m, vt.data(), &r, work, &lwork,
            iwork.data(), &info);
  });
  if (info > 0) {
    // Divide and conquer is fast and, where many singular values are the same, once in thousands of matrices
    // does not converge; QR iterations do.
    copy = a;
    solve([&](double* work, int lwork) {
      dgesvd_("S", "S", &m, &n, copy.data(), &m, svd.values.data(), svd.u.data(), &m, vt.data(), &r, work,
              &lwork, &info);
    });
  }
  check_info(info, "dgesvd");
  svd.v = vt.transpose();
  return svd;
}

bool cholesky_factor(Matrix& a) {
  require_square(a, "Cholesky factor");
  const BlasCall blas;
  const int n = blas_size(a.rows());
  int info = 0;
  dpotrf_("L", &n, a.data(), &n, &info);
  if (info < 0) check_info(info, "dpotrf");
  a.triangularView<Eigen::StrictlyUpper>().setZero();
  return info == 0;
}

Matrix solve_spd(MatrixView a, MatrixView b) {
  require_square(a, "Cholesky solve");
  if (b.rows() != a.rows()) {
    throw InvalidArgument(fmt::format("Cholesky solve: a is {0}×{0} and b has {1} rows", a.rows(), b.rows()));
  }
  const BlasCall blas;
  Matrix factor = a;
  require_finite_lower(factor, "Cholesky solve");
  require_finite(b, "Cholesky solve");
  require_cholesky(factor);
  Matrix x = b;
  const int n = blas_size(a.rows());
  const int columns = blas_size(b.cols());
  int info = 0;
  dpotrs_("L", &n, &columns, factor.data(), &n, x.data(), &n, &info);
  check_info(info, "dpotrs");
  return x;
}

Matrix orthonormal_basis(MatrixView a) {
  const BlasCall blas;
  const int m = blas_size(a.rows());
  const int n = blas_size(a.cols());
  if (n > m || n == 0) {
    throw InvalidArgument(
        fmt::format("an orthonormal basis of the columns needs 1 … rows columns; got {}×{}", m, n));
  }
  Matrix q = a;
  require_finite(q, "orthonormal basis");
  std::vector<double> tau(static_cast<std::size_t>(n));
  int info = 0;
  double size = 0;
  const int query = -1;
  dgeqrf_(&m, &n, q.data(), &m, tau.data(), &size, &query, &info);
  check_info(info, "dgeqrf");
  std::vector<double> work(static_cast<std::size_t>(size));
  const int lwork = blas_size(static_cast<long>(work.size()));
  dgeqrf_(&m, &n, q.data(), &m, tau.data(), work.data(), &lwork, &info);
  check_info(info, "dgeqrf");
  dorgqr_(&m, &n, &n, q.data(), &m, tau.data(), work.data(), &lwork, &info);
  check_info(info, "dorgqr");
  return q;
}

}  // namespace isthmus::linalg
