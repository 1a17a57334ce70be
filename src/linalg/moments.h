#pragma once

#include <string>
#include <string_view>

#include "isthmus/execution.h"
#include "isthmus/features.h"
#include "isthmus/matrix.h"

namespace isthmus::linalg {

/// Number, mean and scatter Σ (x − m)(x − m)ᵀ of samples, for `fold`. Each block is centred about its own
/// mean before it is squared, and merged by what Chan, Golub & LeVeque (1979) found for it: no pass for the
/// mean comes before, and what varies little beside a large mean keeps its digits.
struct Moments {
  explicit Moments(Index dimension);
  void add(const MatrixView& block, Index first, const Execution& run);
  void merge(const Moments& other);
  bool divides_blocks() const;
  void write(std::string& bytes) const;
  void read(std::string_view& bytes);

  /// Both triangles of the scatter matrix.
  Matrix scatter() const { return lower.selfadjointView<Eigen::Lower>(); }
  double total() const { return lower.trace(); }

  Index count = 0;
  Vector mean;   ///< of equal samples exactly their value
  Vector rest;   ///< what rounding took from it
  Matrix lower;  ///< the scatter's lower triangle, zeros above
};

/// The same about the origin: X Xᵀ.
struct GramSum {
  explicit GramSum(Index dimension) : lower(Matrix::Zero(dimension, dimension)) {}
  void add(const MatrixView& block, Index first, const Execution& run);
  void merge(const GramSum& other) { lower += other.lower; }
  bool divides_blocks() const;

  Matrix lower;  ///< its lower triangle
};

}  // namespace isthmus::linalg
