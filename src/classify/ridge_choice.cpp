#include "classify/ridge_choice.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <random>

#include "core/parallel.h"

namespace isthmus {
namespace {

// In units of the samples' spread. Strong to weak, until the loss rises. Weaker ones may win on
// samples held back, and lose on a domain that differs: 0.01 costs 1 to 3 points on sensors.
constexpr std::array kCandidates{100.0, 10.0, 1.0, 0.1, 0.01};
// Where nothing can be held back.
constexpr double kUnknown = 0.1;
constexpr int kRidgeFolds = 5;
// Samples that decide; more would choose the same.
constexpr Index kMostDeciding = 4000;
constexpr Index kReadForFolds = 512;
// Enough for a loss to three digits.
constexpr double kRoughly = 1e-6;
// Of a probability, so that one sample cannot decide alone.
constexpr double kLeastProbability = 1e-6;

/// Some samples and the fold each is held back in; −1: in none.
struct Folds {
  std::vector<Index> samples;
  std::vector<int> fold;
};

Vector along_random_direction(const SampleView& samples, const Context& context) {
  const Execution run = context;
  std::mt19937_64 engine(context.seed);
  std::normal_distribution<double> normal;
  const Vector direction = Vector::NullaryExpr(samples.rows(), [&] { return normal(engine); });
  Vector place(samples.cols());
  for (Index begin = 0; begin < samples.cols(); begin += kReadForFolds) {
    run.look();
    const Index length = std::min(kReadForFolds, samples.cols() - begin);
    place.segment(begin, length) = samples.columns(begin, length).transpose() * direction;
  }
  return place;
}

/// Whether two samples at these places along a direction are the same.
bool are_copies(const SampleView& samples, const Vector& place, Index a, Index b) {
  // The products of copies may be rounded otherwise.
  if (std::abs(place[a] - place[b]) > 1e-9 * (std::abs(place[a]) + std::abs(place[b]))) return false;
  return samples.sample(a) == samples.sample(b);
}

/// At most `most` samples, classes by their shares (at least one fold's worth each), each class dealt to the
/// folds by rank along a random direction: evenly over the class, and whatever the order of the samples.
/// Copies of a sample go to the same fold, so that none is held back while another teaches. A class of one
/// sample is never held back.
Folds deal(const SampleView& samples, const std::vector<int>& labels, int class_count, Index most,
           const Context& context) {
  const Vector place = along_random_direction(samples, context);
  std::vector<std::vector<Index>> members(static_cast<std::size_t>(class_count));
  for (std::size_t i = 0; i < labels.size(); ++i) {
    members[static_cast<std::size_t>(labels[i])].push_back(static_cast<Index>(i));
  }
  Folds folds;
  const double share = std::min(1.0, static_cast<double>(most) / static_cast<double>(labels.size()));
  for (std::vector<Index>& own : members) {
    std::stable_sort(own.begin(), own.end(), [&](Index a, Index b) { return place[a] < place[b]; });
    const auto size = static_cast<double>(own.size());
    const auto wanted =
        static_cast<std::size_t>(std::min(size, std::max<double>(kRidgeFolds, std::ceil(share * size))));
    int distinct = 0;
    const std::size_t first = folds.samples.size();
    for (std::size_t i = 0; i < wanted; ++i) {
      const Index sample = own[i * own.size() / wanted];
      if (i > 0 && !are_copies(samples, place, folds.samples.back(), sample)) ++distinct;
      folds.samples.push_back(sample);
      folds.fold.push_back(distinct % kRidgeFolds);
    }
    if (distinct == 0)
      std::fill(folds.fold.begin() + static_cast<std::ptrdiff_t>(first), folds.fold.end(), -1);
  }
  return folds;
}

/// Weights with those in the fold, or those outside, set to zero.
Vector masked(Vector weights, const std::vector<int>& fold, int chosen, bool inside) {
  for (std::size_t i = 0; i < fold.size(); ++i) {
    if ((fold[i] == chosen) != inside) weights[static_cast<Index>(i)] = 0.0;
  }
  return weights;
}

/// Σ weight·loss.
double weighted_loss(const Matrix& probabilities, const std::vector<int>& labels, const Vector& weights) {
  double sum = 0;
  for (Index i = 0; i < weights.size(); ++i) {
    if (weights[i] == 0) continue;
    sum -= weights[i] *
           std::log(std::max(probabilities(labels[static_cast<std::size_t>(i)], i), kLeastProbability));
  }
  return sum;
}

/// Σ weight over the samples labelled right.
double weighted_right(const Matrix& probabilities, const std::vector<int>& labels, const Vector& weights) {
  const std::vector<int> found = largest_rows(probabilities);
  double sum = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (found[i] == labels[i]) sum += weights[static_cast<Index>(i)];
  }
  return sum;
}

/// One fold's fits, each starting from the one before, and what the samples held back say of the last.
struct Fold {
  Vector teaching;   // weights of the samples: zero for those held back
  Vector held_back;  // and for those that teach
  std::optional<LogisticScores> fitted;
  double loss = 0;
  double right = 0;
};

std::vector<Fold> split(const Folds& folds, const Vector& weights) {
  std::vector<Fold> result;
  for (int fold = 0; fold < kRidgeFolds; ++fold) {
    result.push_back({masked(weights, folds.fold, fold, false), masked(weights, folds.fold, fold, true), {}});
  }
  return result;
}

void fit_all(std::vector<Fold>& folds, double ridge, const LogisticRegression& regression,
             const Matrix& samples, const std::vector<int>& labels, const Context& context) {
  Context inner = context.quiet();
  inner.threads = std::max(1, context.threads / kRidgeFolds);
  parallel_blocks(context, kRidgeFolds, [&](Index i) {
    Fold& fold = folds[static_cast<std::size_t>(i)];
    const LogisticProblem problem{.ridge = ridge * regression.spread(),
                                  .weights = fold.teaching,
                                  .start = fold.fitted ? &*fold.fitted : nullptr,
                                  .tolerance = kRoughly};
    fold.fitted = regression.fit(problem, inner).classifier;
    const Matrix probabilities = logistic_scores(*fold.fitted, samples, inner);
    fold.loss = weighted_loss(probabilities, labels, fold.held_back);
    fold.right = weighted_right(probabilities, labels, fold.held_back);
  });
}

/// Over all folds.
template <class Part>
double total(const std::vector<Fold>& folds, Part part) {
  double sum = 0;
  for (const Fold& fold : folds) sum += part(fold);
  return sum;
}

}  // namespace

RidgeChoice choose_ridge(const SampleView& samples, const std::vector<int>& labels, int class_count,
                         bool balanced, const Context& context) {
  const Folds folds = deal(samples, labels, class_count, kMostDeciding, context);
  RidgeChoice found{.ridge = kUnknown, .candidates = {}, .losses = {}};
  if (*std::max_element(folds.fold.begin(), folds.fold.end()) < 0) return found;
  const Matrix chosen = samples.pick(folds.samples);
  std::vector<int> own;
  for (const Index i : folds.samples) own.push_back(labels[static_cast<std::size_t>(i)]);
  const LogisticRegression regression(chosen, own, class_count, context);
  const Vector weights = balanced ? regression.balanced_weights() : Vector::Ones(chosen.cols());
  std::vector<Fold> fits = split(folds, weights);
  const double held_back = total(fits, [](const Fold& fold) { return fold.held_back.sum(); });
  double best = kUnknown;
  for (const double ridge : kCandidates) {
    fit_all(fits, ridge, regression, chosen, own, context);
    if (context.out_of_time()) return found;  // these fits may have been cut short
    const double loss = total(fits, [](const Fold& fold) { return fold.loss; }) / held_back;
    const bool falls = found.losses.empty() || loss < found.losses.back();
    found.candidates.push_back(ridge);
    found.losses.push_back(loss);
    if (!falls) break;
    best = ridge;
    found.accuracy = total(fits, [](const Fold& fold) { return fold.right; }) / held_back;
  }
  found.ridge = best;
  return found;
}

}  // namespace isthmus
