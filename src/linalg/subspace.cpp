#include "linalg/subspace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "core/parallel.h"
#include "isthmus/errors.h"
#include "linalg/blas.h"
#include "linalg/eigen.h"
#include "linalg/moments.h"
#include "samples/summaries.h"

namespace isthmus::linalg {
namespace {

/// X, the parts side by side, each sample minus `centre` where there is one; read block by block.
class JointSamples {
 public:
  JointSamples(const std::vector<SampleView>& parts, std::optional<Vector> centre)
      : parts_(parts), centre_(std::move(centre)) {
    for (const SampleView& part : parts_) {
      for (Index begin = 0; begin < part.cols(); begin += kReadAtOnce) {
        const Index length = std::min(kReadAtOnce, part.cols() - begin);
        ranges_.push_back({&part, begin, count_, length});
        count_ += length;
      }
    }
  }

  /// XᵀX, both triangles, tile by tile.
  Matrix gram_transposed(const Execution& run) const {
    Matrix product(count_, count_);
    for (std::size_t i = 0; i < ranges_.size(); ++i) {
      const Matrix right = block(ranges_[i]);
      parallel_blocks(run, static_cast<Index>(ranges_.size() - i), [&](Index below) {
        const Range& range = ranges_[i + static_cast<std::size_t>(below)];
        gemm(Op::Transpose, Op::None, 1.0, below == 0 ? right : block(range), right, 0.0,
             product.block(range.at, ranges_[i].at, range.length, right.cols()), run.on(1));
      });
    }
    product.triangularView<Eigen::StrictlyUpper>() = product.transpose();
    return product;
  }

  /// X v.
  Matrix times(const MatrixView& v, const Execution& run) const {
    Matrix product = Matrix::Zero(parts_.front().rows(), v.cols());
    for (const Range& range : ranges_) {
      gemm(Op::None, Op::None, 1.0, block(range), v.middleRows(range.at, range.length), 1.0, product, run);
    }
    return product;
  }

 private:
  static constexpr Index kReadAtOnce = 256;

  struct Range {
    const SampleView* part;
    Index begin;  ///< in the part
    Index at;     ///< in X
    Index length;
  };

  Matrix block(const Range& range) const {
    Matrix samples = range.part->columns(range.begin, range.length);
    if (centre_) samples.colwise() -= *centre_;
    return samples;
  }

  const std::vector<SampleView>& parts_;
  std::optional<Vector> centre_;
  std::vector<Range> ranges_;
  Index count_ = 0;
};

/// The summary of all parts, each numbered by itself.
template <class Summary>
Summary fold_parts(const std::vector<SampleView>& parts, const Execution& run) {
  Summary all(parts.front().rows());
  for (const SampleView& part : parts) all.merge(fold(part, run, Summary(part.rows())));
  return all;
}

/// Leading eigenpairs of the smaller Gram matrix: `square` is X Xᵀ or, with fewer samples than features, XᵀX.
Spectrum leading(const Matrix& square, const JointSamples* fewer, Index limit, const RankFloor& floor,
                 const Execution& run) {
  EigenPairs pairs = largest_eigen(square, limit, run);
  const Index rank = (pairs.values.array() > floor(pairs.values[0])).count();
  Spectrum spectrum{pairs.values.head(rank), Matrix(), square.trace()};
  if (fewer == nullptr) {
    spectrum.directions = pairs.vectors.leftCols(rank);
  } else if (rank > 0) {
    // Directions X v; QR keeps their leading spans and restores what the squared condition cost in
    // orthogonality.
    spectrum.directions = orthonormal_basis(fewer->times(pairs.vectors.leftCols(rank), run));
  }
  return spectrum;
}

Index sample_count(const std::vector<SampleView>& parts) {
  Index count = 0;
  for (const SampleView& part : parts) count += part.cols();
  return count;
}

/// Sine of the largest principal angle between two orthonormal bases of the same dimension.
double largest_sine(const MatrixView& product) {
  const double cosine = std::min(1.0, thin_svd(product).values.minCoeff());
  return std::sqrt((1.0 - cosine) * (1.0 + cosine));
}

}  // namespace

Spectrum leading_spectrum(const std::vector<SampleView>& parts, Index limit, const RankFloor& floor,
                          const Execution& run) {
  const Index d = parts.front().rows();
  const Index count = sample_count(parts);
  if (d <= count) {
    Matrix square = fold_parts<GramSum>(parts, run).lower.selfadjointView<Eigen::Lower>();
    return leading(square, nullptr, std::min(limit, d), floor, run);
  }
  const JointSamples samples(parts, {});
  return leading(samples.gram_transposed(run), &samples, std::min(limit, count), floor, run);
}

PrincipalSubspace principal_subspace(const std::vector<SampleView>& parts, Index limit,
                                     const Execution& run) {
  const Index count = sample_count(parts);
  if (count == 0 || limit < 1) {
    throw InvalidArgument(
        fmt::format("principal subspace of {} samples in {} dimensions: needs one of each", count, limit));
  }
  const Index d = parts.front().rows();
  const Index wanted = std::min({limit, d, std::max<Index>(count - 1, 1)});
  PrincipalSubspace result;
  // What rounding leaves of a zero: that of the values, and that of samples which differ from their mean by
  // rounding alone.
  const RankFloor floor = [&](double largest) {
    const double unit = std::numeric_limits<double>::epsilon() * static_cast<double>(std::max(count, d));
    return unit * (std::max(largest, 0.0) + unit * static_cast<double>(count) * result.mean.squaredNorm());
  };
  Spectrum spectrum;
  if (count < d) {
    result.mean = fold_parts<FeatureMoments>(parts, run).mean;
    const JointSamples samples(parts, result.mean);
    spectrum = leading(samples.gram_transposed(run), &samples, wanted, floor, run);
  } else {
    const Moments moments = fold_parts<Moments>(parts, run);
    result.mean = moments.mean;
    spectrum = leading(moments.scatter(), nullptr, wanted, floor, run);
  }
  result.total_scatter = spectrum.total;
  result.scatter = std::move(spectrum.values);
  result.basis = result.scatter.size() > 0 ? std::move(spectrum.directions) : Matrix(d, 0);
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
