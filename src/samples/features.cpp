#include "isthmus/features.h"

#include <algorithm>
#include <cstring>

namespace isthmus {
namespace {

// Samples whose features lie apart are turned so many at a time, while they are in the cache.
constexpr Index kTurnedAtOnce = 64;

template <class T>
void load_values(const std::byte* from, std::ptrdiff_t stride, Index count, double* to) {
  const auto load_at = [&](std::ptrdiff_t step) {
    for (Index i = 0; i < count; ++i) {
      T value;
      std::memcpy(&value, from + i * step, sizeof(T));
      to[i] = static_cast<double>(value);
    }
  };
  // With the step known the loop is vectorised.
  if (stride == sizeof(T)) return load_at(sizeof(T));
  load_at(stride);
}

/// Samples begin … begin+length−1 as doubles.
Matrix load_columns(const StoredFeatures& stored, Index begin, Index length) {
  const LoadValues load = stored.load != nullptr ? stored.load : load_values<double>;
  const std::byte* const from = stored.data + begin * stored.sample_stride;
  Matrix columns(stored.dimension, length);
  if (stored.feature_stride < stored.sample_stride) {
    for (Index j = 0; j < length; ++j) {
      load(from + j * stored.sample_stride, stored.feature_stride, stored.dimension, columns.col(j).data());
    }
    return columns;
  }
  Matrix turned(kTurnedAtOnce, stored.dimension);
  for (Index first = 0; first < length; first += kTurnedAtOnce) {
    const Index count = std::min(kTurnedAtOnce, length - first);
    for (Index i = 0; i < stored.dimension; ++i) {
      load(from + first * stored.sample_stride + i * stored.feature_stride, stored.sample_stride, count,
           turned.col(i).data());
    }
    columns.middleCols(first, count) = turned.topRows(count).transpose();
  }
  return columns;
}

/// Tells the owner of the memory that these samples have been read.
void forget(const StoredFeatures& stored, Index begin, Index length) {
  if (stored.forget == nullptr || length == 0) return;
  const std::byte* const from = stored.data + begin * stored.sample_stride;
  if (stored.feature_stride < stored.sample_stride) {
    stored.forget(stored.owner.get(), from, static_cast<std::size_t>(length * stored.sample_stride));
    return;
  }
  for (Index i = 0; i < stored.dimension; ++i) {
    stored.forget(stored.owner.get(), from + i * stored.feature_stride,
                  static_cast<std::size_t>(length * stored.sample_stride));
  }
}

template <class T>
StoredFeatures sample_by_sample(const T* data, Index dimension, Index count,
                                std::shared_ptr<const void> owner) {
  constexpr auto kBytes = static_cast<std::ptrdiff_t>(sizeof(T));
  StoredFeatures stored{reinterpret_cast<const std::byte*>(data), dimension, count, kBytes,
                        dimension * kBytes};
  stored.owner = std::move(owner);
  return stored;
}

}  // namespace

FeatureMatrix::FeatureMatrix(Matrix values)
    : values_(std::make_shared<Matrix>(std::move(values))),
      stored_(sample_by_sample(values_->data(), values_->rows(), values_->cols(), nullptr)) {}

FeatureMatrix::FeatureMatrix(const double* data, Index dimension, Index count,
                             std::shared_ptr<const void> owner)
    : stored_(sample_by_sample(data, dimension, count, std::move(owner))) {}

FeatureMatrix::FeatureMatrix(const float* data, Index dimension, Index count,
                             std::shared_ptr<const void> owner)
    : stored_(sample_by_sample(data, dimension, count, std::move(owner))) {
  stored_.load = load_values<float>;
}

FeatureMatrix::FeatureMatrix(StoredFeatures stored) : stored_(std::move(stored)) {}

bool FeatureMatrix::plain() const {
  return stored_.load == nullptr && stored_.feature_stride == sizeof(double) &&
         stored_.sample_stride == stored_.dimension * stored_.feature_stride && steps_.empty();
}

Columns FeatureMatrix::columns(Index begin, Index length) const {
  if (plain()) {
    std::shared_ptr<const void> held = stored_.owner;
    if (stored_.forget != nullptr) {
      held = std::shared_ptr<const void>(
          nullptr, [stored = stored_, begin, length](const void*) { forget(stored, begin, length); });
    }
    return {reinterpret_cast<const double*>(stored_.data + begin * stored_.sample_stride), stored_.dimension,
            length, stored_.dimension, std::move(held)};
  }
  auto copy = std::make_shared<Matrix>(load_columns(stored_, begin, length));
  forget(stored_, begin, length);
  for (const Preparation& step : steps_) step(*copy, begin);
  const double* const data = copy->data();
  return {data, stored_.dimension, length, stored_.dimension, std::move(copy)};
}

Matrix FeatureMatrix::release() && {
  Matrix values;
  if (values_ && values_.use_count() == 1 && steps_.empty()) {
    values = std::move(*values_);
  } else {
    values = view();
  }
  *this = FeatureMatrix();
  return values;
}

FeatureMatrix FeatureMatrix::prepared(Preparation step) const {
  FeatureMatrix changed = *this;
  changed.steps_.push_back(std::move(step));
  return changed;
}

FeatureMatrix FeatureMatrix::reordered(const std::vector<Index>& order) && {
  const auto put_in_order = [order](Eigen::Ref<Matrix> samples, Index /*first*/) {
    Vector sample(samples.rows());
    for (Index j = 0; j < samples.cols(); ++j) {
      for (std::size_t i = 0; i < order.size(); ++i) sample[static_cast<Index>(i)] = samples(order[i], j);
      samples.col(j) = sample;
    }
  };
  if (streams()) return prepared(put_in_order);
  Matrix values = std::move(*this).release();
  put_in_order(values, 0);
  return values;
}

Columns SampleView::columns(Index begin, Index length) const {
  if (features_ != nullptr) return features_->columns(first_ + begin, length);
  return {data_ + begin * stride_, rows_, length, stride_};
}

SampleView SampleView::range(Index begin, Index length) const {
  SampleView part = *this;
  part.first_ += begin;
  part.data_ += begin * stride_;
  part.cols_ = length;
  return part;
}

Matrix SampleView::pick(const std::vector<Index>& numbers) const {
  Matrix picked(rows_, static_cast<Index>(numbers.size()));
  Index at = 0;
  for (const Index number : numbers) picked.col(at++) = sample(number);
  return picked;
}

}  // namespace isthmus
