#include "classify/axis_samples.h"

#include <algorithm>

#include "core/parallel.h"
#include "linalg/blas.h"
#include "linalg/subspace.h"
#include "samples/summaries.h"

namespace isthmus {
namespace {

using linalg::Op;

// Above, finding the axes costs more than the readings they save.
constexpr Index kMostAxes = 1024;
// Samples multiplied at once: they are read twice, the second time from the cache.
constexpr Index kScoredAtOnce = 256;
// Sums that are kept apart, so that threads have something to share and the order of adding is fixed.
constexpr Index kMostSums = 32;

}  // namespace

AxisSamples::AxisSamples(const SampleView& samples, const Execution& run, Index most_held)
    : samples_(samples) {
  const Index smaller = std::min(samples.rows(), samples.cols());
  if (smaller > 0 && smaller <= kMostAxes) {
    linalg::PrincipalSubspace all = linalg::principal_subspace({samples}, smaller, run);
    mean_ = std::move(all.mean);
    axes_ = std::move(all.basis);
    scatter_ = std::move(all.scatter);
  } else {
    FeatureMoments moments = fold(samples, run, FeatureMoments(samples.rows()));
    mean_ = std::move(moments.mean);
    scatter_ = moments.spread.cwiseAbs2();
  }
  if (scatter_.size() * samples.cols() > most_held) return;
  held_.resize(scatter_.size(), samples.cols());
  parallel_ranges(run, samples.cols(), kScoredAtOnce, [&](Index begin, Index length) {
    const Matrix centred = samples.columns(begin, length).colwise() - mean_;
    auto block = held_.middleCols(begin, length);
    if (axes_.cols() > 0) {
      linalg::gemm(Op::Transpose, Op::None, 1.0, axes_, centred, 0.0, block, 1);
    } else if (scatter_.size() > 0) {
      block = centred;
    }
  });
}

Matrix AxisSamples::by_features(const Matrix& parameters) const {
  const Index r = parameters.rows() - 1;
  Matrix result = Matrix::Zero(mean_.size() + 1, parameters.cols());
  if (axes_.cols() > 0) {
    result.topRows(mean_.size()) = axes_ * parameters.topRows(r);
  } else if (r > 0) {
    result.topRows(r) = parameters.topRows(r);
  }
  result.bottomRows(1) = parameters.bottomRows(1) - mean_.transpose() * result.topRows(mean_.size());
  return result;
}

Matrix AxisSamples::by_axes(const Matrix& by_features) const {
  const Index d = mean_.size();
  Matrix result(scatter_.size() + 1, by_features.cols());
  result.topRows(scatter_.size()) = on_axes(by_features.topRows(d));
  result.bottomRows(1) = by_features.bottomRows(1) + mean_.transpose() * by_features.topRows(d);
  return result;
}

Matrix AxisSamples::on_axes(const Matrix& directions) const {
  if (axes_.cols() > 0) return axes_.transpose() * directions;
  return directions.topRows(scatter_.size());
}

Matrix AxisSamples::sum_over(const Matrix& parameters, const Change& change, double* total,
                             const Execution& run) const {
  const bool held = held_.cols() > 0;
  const SampleView samples = held ? SampleView(held_) : samples_;
  const Matrix scoring = held ? parameters : by_features(parameters);
  const Index d = scoring.rows() - 1;
  const Index chunk = kScoredAtOnce * block_count(block_count(count(), kScoredAtOnce), kMostSums);
  const Index chunks = block_count(count(), chunk);
  std::vector<Matrix> sums(static_cast<std::size_t>(chunks), Matrix::Zero(d + 1, parameters.cols()));
  Vector totals = Vector::Zero(chunks);
  parallel_ranges(run, count(), chunk, [&](Index first, Index length) {
    Matrix& sum = sums[static_cast<std::size_t>(first / chunk)];
    for (Index begin = first; begin < first + length; begin += kScoredAtOnce) {
      run.look();
      const Columns block = samples.columns(begin, std::min(kScoredAtOnce, first + length - begin));
      Matrix scores = scoring.row(d).transpose().replicate(1, block.cols());
      if (d > 0) linalg::gemm(Op::Transpose, Op::None, 1.0, scoring.topRows(d), block, 1.0, scores, 1);
      totals[first / chunk] += change(begin, scores);
      if (d > 0) linalg::gemm(Op::None, Op::Transpose, 1.0, block, scores, 1.0, sum.topRows(d), 1);
      sum.row(d) += scores.rowwise().sum().transpose();
    }
  });
  if (total != nullptr) *total += totals.sum();
  Matrix sum = std::move(sums.front());
  for (std::size_t i = 1; i < sums.size(); ++i) sum += sums[i];
  if (held) return sum;
  Matrix along(scatter_.size() + 1, sum.cols());
  along.topRows(scatter_.size()) = on_axes(sum.topRows(d) - mean_ * sum.row(d));
  along.bottomRows(1) = sum.bottomRows(1);
  return along;
}

}  // namespace isthmus
