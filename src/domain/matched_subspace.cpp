#include "domain/matched_subspace.h"

#include <cmath>
#include <limits>
#include <utility>

#include "domain/pencil.h"
#include "linalg/blas.h"

namespace isthmus {
namespace {

/// aᵢᵀ U Uᵀ aᵢ for every column.
Vector form_values(const Matrix& factors, const Matrix& vectors) {
  if (factors.cols() == 0) return Vector::Zero(vectors.cols());
  return linalg::multiply_transposed(factors, vectors, 1).colwise().squaredNorm();
}

/// 1/√value; a direction without length keeps its scale.
Vector inverse_lengths(const Vector& squares) {
  const double floor = std::numeric_limits<double>::epsilon() * squares.maxCoeff();
  return (squares.array() > floor).select(squares.array().rsqrt(), 1.0);
}

/// M divided by its norm; a form without terms stays as it is.
double normaliser(const Matrix& coefficients, const ClassMeans& classes) {
  const double norm = frobenius_norm(coefficients, classes.counts());
  return norm > 0 ? 1.0 / norm : 1.0;
}

Matrix full_right_side(const Matrix& close, double ridge, const Matrix& robust) {
  Matrix right = robust;
  linalg::gemm(linalg::Op::None, linalg::Op::Transpose, 1.0, close, close, 1.0, right, 1);
  right.diagonal().array() += ridge;
  return right;
}

}  // namespace

SubspaceMatcher::SubspaceMatcher(Matrix scatter, const MatchingProblem& problem, const Execution& run)
    : scatter_(std::move(scatter)), problem_(problem), run_(run) {}

MatchedSubspace SubspaceMatcher::solve(MatrixView means, const ClassMeans& classes, const Matrix& robust) {
  return problem_.form == RepulsionForm::Ratio ? solve_ratio(means, classes, robust)
                                               : solve_algebraic(means, classes);
}

MatchedSubspace SubspaceMatcher::solve_ratio(MatrixView means, const ClassMeans& classes,
                                             const Matrix& robust) const {
  const FormFactors form = closeness(classes, problem_.closeness);
  const Matrix close = std::sqrt(problem_.closeness_weight * normaliser(form.coefficients(), classes)) *
                       linalg::multiply(means, form.factors, run_);
  Matrix left = scatter_;
  Matrix apart(means.rows(), 0);
  if (problem_.repulsion && classes.target_labelled()) {
    const double unweighted = linalg::multiply(means, repulsion(classes, {}).factors, run_).squaredNorm();
    if (unweighted > 0) {
      apart = std::sqrt(scatter_.trace() / unweighted) *
              linalg::multiply(means, repulsion(classes, *problem_.repulsion).factors, run_);
      left += linalg::multiply_by_transpose(apart, apart, run_);
    }
  }
  PencilSolution solution =
      robust.size() == 0
          ? largest_of_low_rank_pencil(left, close, problem_.ridge, problem_.components, run_)
          : largest_of_pencil(left, full_right_side(close, problem_.ridge, robust), problem_.components);
  MatchedSubspace subspace = finish(std::move(solution.vectors), close, apart, robust);
  subspace.objective = solution.values.sum();
  subspace.residual = solution.residual;
  return subspace;
}

MatchedSubspace SubspaceMatcher::solve_algebraic(MatrixView means, const ClassMeans& classes) {
  const FormFactors together = closeness(classes, problem_.closeness);
  FormFactors separate{Matrix(classes.counts().size(), 0)};
  if (problem_.repulsion && classes.target_labelled()) separate = repulsion(classes, *problem_.repulsion);
  const double scale = std::sqrt(normaliser(together.coefficients() - separate.coefficients(), classes));
  const Matrix close = scale * linalg::multiply(means, together.factors, run_);
  const Matrix apart = scale * linalg::multiply(means, separate.factors, run_);

  Matrix left = linalg::multiply_by_transpose(close, close, run_);
  linalg::gemm(linalg::Op::None, linalg::Op::Transpose, -1.0, apart, apart, 1.0, left, run_);
  left.diagonal().array() += problem_.ridge;
  if (whitening_.size() == 0) whitening_ = whitening_basis(scatter_);
  PencilSolution solution = smallest_on_range(left, scatter_, whitening_, problem_.components);
  MatchedSubspace subspace = finish(std::move(solution.vectors), close, apart, {});
  subspace.objective = solution.values.sum();
  subspace.residual = solution.residual;
  return subspace;
}

MatchedSubspace SubspaceMatcher::finish(Matrix vectors, const Matrix& close, const Matrix& apart,
                                        const Matrix& robust) const {
  const Vector lengths = vectors.colwise().squaredNorm();
  const Vector variances = vectors.cwiseProduct(linalg::multiply(scatter_, vectors, run_)).colwise().sum();
  const Vector closenesses = form_values(close, vectors);
  MatchedSubspace subspace;
  subspace.variance = variances.sum();
  subspace.closeness = closenesses.sum();
  subspace.ridge = problem_.ridge * lengths.sum();
  subspace.repulsion = form_values(apart, vectors).sum();
  Vector squares = lengths;
  if (problem_.scaling == Scaling::Metric) {
    squares = closenesses + problem_.ridge * lengths;
    if (robust.size() > 0)
      squares += vectors.cwiseProduct(linalg::multiply(robust, vectors, run_)).colwise().sum();
  }
  if (problem_.scaling == Scaling::Whitened) squares = variances;
  subspace.directions = std::move(vectors) * inverse_lengths(squares).asDiagonal();
  return subspace;
}

}  // namespace isthmus
