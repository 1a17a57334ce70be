#pragma once

#include <algorithm>
#include <mutex>

#include "isthmus/matrix.h"

/// The Fortran routines used, declared once. Only the .cpp files of this room include this.
extern "C" {
void dgemm_(const char* transa, const char* transb, const int* m, const int* n, const int* k,
            const double* alpha, const double* a, const int* lda, const double* b, const int* ldb,
            const double* beta, double* c, const int* ldc);
void sgemm_(const char* transa, const char* transb, const int* m, const int* n, const int* k,
            const float* alpha, const float* a, const int* lda, const float* b, const int* ldb,
            const float* beta, float* c, const int* ldc);
void dsyrk_(const char* uplo, const char* trans, const int* n, const int* k, const double* alpha,
            const double* a, const int* lda, const double* beta, double* c, const int* ldc);
void dsyevr_(const char* jobz, const char* range, const char* uplo, const int* n, double* a, const int* lda,
             const double* vl, const double* vu, const int* il, const int* iu, const double* abstol, int* m,
             double* w, double* z, const int* ldz, int* isuppz, double* work, const int* lwork, int* iwork,
             const int* liwork, int* info);
void dsygst_(const int* itype, const char* uplo, const int* n, double* a, const int* lda, const double* b,
             const int* ldb, int* info);
void dpotrf_(const char* uplo, const int* n, double* a, const int* lda, int* info);
void dpotrs_(const char* uplo, const int* n, const int* nrhs, const double* a, const int* lda, double* b,
             const int* ldb, int* info);
void dtrsm_(const char* side, const char* uplo, const char* transa, const char* diag, const int* m,
            const int* n, const double* alpha, const double* a, const int* lda, double* b, const int* ldb);
void dgesdd_(const char* jobz, const int* m, const int* n, double* a, const int* lda, double* s, double* u,
             const int* ldu, double* vt, const int* ldvt, double* work, const int* lwork, int* iwork,
             int* info);
void dgesvd_(const char* jobu, const char* jobvt, const int* m, const int* n, double* a, const int* lda,
             double* s, double* u, const int* ldu, double* vt, const int* ldvt, double* work,
             const int* lwork, int* info);
void dgeqrf_(const int* m, const int* n, double* a, const int* lda, double* tau, double* work,
             const int* lwork, int* info);
void dorgqr_(const int* m, const int* n, const int* k, double* a, const int* lda, const double* tau,
             double* work, const int* lwork, int* info);
char* openblas_get_config(void);
int openblas_get_parallel(void);
void openblas_set_num_threads(int threads);
}

namespace isthmus::linalg {

/// Stands around every call of BLAS and LAPACK. BLAS then runs on the calling thread alone: the threads are
/// ours. Of the flavours of OpenBLAS only the pthread one may be called from several threads at once; the
/// serial and the OpenMP one share scratch memory without a lock and give wrong numbers, so there calls wait
/// for each other.
class BlasCall {
 public:
  BlasCall();
  /// Whether calls from several threads run side by side.
  static bool concurrent();

 private:
  std::unique_lock<std::recursive_mutex> lock_;
};

/// Sizes go to Fortran as 32-bit integers; throws InvalidArgument where one does not fit.
int blas_size(long size);

/// The leading dimension BLAS wants to see: at least 1, also of an empty matrix; the distance between columns
/// only where there are two.
template <class View>
int leading_dimension(const View& a) {
  return blas_size(std::max<long>(1, a.cols() > 1 ? a.outerStride() : a.rows()));
}

}  // namespace isthmus::linalg
