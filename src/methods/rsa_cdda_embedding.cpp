#include "methods/rsa_cdda_embedding.h"

#include <algorithm>
#include <cmath>

#include "isthmus/errors.h"
#include "linalg/blas.h"
#include "linalg/eigen.h"
#include "mmd/pencil.h"

namespace isthmus {
namespace {

// Singular values below this share of the largest are rounding of the Gram matrix they come from.
constexpr double kRankTolerance = 1e-5;

Matrix joint_unit_samples(const DomainPair& pair) {
  Matrix samples(pair.dimension(), pair.source_count() + pair.target_count());
  samples.leftCols(pair.source_count()) = pair.source();
  samples.rightCols(pair.target_count()) = pair.target();
  linalg::normalize_columns(samples);
  return samples;
}

/// Leading eigenpairs of a Gram matrix whose eigenvalues are above rounding, at most `limit` (0: all).
linalg::EigenPairs leading(const Matrix& gram, Index limit) {
  const Index wanted = limit > 0 ? std::min(limit, gram.rows()) : gram.rows();
  linalg::EigenPairs pairs = linalg::largest_eigen(gram, wanted);
  if (!(pairs.values[0] > 0.0)) {
    throw InvalidArgument("rsa-cdda: every sample is zero; there is nothing to adapt");
  }
  const double floor = kRankTolerance * kRankTolerance * pairs.values[0];
  const Index rank = (pairs.values.array() > floor).count();
  return {pairs.values.head(rank), pairs.vectors.leftCols(rank)};
}

Matrix centred_gram(const Matrix& features, int threads) {
  const Vector mean = linalg::column_mean(features, threads);
  const Matrix centred = features.colwise() - mean;
  return linalg::gram(centred, threads);
}

}  // namespace

Matrix SpectralCoordinates::features(double spectrum) const {
  const Vector scale = singular_values.array().pow(spectrum - 1.0);
  return scale.asDiagonal() * coordinates;
}

Matrix SpectralCoordinates::map(double spectrum) const {
  const Vector scale = singular_values.array().pow(spectrum - 1.0);
  return basis * scale.asDiagonal();
}

SpectralCoordinates spectral_coordinates(const DomainPair& pair, int rank, int threads) {
  const Matrix samples = joint_unit_samples(pair);
  SpectralCoordinates result;
  if (samples.rows() <= samples.cols()) {
    linalg::EigenPairs pairs = leading(linalg::gram(samples, threads), rank);
    result.basis = std::move(pairs.vectors);
    result.singular_values = pairs.values.cwiseSqrt();
  } else {  // more features than samples: XᵀX is the smaller Gram matrix, U = X V Σ⁻¹
    const linalg::EigenPairs pairs = leading(linalg::multiply_transposed(samples, samples, threads), rank);
    result.singular_values = pairs.values.cwiseSqrt();
    result.basis = linalg::multiply(samples, pairs.vectors, threads) *
                   result.singular_values.cwiseInverse().asDiagonal();
  }
  result.coordinates = linalg::multiply_transposed(result.basis, samples, threads);
  return result;
}

RatioEmbedding::RatioEmbedding(const Matrix& features, const std::vector<int>& source_labels, int class_count,
                               const Settings& settings, int threads)
    : features_(features),
      source_count_(static_cast<Index>(source_labels.size())),
      settings_(settings),
      scatter_(centred_gram(features, threads)),
      classes_(features.leftCols(source_count_), source_labels,
               features.rightCols(features.cols() - source_count_), {}, class_count, threads) {}

RatioEmbedding::Solution RatioEmbedding::solve(const std::vector<int>& target_labels, const Matrix& robust,
                                               int threads) {
  if (!target_labels.empty()) {
    classes_.relabel(features_.rightCols(features_.cols() - source_count_), target_labels, threads);
  }
  const ClosenessWeights weights{static_cast<double>(classes_.class_count()), 1.0, settings_.empty_class};
  const FormFactors close = closeness(classes_, weights);
  const Matrix close_factors =
      classes_.means() * close.factors / std::sqrt(frobenius_norm(close.coefficients(), classes_.counts()));
  Matrix apart(features_.rows(), 0);
  if (classes_.target_labelled() && settings_.gamma > 0.0) {
    apart = classes_.means() * repulsion(classes_, {}).factors;
    const double size = apart.squaredNorm();  // tr(X M_REP Xᵀ)
    apart *= size > 0.0 ? std::sqrt(settings_.gamma * scatter_.trace() / size) : 0.0;
  }
  Matrix left = scatter_;
  if (apart.cols() > 0) {
    linalg::gemm(linalg::Op::None, linalg::Op::Transpose, 1.0, apart, apart, 1.0, left);
  }
  const Index k = std::min(settings_.components, std::max<Index>(features_.rows() - 1, 1));
  Solution solution;
  if (robust.size() == 0) {
    PencilSolution pencil = largest_of_low_rank_pencil(left, close_factors, settings_.lambda, k);
    solution.projection = std::move(pencil.vectors);
    solution.objective = pencil.values.sum();
    solution.residual = pencil.residual;
  } else {
    Matrix right = robust + settings_.lambda * Matrix::Identity(left.rows(), left.rows());
    linalg::gemm(linalg::Op::None, linalg::Op::Transpose, 1.0, close_factors, close_factors, 1.0, right);
    linalg::EigenPairs pairs = linalg::generalized_largest_eigen(left, right, k);
    const Matrix gap = linalg::multiply(left, pairs.vectors) -
                       linalg::multiply(right, pairs.vectors) * pairs.values.asDiagonal();
    const double scale = left.norm();
    solution.residual =
        scale > 0.0
            ? (gap.colwise().norm().array() / pairs.vectors.colwise().norm().array()).maxCoeff() / scale
            : 0.0;
    solution.objective = pairs.values.sum();
    solution.projection = std::move(pairs.vectors);
  }
  const Matrix& a = solution.projection;
  solution.closeness = linalg::multiply_transposed(close_factors, a).squaredNorm();
  solution.repulsion = linalg::multiply_transposed(apart, a).squaredNorm();
  solution.variance = a.cwiseProduct(linalg::multiply(scatter_, a)).sum();
  solution.penalty = settings_.lambda * a.squaredNorm();
  return solution;
}

}  // namespace isthmus
