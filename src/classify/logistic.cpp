#include "classify/logistic.h"

#include <fmt/format.h>

#include <cmath>

#include "isthmus/errors.h"
#include "linalg/blas.h"
#include "linalg/eigen.h"

namespace isthmus {
namespace {

constexpr int kMaxSteps = 50;
constexpr int kMaxHalvings = 30;
// Of the gradient's largest entry, whose terms are at most ½·|x|: far below what could move an odds.
constexpr double kTolerance = 1e-9;

/// log(1 + exp(t)) without overflow.
double softplus(double t) {
  return t > 0 ? t + std::log1p(std::exp(-t)) : std::log1p(std::exp(t));
}

/// The objective over samples with a constant 1 as their last feature.
struct Objective {
  Matrix samples;  // (k+1)×n
  Vector sign;
  Vector weight;  // c_i
  double ridge;
  int threads;

  Objective(const MatrixView& first, const MatrixView& second, double strength, int team)
      : samples(first.rows() + 1, first.cols() + second.cols()),
        sign(samples.cols()),
        weight(samples.cols()),
        ridge(strength),
        threads(team) {
    samples.topRows(first.rows()) << first, second;
    samples.bottomRows(1).setOnes();
    sign << Vector::Constant(first.cols(), -1.0), Vector::Ones(second.cols());
    weight << Vector::Constant(first.cols(), 0.5 / static_cast<double>(first.cols())),
        Vector::Constant(second.cols(), 0.5 / static_cast<double>(second.cols()));
  }

  double value(const Vector& at) const {
    const Vector margin = samples.transpose() * at;
    double sum = 0;
    for (Index i = 0; i < margin.size(); ++i) sum += weight[i] * softplus(-sign[i] * margin[i]);
    return sum + 0.5 * ridge * at.head(at.size() - 1).squaredNorm();
  }

  /// Gradient and Hessian.
  std::pair<Vector, Matrix> derivatives(const Vector& at) const {
    const Vector margin = samples.transpose() * at;
    Vector slope(margin.size());
    Matrix scaled = samples;
    for (Index i = 0; i < margin.size(); ++i) {
      const double wrong = 1.0 / (1.0 + std::exp(sign[i] * margin[i]));
      slope[i] = -weight[i] * sign[i] * wrong;
      scaled.col(i) *= std::sqrt(weight[i] * wrong * (1.0 - wrong));
    }
    Vector gradient = samples * slope;
    Matrix hessian = linalg::gram(scaled, threads);
    gradient.head(at.size() - 1) += ridge * at.head(at.size() - 1);
    hessian.diagonal().head(at.size() - 1).array() += ridge;
    // The offset alone has no ridge: keeps the system definite where every sample is far from the border.
    hessian(at.size() - 1, at.size() - 1) += 1e-12;
    return {std::move(gradient), std::move(hessian)};
  }
};

}  // namespace

Vector Logistic::log_odds(MatrixView samples) const {
  return (samples.transpose() * weights).array() + offset;
}

Logistic fit_logistic(MatrixView first, MatrixView second, double ridge, int threads) {
  if (first.rows() != second.rows() || first.cols() == 0 || second.cols() == 0) {
    throw InvalidArgument(fmt::format(
        "logistic regression of {}×{} and {}×{} samples: needs equal dimensions and a sample of each kind",
        first.rows(), first.cols(), second.rows(), second.cols()));
  }
  if (!(ridge > 0)) {
    throw InvalidArgument(fmt::format("logistic regression: the ridge is {}; expected a number > 0", ridge));
  }
  const Objective objective(first, second, ridge, threads);
  Vector at = Vector::Zero(first.rows() + 1);
  double value = objective.value(at);
  Logistic fit;
  while (true) {
    const auto [gradient, hessian] = objective.derivatives(at);
    fit.gradient = gradient.cwiseAbs().maxCoeff();
    if (fit.gradient <= kTolerance || fit.iterations == kMaxSteps) break;
    const Vector step = linalg::solve_spd(hessian, gradient);
    double length = 1.0;
    Vector next = at - step;
    double next_value = objective.value(next);
    for (int i = 0; next_value > value && i < kMaxHalvings; ++i) {
      length /= 2;
      next = at - length * step;
      next_value = objective.value(next);
    }
    if (next_value > value) break;  // rounding is all that is left
    at = next;
    value = next_value;
    ++fit.iterations;
  }
  fit.weights = at.head(first.rows());
  fit.offset = at[first.rows()];
  return fit;
}

}  // namespace isthmus
