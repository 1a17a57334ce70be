#include "linalg/subspace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "isthmus/errors.h"
#include "linalg/blas.h"
#include "linalg/eigen.h"

namespace isthmus::linalg {
namespace {

/// All samples minus their mean, side by side.
Matrix centred_samples(const std::vector<SampleView>& parts, const Vector& mean, Index count) {
  Matrix samples(mean.size(), count);
  Index at = 0;
  for (const SampleView& part : parts) {
    samples.middleCols(at, part.cols()) = part.all().colwise() - mean;
    at += part.cols();
  }
  return samples;
}

/// How many of the descending eigenvalues stand above what rounding leaves of a zero: that of the values, and
/// that of samples which differ from their mean by rounding alone.
Index numerical_rank(const Vector& values, double size, double mean_part) {
  const double unit = std::numeric_limits<double>::epsilon() * size;
  const double floor = unit * (std::max(values[0], 0.0) + unit * mean_part);
  return (values.array() > floor).count();
}

/// Sine of the largest principal angle between two orthonormal bases of the same dimension.
double largest_sine(const MatrixView& product) {
  const double cosine = std::min(1.0, thin_svd(product).values.minCoeff());
  return std::sqrt((1.0 - cosine) * (1.0 + cosine));
}

}  // namespace

Vector joint_mean(const std::vector<SampleView>& parts, const Execution& run) {
  Vector mean = column_mean(parts.front(), run);
  auto count = static_cast<double>(parts.front().cols());
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const auto more = static_cast<double>(parts[i].cols());
    count += more;
    if (more > 0) mean += more / count * (column_mean(parts[i], run) - mean);
  }
  return mean;
}

Matrix scatter_matrix(const std::vector<SampleView>& parts, const Vector& mean, const Execution& run) {
  Matrix scatter = Matrix::Zero(mean.size(), mean.size());
  for (const SampleView& part : parts) scatter += centred_gram(part, mean, run);
  return scatter;
}

PrincipalSubspace principal_subspace(const std::vector<SampleView>& parts, Index limit,
                                     const Execution& run) {
  Index count = 0;
  for (const SampleView& part : parts) count += part.cols();
  if (count == 0 || limit < 1) {
    throw InvalidArgument(
        fmt::format("principal subspace of {} samples in {} dimensions: needs one of each", count, limit));
  }
  const Index d = parts.front().rows();
  PrincipalSubspace result;
  result.mean = joint_mean(parts, run);
  const bool samples_fewer = count < d;
  const Index wanted = std::min({limit, d, std::max<Index>(count - 1, 1)});
  const Matrix samples = samples_fewer ? centred_samples(parts, result.mean, count) : Matrix();
  const Matrix square =
      samples_fewer ? gram_transposed(samples, run) : scatter_matrix(parts, result.mean, run);
  result.total_scatter = square.trace();
  const EigenPairs pairs = largest_eigen(square, wanted, run);
  const double mean_part = static_cast<double>(count) * result.mean.squaredNorm();
  const Index rank = numerical_rank(pairs.values, static_cast<double>(std::max(count, d)), mean_part);
  result.scatter = pairs.values.head(rank);
  if (rank == 0) {
    result.basis = Matrix(d, 0);
  } else if (samples_fewer) {
    // Directions X v; QR keeps their leading spans and restores what the squared condition cost in
    // orthogonality.
    result.basis = orthonormal_basis(multiply(samples, pairs.vectors.leftCols(rank), run));
  } else {
    result.basis = pairs.vectors.leftCols(rank);
  }
  return result;
}

PrincipalAngles principal_angles(MatrixView a, MatrixView b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) {
    throw InvalidArgument(fmt::format("principal angles: bases of {}×{} and {}×{}; expected equal sizes",
                                      a.rows(), a.cols(), b.rows(), b.cols()));
  }
  const Svd svd = thin_svd(multiply_transposed(a, b, 1));
  PrincipalAngles result;
  result.first = multiply(a, svd.u, 1);
  // What of b_i lies outside span(a): all of it, not only what is orthogonal to a_i, so that r_i is
  // orthogonal to every a_j also where rounding mixes equal angles.
  result.complement = multiply(b, svd.v, 1);
  gemm(Op::None, Op::None, -1.0, result.first, multiply_transposed(result.first, result.complement, 1), 1.0,
       result.complement, 1);
  result.angles.resize(svd.values.size());
  for (Index i = 0; i < svd.values.size(); ++i) {
    const double sine = result.complement.col(i).norm();
    result.angles[i] = std::atan2(sine, std::max(svd.values[i], 0.0));
    if (sine > 0) result.complement.col(i) /= sine;
  }
  return result;
}

std::vector<double> subspace_disagreement(MatrixView source, MatrixView target, MatrixView joint,
                                          double enough) {
  const Index dimensions = std::min({source.cols(), target.cols(), joint.cols()});
  const Matrix with_source = multiply_transposed(source.leftCols(dimensions), joint.leftCols(dimensions), 1);
  const Matrix with_target = multiply_transposed(target.leftCols(dimensions), joint.leftCols(dimensions), 1);
  std::vector<double> measure;
  for (Index p = 1; p <= dimensions; ++p) {
    measure.push_back(0.5 * (largest_sine(with_source.topLeftCorner(p, p)) +
                             largest_sine(with_target.topLeftCorner(p, p))));
    if (measure.back() >= enough) break;
  }
  return measure;
}

}  // namespace isthmus::linalg
