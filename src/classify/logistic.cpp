#include "classify/logistic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/last_finished.h"
#include "core/parallel.h"
#include "isthmus/errors.h"
#include "linalg/blas.h"

namespace isthmus {
namespace {

constexpr int kMaxSteps = 100;
constexpr int kMaxProducts = 250;  // a Newton step
constexpr int kMaxHalvings = 30;
// What a sum of losses may rise by rounding, relatively.
constexpr double kRise = 1e-13;
// The log-odds of a class without samples; finite, for a model file holds finite numbers only.
constexpr double kNever = -1e300;
constexpr Index kScoredBlock = 512;

double inner(const Matrix& a, const Matrix& b) {
  return a.cwiseProduct(b).sum();
}

/// The objective by parameters along the axes, its gradient and its products with directions.
class LogisticObjective {
 public:
  LogisticObjective(const AxisSamples& samples, const std::vector<int>& classes,
                    const LogisticProblem& problem, const Execution& run)
      : samples_(samples),
        classes_(classes),
        weights_(problem.weights.size() > 0 ? problem.weights : Vector::Ones(samples.count())),
        ridge_(problem.ridge),
        run_(run) {}

  struct Point {
    Matrix parameters;
    Matrix probabilities;  // K×n
    Matrix gradient;
    double value = 0;
  };

  /// What the next readings of the samples go by.
  void go_by(const Execution& run) { run_ = run; }
  double total_weight() const { return weights_.sum(); }

  Point at(Matrix parameters) const {
    Point point;
    point.probabilities.resize(parameters.cols(), samples_.count());
    const auto errors_of = [&](Index begin, Matrix& scores) {
      double losses = 0;
      for (Index j = 0; j < scores.cols(); ++j) {
        const Index i = begin + j;
        const int own = classes_[static_cast<std::size_t>(i)];
        const double largest = scores.col(j).maxCoeff();
        const double own_score = scores(own, j) - largest;
        scores.col(j) = (scores.col(j).array() - largest).exp();
        const double sum = scores.col(j).sum();
        losses += weights_[i] * (std::log(sum) - own_score);
        scores.col(j) /= sum;
        point.probabilities.col(i) = scores.col(j);
        scores(own, j) -= 1.0;
        scores.col(j) *= weights_[i];
      }
      return losses;
    };
    point.gradient = samples_.sum_over(parameters, errors_of, &point.value, run_);
    const Index r = parameters.rows() - 1;
    point.gradient.topRows(r) += ridge_ * parameters.topRows(r);
    point.value += 0.5 * ridge_ * parameters.topRows(r).squaredNorm();
    point.parameters = std::move(parameters);
    return point;
  }

  /// The Hessian at a point times a direction.
  Matrix times_hessian(const Point& point, const Matrix& direction) const {
    const auto bend = [&](Index begin, Matrix& slopes) {
      for (Index j = 0; j < slopes.cols(); ++j) {
        const auto p = point.probabilities.col(begin + j).array();
        const double mean = (p * slopes.col(j).array()).sum();
        slopes.col(j) = weights_[begin + j] * p * (slopes.col(j).array() - mean);
      }
      return 0.0;
    };
    Matrix product = samples_.sum_over(direction, bend, nullptr, run_);
    const Index r = direction.rows() - 1;
    product.topRows(r) += ridge_ * direction.topRows(r);
    return product;
  }

  /// The Hessian's diagonal, as if a sample's place along the axes told nothing of its probabilities.
  Matrix diagonal(const Point& point) const {
    const Index r = point.parameters.rows() - 1;
    const Vector curvature =
        (point.probabilities.array() * (1.0 - point.probabilities.array())).matrix() * weights_;
    Matrix diagonal(r + 1, curvature.size());
    diagonal.topRows(r) = samples_.scatter() * curvature.transpose() / static_cast<double>(samples_.count());
    diagonal.topRows(r).array() += ridge_;
    // Where every sample is far from the border, an offset has next to no curvature.
    diagonal.row(r) = curvature.transpose().cwiseMax(1e-12 * total_weight());
    return diagonal;
  }

 private:
  const AxisSamples& samples_;
  const std::vector<int>& classes_;
  Vector weights_;
  double ridge_;
  Execution run_;
};

/// Solves Hessian·step = −gradient until the residual is `accuracy` of the gradient, in the norm of
/// 1/diagonal.
Matrix newton_step(const LogisticObjective& objective, const LogisticObjective::Point& point,
                   const Matrix& diagonal, double accuracy, int& products) {
  Matrix step = Matrix::Zero(point.gradient.rows(), point.gradient.cols());
  Matrix residual = -point.gradient;
  Matrix scaled = residual.cwiseQuotient(diagonal);
  Matrix direction = scaled;
  double size = inner(residual, scaled);
  const double enough = accuracy * accuracy * size;
  for (int i = 0; i < kMaxProducts && size > enough; ++i) {
    const Matrix bent = objective.times_hessian(point, direction);
    ++products;
    const double curvature = inner(direction, bent);
    if (!(curvature > 0)) break;  // rounding is all that is left
    const double length = size / curvature;
    step += length * direction;
    residual -= length * bent;
    scaled = residual.cwiseQuotient(diagonal);
    const double next = inner(residual, scaled);
    direction = scaled + next / size * direction;
    size = next;
  }
  return step;
}

/// Walks along the step, halved until the objective falls; false where it does not.
bool walk(const LogisticObjective& objective, LogisticObjective::Point& point, Matrix step) {
  for (int i = 0; i < kMaxHalvings; ++i, step /= 2) {
    LogisticObjective::Point next = objective.at(point.parameters + step);
    if (!(next.value <= point.value + kRise * std::abs(point.value))) continue;
    point = std::move(next);
    return true;
  }
  return false;
}

}  // namespace

LogisticRegression::LogisticRegression(const SampleView& samples, const std::vector<int>& labels,
                                       int class_count, const Execution& run)
    : class_count_(class_count), samples_(samples, run) {
  if (static_cast<Index>(labels.size()) != samples.cols() || labels.empty()) {
    throw InvalidArgument(
        fmt::format("logistic regression: {} samples and {} labels; expected as many, at least one",
                    samples.cols(), labels.size()));
  }
  std::vector<int> found(static_cast<std::size_t>(class_count), -1);
  for (const int label : labels) {
    if (label < 0 || label >= class_count) {
      throw InvalidArgument(fmt::format("logistic regression: a label {} of {} classes", label, class_count));
    }
    found[static_cast<std::size_t>(label)] = 0;
  }
  for (int c = 0; c < class_count; ++c) {
    if (found[static_cast<std::size_t>(c)] < 0) continue;
    found[static_cast<std::size_t>(c)] = static_cast<int>(present_.size());
    present_.push_back(c);
  }
  for (const int label : labels) position_.push_back(found[static_cast<std::size_t>(label)]);
  const double spread = samples_.scatter().sum() / static_cast<double>(samples.cols());
  if (spread > 0) spread_ = spread;
}

Vector LogisticRegression::balanced_weights() const {
  Vector counts = Vector::Zero(static_cast<Index>(present_.size()));
  for (const int position : position_) counts[position] += 1.0;
  Vector weights(static_cast<Index>(position_.size()));
  const double share = static_cast<double>(weights.size()) / static_cast<double>(counts.size());
  for (Index i = 0; i < weights.size(); ++i) {
    weights[i] = share / counts[position_[static_cast<std::size_t>(i)]];
  }
  return weights;
}

LogisticFit LogisticRegression::fit(const LogisticProblem& problem, const Context& context) const {
  if (!(problem.ridge > 0)) {
    throw InvalidArgument(
        fmt::format("logistic regression: the ridge is {}; expected a number > 0", problem.ridge));
  }
  const auto classes = static_cast<Index>(present_.size());
  LogisticObjective objective(samples_, position_, problem, context);
  LogisticObjective::Point point =
      objective.at(problem.start != nullptr ? parameters_of(*problem.start)
                                            : Matrix::Zero(samples_.scatter().size() + 1, classes));
  const double unit =
      objective.total_weight() * std::log(std::max<double>(2.0, static_cast<double>(classes)));
  const bool keep = problem.when_cancelled == WhenCancelled::KeepLastStep;
  // Where Cancelled is thrown, the next reading of the samples does so.
  const Context told = keep ? context : context.unstoppable();
  LogisticFit fit;
  const auto take_steps = [&] {
    while (fit.iterations < kMaxSteps) {
      const Matrix diagonal = objective.diagonal(point);
      // Half of gᵀH⁻¹g is what the objective has above its minimum, where it is as good as quadratic.
      const double excess = 0.5 * inner(point.gradient, point.gradient.cwiseQuotient(diagonal)) / unit;
      if (excess <= problem.tolerance) return Status::Converged;
      const double accuracy = std::clamp(std::sqrt(std::sqrt(excess)), 1e-3, 0.3);
      Matrix step = newton_step(objective, point, diagonal, accuracy, fit.products);
      if (!walk(objective, point, std::move(step))) return Status::Stalled;
      ++fit.iterations;
      if (keep) objective.go_by(context.after(fit.iterations));
      if (told.report({"step", fit.iterations, kMaxSteps, point.value}) == Decision::Stop)
        return Status::Stopped;
    }
    return Status::IterationLimit;
  };
  fit.status = keep ? to_last_finished(fit.iterations, take_steps) : take_steps();
  fit.objective = point.value;
  fit.classifier = classifier_of(point.parameters);
  return fit;
}

LogisticScores LogisticRegression::classifier_of(const Matrix& parameters) const {
  // A constant added to every class changes no probability; without it the weights are smallest.
  const Matrix by_features = samples_.by_features(parameters.colwise() - parameters.rowwise().mean());
  const Index d = by_features.rows() - 1;
  LogisticScores scores{Matrix::Zero(d, class_count_), Vector::Constant(class_count_, kNever)};
  for (std::size_t i = 0; i < present_.size(); ++i) {
    scores.weights.col(present_[i]) = by_features.col(static_cast<Index>(i)).head(d);
    scores.offsets[present_[i]] = by_features(d, static_cast<Index>(i));
  }
  return scores;
}

Matrix LogisticRegression::parameters_of(const LogisticScores& classifier) const {
  const Index d = classifier.weights.rows();
  Matrix by_features(d + 1, static_cast<Index>(present_.size()));
  for (std::size_t i = 0; i < present_.size(); ++i) {
    by_features.col(static_cast<Index>(i)) << classifier.weights.col(present_[i]),
        classifier.offsets[present_[i]];
  }
  return samples_.by_axes(by_features);
}

Matrix logistic_scores(const LogisticScores& classifier, const SampleView& samples, const Execution& run) {
  Matrix scores = classifier.offsets.replicate(1, samples.cols());
  parallel_ranges(run, samples.cols(), kScoredBlock, [&](Index begin, Index length) {
    auto block = scores.middleCols(begin, length);
    linalg::gemm(linalg::Op::Transpose, linalg::Op::None, 1.0, classifier.weights,
                 samples.columns(begin, length), 1.0, block, 1);
    for (Index j = 0; j < length; ++j) {
      block.col(j) = (block.col(j).array() - block.col(j).maxCoeff()).exp();
      block.col(j) /= block.col(j).sum();
    }
  });
  return scores;
}

}  // namespace isthmus
