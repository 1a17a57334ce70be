#include "linalg/stiefel.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <optional>

#include "core/last_finished.h"
#include "isthmus/errors.h"
#include "linalg/blas.h"
#include "linalg/eigen.h"

namespace isthmus::linalg {
namespace {

constexpr double kSufficientDecrease = 1e-4;
constexpr int kHalvings = 40;
constexpr std::size_t kWindow = 5;

double inner_product(const Matrix& a, const Matrix& b) {
  return a.cwiseProduct(b).sum();
}

struct Trial {
  Matrix point;
  double objective;
};

/// The first of step, step/2, step/4, … that satisfies Armijo's condition; none where rounding drowns the
/// decrease.
std::optional<Trial> line_search(const StiefelObjective& objective, const Matrix& point, const Matrix& slope,
                                 double value, double step) {
  const double slope_square = slope.squaredNorm();
  for (int halving = 0; halving < kHalvings; ++halving, step /= 2.0) {
    Matrix candidate = retract(point - step * slope);
    const double candidate_value = objective(candidate, nullptr);
    if (candidate_value < value && candidate_value <= value - kSufficientDecrease * step * slope_square) {
      return Trial{std::move(candidate), candidate_value};
    }
  }
  return std::nullopt;
}

/// Barzilai & Borwein 1988: the step that best mimics the inverse curvature along the last move.
double next_step_length(const Matrix& move, const Matrix& slope_change, double last) {
  const double curvature = std::abs(inner_product(move, slope_change));
  const double length = move.squaredNorm() / curvature;
  return std::isfinite(length) && length > 0 ? length : last;
}

/// Steps until a rule ends them; leaves the last point in `result`.
Status descend(const StiefelObjective& objective, const StiefelSettings& settings,
               const std::function<Decision(const StiefelStep&)>& observe, StiefelResult& result) {
  Matrix gradient;
  double value = objective(result.point, &gradient);
  if (!std::isfinite(value))
    throw NumericalError("descent on the Stiefel manifold: the objective is not finite");
  Matrix slope = tangent_part(result.point, gradient);
  double step = 1.0 / std::max(slope.norm(), std::numeric_limits<double>::min());
  std::deque<double> recent{value};
  while (result.iterations < settings.iterations) {
    const double small = settings.tolerance * std::max(1.0, std::abs(value));
    if (slope.norm() <= small) return Status::Converged;
    std::optional<Trial> trial = line_search(objective, result.point, slope, value, step);
    if (!trial) return Status::Stalled;
    // A step has been made once its slope is known.
    value = objective(trial->point, &gradient);
    const Matrix last_point = std::exchange(result.point, std::move(trial->point));
    const Matrix last_slope = std::move(slope);
    slope = tangent_part(result.point, gradient);
    step = next_step_length(result.point - last_point, slope - last_slope, step);
    ++result.iterations;
    if (observe({result.iterations, value, slope.norm()}) == Decision::Stop) return Status::Stopped;
    recent.push_back(value);
    if (recent.size() > kWindow + 1) recent.pop_front();
    if (recent.size() == kWindow + 1 && recent.front() - value <= static_cast<double>(kWindow) * small)
      return Status::Converged;
  }
  return Status::IterationLimit;
}

}  // namespace

Matrix tangent_part(const Matrix& point, const Matrix& direction) {
  const Matrix overlap = multiply_transposed(point, direction, 1);
  return direction - multiply(point, 0.5 * (overlap + overlap.transpose()), 1);
}

Matrix retract(const Matrix& near) {
  Matrix q = orthonormal_basis(near);
  // R_jj = q_jᵀ y_j: with a positive diagonal the factor is unique and moves with the step continuously.
  for (Index j = 0; j < q.cols(); ++j) {
    if (q.col(j).dot(near.col(j)) < 0) q.col(j) = -q.col(j);
  }
  return q;
}

StiefelResult minimize_on_stiefel(Matrix start, const StiefelObjective& objective,
                                  const StiefelSettings& settings,
                                  const std::function<Decision(const StiefelStep&)>& observe) {
  StiefelResult result{std::move(start)};
  result.status =
      to_last_finished(result.iterations, [&] { return descend(objective, settings, observe, result); });
  return result;
}

}  // namespace isthmus::linalg
