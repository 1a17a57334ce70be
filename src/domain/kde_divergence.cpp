#include "domain/kde_divergence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/parallel.h"
#include "domain/kernel.h"
#include "isthmus/errors.h"
#include "linalg/blas.h"

namespace isthmus {
namespace {

// A 256×256 tile of G stays in the cache; part of the result's definition.
constexpr Index kTile = 256;

/// Both domains as one set of points with signed weights c, 1/ns for source and −1/nt for target samples:
/// D = Σ_ij c_i c_j G(y_i, y_j).
struct SignedPoints {
  Matrix points;  // k×n
  Vector weights;
  Vector squares;  // ‖y_i‖²
  double width;

  SignedPoints(const MatrixView& source, const MatrixView& target, double window)
      : points(source.rows(), source.cols() + target.cols()), weights(points.cols()), width(window) {
    if (source.rows() != target.rows() || source.cols() == 0 || target.cols() == 0) {
      throw InvalidArgument(
          fmt::format("density divergence of {}×{} and {}×{} samples: needs equal dimensions and a "
                      "sample in each domain",
                      source.rows(), source.cols(), target.rows(), target.cols()));
    }
    if (!(window > 0) || !std::isfinite(window)) {
      throw InvalidArgument(
          fmt::format("density divergence: the width is {}; expected a number > 0", window));
    }
    points << source, target;
    weights << Vector::Constant(source.cols(), 1.0 / static_cast<double>(source.cols())),
        Vector::Constant(target.cols(), -1.0 / static_cast<double>(target.cols()));
    squares = points.colwise().squaredNorm();
  }

  Index blocks() const { return block_count(points.cols(), kTile); }
  Index begin(Index block) const { return block * kTile; }
  Index length(Index block) const { return std::min(kTile, points.cols() - begin(block)); }
  auto points_of(Index block) const { return points.middleCols(begin(block), length(block)); }
  auto weights_of(Index block) const { return weights.segment(begin(block), length(block)); }

  /// c_i G(y_i, y_j) for i in block `rows` and j in block `columns`.
  void weighted_tile(Index rows, Index columns, Matrix& tile) const {
    tile.resize(length(rows), length(columns));
    linalg::gemm(linalg::Op::Transpose, linalg::Op::None, 1.0, points_of(rows), points_of(columns), 0.0, tile,
                 1);
    const auto row_squares = squares.segment(begin(rows), length(rows)).array();
    const double scale = -0.5 / (width * width);
    for (Index j = 0; j < tile.cols(); ++j) {
      const double square = squares[begin(columns) + j];
      tile.col(j) = ((row_squares + square - 2.0 * tile.col(j).array()).max(0.0) * scale).exp() *
                    weights_of(rows).array();
    }
  }
};

}  // namespace

double kde_divergence(MatrixView source, MatrixView target, double width, const Execution& run) {
  const SignedPoints all(source, target, width);
  Vector sums(all.blocks());
  parallel_blocks(run, all.blocks(), [&](Index block) {
    Matrix tile;
    double sum = 0;
    // G is symmetric: tiles beside the diagonal count twice.
    for (Index other = 0; other <= block; ++other) {
      all.weighted_tile(other, block, tile);
      sum += (other == block ? 1.0 : 2.0) * tile.colwise().sum().dot(all.weights_of(block));
    }
    sums[block] = sum;
  });
  return sums.sum();
}

KdeGradient kde_divergence_gradient(MatrixView source, MatrixView target, double width,
                                    const Execution& run) {
  const SignedPoints all(source, target, width);
  Vector sums(all.blocks());
  Matrix gradient(all.points.rows(), all.points.cols());
  parallel_blocks(run, all.blocks(), [&](Index block) {
    Matrix tile;
    Vector mass = Vector::Zero(all.length(block));
    auto slope = gradient.middleCols(all.begin(block), all.length(block));
    slope.setZero();
    for (Index other = 0; other < all.blocks(); ++other) {
      all.weighted_tile(other, block, tile);
      mass += tile.colwise().sum().transpose();
      linalg::gemm(linalg::Op::None, linalg::Op::None, 1.0, all.points_of(other), tile, 1.0, slope, 1);
    }
    // ∂D/∂y_j = 2 c_j/width² (Σ_i c_i G_ij y_i − y_j Σ_i c_i G_ij)
    const Vector factor = (2.0 / (width * width)) * all.weights_of(block);
    for (Index j = 0; j < slope.cols(); ++j) {
      slope.col(j) = factor[j] * (slope.col(j) - mass[j] * all.points.col(all.begin(block) + j));
    }
    sums[block] = mass.dot(all.weights_of(block));
  });
  return {sums.sum(), gradient.leftCols(source.cols()), gradient.rightCols(target.cols())};
}

double median_distance(MatrixView source, MatrixView target, const Execution& run) {
  const auto spaced = [](const MatrixView& samples) {
    const Index count = std::min(samples.cols(), kMedianSamples);
    Matrix some(samples.rows(), count);
    for (Index j = 0; j < count; ++j) some.col(j) = samples.col(j * samples.cols() / count);
    return some;
  };
  const Matrix from = spaced(source);
  const Matrix to = spaced(target);
  Matrix squares = -2.0 * linalg::multiply_transposed(from, to, run);
  squares.colwise() += from.colwise().squaredNorm().transpose();
  squares.rowwise() += to.colwise().squaredNorm();
  // NaN has no place in an order.
  if (!squares.allFinite())
    throw NumericalError("median distance: squared distances are beyond double; scale the features down");
  double* const middle = squares.data() + squares.size() / 2;
  std::nth_element(squares.data(), middle, squares.data() + squares.size());
  return std::sqrt(std::max(0.0, *middle));
}

}  // namespace isthmus
