#include "isthmus/domain_overlap.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <random>

#include "classify/logistic.h"
#include "isthmus/errors.h"
#include "linalg/blas.h"
#include "linalg/subspace.h"

namespace isthmus {
namespace {

constexpr Index kDomainDirections = 50;  // enough to tell domains apart, few against the samples of a fold
constexpr int kFolds = 5;
constexpr double kDomainRidge = 0.01;  // on features of variance 1: odds stay finite where domains separate

/// Both domains about their mean in their leading principal directions, each of variance 1.
Matrix whitened(const MatrixView& source, const MatrixView& target, const Execution& run) {
  const linalg::PrincipalSubspace top = linalg::principal_subspace({source, target}, kDomainDirections, run);
  const auto count = static_cast<double>(source.cols() + target.cols());
  const double floor = top.scatter.size() > 0 ? 1e-10 * top.scatter[0] : 0.0;
  const Index kept = (top.scatter.array() > floor).count();
  const Matrix directions =
      top.basis.leftCols(kept) * (top.scatter.head(kept) / count).cwiseSqrt().cwiseInverse().asDiagonal();
  Matrix all(kept, source.cols() + target.cols());
  all << linalg::multiply_transposed(directions, source, run),
      linalg::multiply_transposed(directions, target, run);
  return all.colwise() - directions.transpose() * top.mean;
}

/// A fold for each sample, in random order, as equal in size as can be.
std::vector<int> draw_folds(Index count, int folds, std::mt19937_64& engine) {
  std::vector<int> fold(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < fold.size(); ++i) fold[i] = static_cast<int>(i) % folds;
  for (std::size_t i = 0; i + 1 < fold.size(); ++i)
    std::swap(fold[i], fold[i + engine() % (fold.size() - i)]);
  return fold;
}

std::vector<Index> columns_of(const std::vector<int>& folds, int fold) {
  std::vector<Index> columns;
  for (std::size_t i = 0; i < folds.size(); ++i) {
    if (folds[i] == fold) columns.push_back(static_cast<Index>(i));
  }
  return columns;
}

/// Weights with which both domains (0 and 1) weigh ½ whatever their numbers, so that log-odds are those of
/// the two densities; 0 for the samples of the fold that is held back.
Vector domain_weights(const std::vector<int>& domain, const std::vector<int>& folds, int held_back) {
  std::array<double, 2> counts{};
  for (std::size_t i = 0; i < folds.size(); ++i) {
    if (folds[i] != held_back) counts[static_cast<std::size_t>(domain[i])] += 1.0;
  }
  Vector weights = Vector::Zero(static_cast<Index>(folds.size()));
  for (std::size_t i = 0; i < folds.size(); ++i) {
    if (folds[i] == held_back) continue;
    weights[static_cast<Index>(i)] = 0.5 / counts[static_cast<std::size_t>(domain[i])];
  }
  return weights;
}

}  // namespace

DomainRatio domain_ratio(MatrixView source, MatrixView target, const Context& context) {
  if (source.cols() == 0 || target.cols() == 0) {
    throw InvalidArgument("telling domains apart needs at least one sample in each domain");
  }
  if (source.rows() != target.rows() || source.rows() == 0) {
    throw InvalidArgument(
        fmt::format("telling domains apart needs as many features in the source as in the target, at least "
                    "1; got {} and {}",
                    source.rows(), target.rows()));
  }
  const Matrix all = whitened(source, target, context);
  std::vector<int> domain(static_cast<std::size_t>(source.cols()), 0);
  domain.resize(static_cast<std::size_t>(all.cols()), 1);
  const LogisticRegression classifier(all, domain, 2, context);
  // With a single sample there is nothing to hold back.
  const int folds = static_cast<int>(std::min<Index>({kFolds, source.cols(), target.cols()}));
  std::mt19937_64 engine(context.seed);
  std::vector<int> fold_of = draw_folds(source.cols(), folds, engine);
  const std::vector<int> target_fold = draw_folds(target.cols(), folds, engine);
  fold_of.insert(fold_of.end(), target_fold.begin(), target_fold.end());
  Vector log_ratio = Vector::Zero(all.cols());
  for (int fold = 0; fold < folds; ++fold) {
    const LogisticScores fit = classifier
                                   .fit({.ridge = 2.0 * kDomainRidge,
                                         .weights = domain_weights(domain, fold_of, folds > 1 ? fold : -1)},
                                        context.quiet())
                                   .classifier;
    const Vector direction = fit.weights.col(1) - fit.weights.col(0);
    const std::vector<Index> inside = columns_of(fold_of, fold);
    log_ratio(inside) =
        (all(Eigen::all, inside).transpose() * direction).array() + (fit.offsets[1] - fit.offsets[0]);
  }
  return {log_ratio.head(source.cols()), log_ratio.tail(target.cols())};
}

double proxy_a_distance(const DomainRatio& ratio) {
  // A sample on the border is wrong by half.
  const auto share_wrong = [](const Vector& log_ratio, double right) {
    double wrong = 0;
    for (const double value : log_ratio) wrong += value == 0 ? 0.5 : (value * right > 0 ? 0.0 : 1.0);
    return wrong / static_cast<double>(log_ratio.size());
  };
  const double error = 0.5 * (share_wrong(ratio.source, -1.0) + share_wrong(ratio.target, 1.0));
  return 2.0 * (1.0 - 2.0 * error);
}

}  // namespace isthmus
