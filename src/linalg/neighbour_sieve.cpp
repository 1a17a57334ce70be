#include "linalg/neighbour_sieve.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace isthmus::linalg {
namespace {

// Samples by which the centre and the scale are chosen. Any choice would be right; a good one leaves fewer
// near-ties to recheck.
constexpr Index kSamples = 33;

/// The largest entry, after scaling, that enters a product: its square times the features stays in range.
template <class Real>
constexpr double kLargest = 0x1p480;
template <>
constexpr double kLargest<float> = 0x1p50;

Index sample(Index s, Index count, Index references) {
  return s * references / count;
}

double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double largest_magnitude(const Vector& sample) {
  return sample.size() == 0 ? 0.0 : sample.cwiseAbs().maxCoeff();
}

}  // namespace

Vector central_point(const MatrixView& references) {
  const Index count = std::min(kSamples, references.cols());
  std::vector<double> values(static_cast<std::size_t>(count));
  Vector centre(references.rows());
  for (Index i = 0; i < references.rows(); ++i) {
    for (Index s = 0; s < count; ++s) {
      values[static_cast<std::size_t>(s)] = references(i, sample(s, count, references.cols()));
    }
    const double middle = median(values);
    centre[i] = std::abs(middle) < kLargest<double> ? middle : 0.0;
  }
  return centre;
}

double usual_scale(const MatrixView& references, const Vector& centre) {
  constexpr int kMostExponent = 1000;
  const Index count = std::min(kSamples, references.cols());
  std::vector<double> sizes;
  for (Index s = 0; s < count && centre.size() > 0; ++s) {
    const double size = (references.col(sample(s, count, references.cols())) - centre).cwiseAbs().maxCoeff();
    if (size > 0 && std::isfinite(size)) sizes.push_back(size);
  }
  if (sizes.empty()) return 1.0;
  return std::ldexp(1.0, std::clamp(-std::ilogb(median(sizes)), -kMostExponent, kMostExponent));
}

template <class Real>
Sieve<Real>::Sieve(const MatrixView& references)
    : centre_(central_point(references)),
      scale_(usual_scale(references, centre_)),
      unit_(static_cast<double>(references.rows() + 8) *
            static_cast<double>(std::numeric_limits<Real>::epsilon())),
      extended_(references.rows() + 1, references.cols()),
      slack_(references.cols()) {
  const Index d = references.rows();
  Vector scaled(d);
  for (Index j = 0; j < references.cols(); ++j) {
    auto column = extended_.col(j);
    scaled = scale_ * (references.col(j) - centre_);
    if (!(largest_magnitude(scaled) <= kLargest<Real>)) {
      column.setZero();
      column[d] = std::numeric_limits<Real>::lowest();
      slack_[j] = kInfinity;
      continue;
    }
    const double norm = scaled.squaredNorm();
    column.head(d) = (-2.0 * scaled).template cast<Real>();
    column[d] = static_cast<Real>(norm * (1.0 - 3.0 * unit_));
    slack_[j] = 6.0 * unit_ * norm;
  }
}

template <class Real>
double Sieve<Real>::extend(const Eigen::Ref<const Vector>& query,
                           Eigen::Ref<Eigen::Matrix<Real, Eigen::Dynamic, 1>> column) const {
  const Index d = query.size();
  const Vector scaled = scale_ * (query - centre_);
  column[d] = Real(1);
  if (!(largest_magnitude(scaled) <= kLargest<Real>)) {
    column.head(d).setZero();
    return kInfinity;
  }
  column.head(d) = scaled.template cast<Real>();
  // What underflows is less than the smallest normal number, and is multiplied by an entry at most.
  const double underflow = 4.0 * static_cast<double>(d + 8) *
                           static_cast<double>(std::numeric_limits<Real>::min()) * kLargest<Real>;
  return 4.0 * unit_ * scaled.squaredNorm() + underflow;
}

template class Sieve<float>;
template class Sieve<double>;

}  // namespace isthmus::linalg
