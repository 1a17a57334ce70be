#include "linalg/moments.h"

#include <fmt/format.h>

#include "isthmus/errors.h"
#include "linalg/blas.h"
#include "samples/summaries.h"

namespace isthmus::linalg {
namespace {

// Samples centred at once, in the cache.
constexpr Index kCentredAtOnce = 512;

void require_equal_dimension(Index own, Index given) {
  if (own == given) return;
  throw InvalidArgument(fmt::format(
      "moments of samples with {} features cannot take in {} features; both need the same", own, given));
}

}  // namespace

Moments::Moments(Index dimension)
    : mean(Vector::Zero(dimension)),
      rest(Vector::Zero(dimension)),
      lower(Matrix::Zero(dimension, dimension)) {}

bool Moments::divides_blocks() const {
  return mean.size() > kManyFeatures;
}

void Moments::add(const MatrixView& block, Index /*first*/, const Execution& run) {
  require_equal_dimension(mean.size(), block.rows());
  if (block.cols() == 0) return;
  Moments own(block.rows());
  own.count = block.cols();
  // About the first sample, so that equal values have exactly their value as mean.
  Vector from_first = Vector::Zero(block.rows());
  for (Index j = 1; j < block.cols(); ++j) from_first += block.col(j) - block.col(0);
  own.mean = block.col(0);
  add_exactly(own.mean, own.rest, from_first / static_cast<double>(block.cols()));
  for (Index begin = 0; begin < block.cols(); begin += kCentredAtOnce) {
    const Index length = std::min(kCentredAtOnce, block.cols() - begin);
    add_gram(block.middleCols(begin, length).colwise() - own.mean, own.lower, run);
  }
  if (count == 0) {
    std::swap(*this, own);
  } else {
    merge(own);
  }
}

void Moments::merge(const Moments& other) {
  require_equal_dimension(mean.size(), other.mean.size());
  if (other.count == 0) return;
  if (count == 0) {
    *this = other;
    return;
  }
  const auto all = static_cast<double>(count + other.count);
  const double share = static_cast<double>(other.count) / all;
  const double weight = static_cast<double>(count) * share;
  const Vector step = (other.mean - mean) + (other.rest - rest);
  for (Index j = 0; j < lower.cols(); ++j) {
    const Index below = lower.rows() - j;
    lower.col(j).tail(below) += other.lower.col(j).tail(below) + (weight * step[j]) * step.tail(below);
  }
  add_exactly(mean, rest, share * step);
  count += other.count;
}

void Moments::write(std::string& bytes) const {
  SummaryWriter record(bytes, "moments", 1);
  record.integer(mean.size());
  record.integer(count);
  record.reals(mean);
  record.reals(rest);
  for (Index j = 0; j < lower.cols(); ++j) record.reals(lower.col(j).tail(lower.rows() - j));
  record.finish();
}

void Moments::read(std::string_view& bytes) {
  SummaryReader record(bytes, "moments", 1);
  const Index dimension = record.size();
  count = record.size();
  mean = record.reals(dimension, 1);
  rest = record.reals(dimension, 1);
  // Each column is checked against what is left before the square of the dimension is allocated.
  if (static_cast<std::size_t>(dimension) * (static_cast<std::size_t>(dimension) + 1) / 2 * sizeof(double) !=
      record.rest().size())
    record.refuse("their content has another size than that of their features");
  lower = Matrix::Zero(dimension, dimension);
  for (Index j = 0; j < dimension; ++j) lower.col(j).tail(dimension - j) = record.reals(dimension - j, 1);
  record.finish();
}

bool GramSum::divides_blocks() const {
  return lower.rows() > kManyFeatures;
}

void GramSum::add(const MatrixView& block, Index /*first*/, const Execution& run) {
  add_gram(block, lower, run);
}

}  // namespace isthmus::linalg
