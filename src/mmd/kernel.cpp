#include "mmd/kernel.h"

#include <fmt/format.h>

#include <cmath>

#include "core/parallel.h"
#include "isthmus/errors.h"
#include "linalg/blas.h"

namespace isthmus {

Matrix KernelMap::evaluate(MatrixView samples, int threads) const {
  if (samples.rows() != landmarks.rows()) {
    throw InvalidArgument(
        fmt::format("kernel: samples have {} features, the landmarks {}", samples.rows(), landmarks.rows()));
  }
  if (kernel == Kernel::Laplace) {
    Matrix values(landmarks.cols(), samples.cols());
    parallel_ranges(threads, samples.cols(), 64, [&](Index begin, Index length) {
      for (Index j = begin; j < begin + length; ++j) {
        for (Index i = 0; i < landmarks.cols(); ++i) {
          values(i, j) = std::exp(-(landmarks.col(i) - samples.col(j)).lpNorm<1>() / width);
        }
      }
    });
    return values;
  }
  Matrix values = linalg::multiply_transposed(landmarks, samples, threads);
  if (kernel == Kernel::Linear) return values;
  if (kernel == Kernel::Polynomial) {
    values = (values.array() / (width * width) + 1.0).pow(degree);
    return values;
  }
  const Vector landmark_norms = landmarks.colwise().squaredNorm();
  parallel_ranges(threads, samples.cols(), 64, [&](Index begin, Index length) {
    for (Index j = begin; j < begin + length; ++j) {
      const double norm = samples.col(j).squaredNorm();
      values.col(j) =
          (-(landmark_norms.array() + norm - 2.0 * values.col(j).array()).max(0.0) / (2.0 * width * width))
              .exp();
    }
  });
  return values;
}

}  // namespace isthmus
