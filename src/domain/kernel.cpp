#include "domain/kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/parallel.h"
#include "isthmus/errors.h"
#include "linalg/blas.h"
#include "linalg/neighbour_sieve.h"

namespace isthmus {
namespace {

// Samples whose kernel values are computed together.
constexpr Index kEvaluatedBlock = 512;

/// ‖l − x‖ in the 1-norm, one row a landmark.
Matrix absolute_distances(const Matrix& landmarks, const MatrixView& samples) {
  Matrix distances(landmarks.cols(), samples.cols());
  for (Index j = 0; j < samples.cols(); ++j) {
    distances.col(j) = (landmarks.colwise() - samples.col(j)).colwise().lpNorm<1>();
  }
  return distances;
}

/// ‖l − x‖² by one product, one row a landmark. Both sides are taken from the centre: far from it their norms
/// would swallow the digits of the distances.
Matrix squared_distances(const Matrix& landmarks, const MatrixView& samples, const Vector& centre) {
  const Matrix from = landmarks.colwise() - centre;
  const Matrix to = samples.colwise() - centre;
  Matrix distances = -2.0 * linalg::multiply_transposed(from, to, 1);
  distances.colwise() += from.colwise().squaredNorm().transpose();
  distances.rowwise() += to.colwise().squaredNorm();
  return distances.cwiseMax(0.0);
}

}  // namespace

Matrix KernelMap::evaluate(MatrixView samples, const Execution& run) const {
  if (samples.rows() != landmarks.rows()) {
    throw InvalidArgument(
        fmt::format("kernel: samples have {} features, the landmarks {}", samples.rows(), landmarks.rows()));
  }
  if (kernel == Kernel::Linear || kernel == Kernel::Polynomial) {
    Matrix values = linalg::multiply_transposed(landmarks, samples, run);
    if (kernel == Kernel::Polynomial) values = (values.array() / (width * width) + 1.0).pow(degree);
    return values;
  }
  Matrix values(landmarks.cols(), samples.cols());
  const Vector centre = linalg::central_point(landmarks);
  parallel_ranges(run, samples.cols(), kEvaluatedBlock, [&](Index begin, Index length) {
    const auto block = samples.middleCols(begin, length);
    values.middleCols(begin, length) =
        kernel == Kernel::Laplace
            ? (absolute_distances(landmarks, block) / -width).array().exp()
            : (squared_distances(landmarks, block, centre) / (-2.0 * width * width)).array().exp();
  });
  return values;
}

double median_width(Kernel kernel, MatrixView samples, const Execution& run) {
  const Index n = samples.cols();
  std::vector<double> distances(static_cast<std::size_t>(n * (n - 1) / 2));
  parallel_blocks(run, n, [&](Index j) {
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
