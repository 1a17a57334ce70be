#include "mmd/kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

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

double median_width(Kernel kernel, MatrixView samples, int threads) {
  const Index n = samples.cols();
  std::vector<double> distances(static_cast<std::size_t>(n * (n - 1) / 2));
  parallel_blocks(threads, n, [&](Index j) {
    for (Index i = 0; i < j; ++i) {
      const auto difference = samples.col(i) - samples.col(j);
      distances[static_cast<std::size_t>(j * (j - 1) / 2 + i)] =
          kernel == Kernel::Laplace ? difference.lpNorm<1>() : difference.norm();
    }
  });
  if (distances.empty()) return 1.0;
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::nth_element(distances.begin(), middle, distances.end());
  return *middle > 0 ? *middle : 1.0;
}

}  // namespace isthmus
