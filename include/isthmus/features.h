#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "isthmus/matrix.h"

namespace isthmus {

/// Some samples in double (d×m): a view of the memory that holds them so, or else a copy that lives as long
/// as this does. Used like the Eigen map it is.
class Columns : public Eigen::Map<const Matrix, Eigen::Unaligned, Eigen::OuterStride<>> {
 public:
  Columns(const double* data, Index rows, Index columns, Index stride,
          std::shared_ptr<const void> held = nullptr)
      : Map(data, rows, columns, Eigen::OuterStride<>(stride)), held_(std::move(held)) {}

 private:
  std::shared_ptr<const void> held_;
};

/// How stored values become doubles: `count` of them, `stride` bytes apart.
using LoadValues = void (*)(const std::byte* from, std::ptrdiff_t stride, Index count, double* to);

/// Samples as they lie in memory or in a mapped file, in any type and either order.
struct StoredFeatures {
  const std::byte* data = nullptr;
  Index dimension = 0;
  Index count = 0;
  std::ptrdiff_t feature_stride = 0;            ///< bytes from one feature of a sample to the next
  std::ptrdiff_t sample_stride = 0;             ///< bytes from one sample to the next
  LoadValues load = nullptr;                    ///< empty: the values are doubles, aligned as such
  std::shared_ptr<const void> owner = nullptr;  ///< keeps the memory alive
  /// Called with a part that has been read and is not needed soon, so that a mapped file gives its pages
  /// back.
  void (*forget)(const void* owner, const std::byte* from, std::size_t bytes) = nullptr;
};

/// Immutable d×n features with shared ownership: doubles owned here, or values borrowed from memory that an
/// owner keeps alive (a NumPy array, a mapped file). What is not double is held as it is stored and becomes
/// double when it is read, block by block. Copies share the memory.
class FeatureMatrix {
 public:
  FeatureMatrix() = default;
  FeatureMatrix(Matrix values);  // NOLINT(google-explicit-constructor): a Matrix is a FeatureMatrix
  FeatureMatrix(const double* data, Index dimension, Index count, std::shared_ptr<const void> owner);
  FeatureMatrix(const float* data, Index dimension, Index count, std::shared_ptr<const void> owner);
  explicit FeatureMatrix(StoredFeatures stored);

  Index dimension() const { return stored_.dimension; }
  Index count() const { return stored_.count; }

  /// Samples begin … begin+length−1 in double.
  Columns columns(Index begin, Index length) const;
  /// All samples in double: of features not held so, a copy.
  Columns view() const { return columns(0, count()); }

  /// The values as a matrix that may be changed: moved out when nobody shares them, copied otherwise.
  Matrix release() &&;

  /// Changes samples (d×m) in place, the first of which has that number.
  using Preparation = std::function<void(Eigen::Ref<Matrix> samples, Index first)>;
  /// The same features, each block changed when it is read.
  FeatureMatrix prepared(Preparation step) const;
  /// The same features in another order: feature i of the result is feature order[i] of these. Features that
  /// stream are put in order as they are read.
  FeatureMatrix reordered(const std::vector<Index>& order) &&;
  /// Whether reading makes doubles out of something smaller, or reads a mapped file: then features are better
  /// prepared as they are read than copied and changed.
  bool streams() const { return stored_.load != nullptr || stored_.forget != nullptr; }

 private:
  bool plain() const;

  std::shared_ptr<Matrix> values_;
  StoredFeatures stored_;
  std::vector<Preparation> steps_;
};

/// Samples that a function reads block by block: a matrix or FeatureMatrix of the caller's, which must
/// outlive it, or an expression, which is evaluated. Takes the place of a MatrixView where samples may not
/// all fit in memory as doubles.
class SampleView {
 public:
  SampleView(const FeatureMatrix& features)  // NOLINT(google-explicit-constructor): a view, like MatrixView
      : features_(&features), rows_(features.dimension()), cols_(features.count()) {}
  template <class Derived>
  SampleView(const Eigen::MatrixBase<Derived>& matrix)  // NOLINT(google-explicit-constructor): as above
      : rows_(matrix.rows()), cols_(matrix.cols()) {
    constexpr bool kInMemory = (Derived::Flags & Eigen::DirectAccessBit) != 0 && !bool(Derived::IsRowMajor);
    if constexpr (kInMemory && Derived::InnerStrideAtCompileTime == 1) {
      data_ = matrix.derived().data();
      stride_ = matrix.derived().outerStride();
    } else {
      evaluated_ = std::make_shared<const Matrix>(matrix);
      data_ = evaluated_->data();
      stride_ = rows_;
    }
  }

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  Columns columns(Index begin, Index length) const;
  /// Samples begin … begin+length−1 as a view of their own, nothing read yet.
  SampleView range(Index begin, Index length) const;
  Columns all() const { return columns(0, cols_); }
  Columns sample(Index number) const { return columns(number, 1); }
  /// Chosen samples, as a matrix.
  Matrix pick(const std::vector<Index>& numbers) const;

 private:
  const FeatureMatrix* features_ = nullptr;
  Index first_ = 0;  ///< of the view in the features
  const double* data_ = nullptr;
  Index stride_ = 0;
  Index rows_ = 0;
  Index cols_ = 0;
  std::shared_ptr<const Matrix> evaluated_;
};

}  // namespace isthmus
