#include "samples/summaries.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "isthmus/errors.h"

namespace isthmus {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void require_dimension(Index own, Index given) {
  if (own == given) return;
  throw InvalidArgument(fmt::format(
      "a summary of samples with {} features cannot take in {} features; both need the same", own, given));
}

void write_place(SummaryWriter& record, const Extent::Place& place) {
  record.integer(place.sample);
  record.integer(place.feature);
  record.real(place.value);
}

Extent::Place read_place(SummaryReader& record) {
  const Index sample = record.integer();
  const Index feature = record.size();
  return {sample, feature, record.real()};
}

bool before(const Extent::Place& a, const Extent::Place& b) {
  return a.sample >= 0 && (b.sample < 0 || a.sample < b.sample);
}

bool larger(const Extent::Place& a, const Extent::Place& b) {
  if (a.sample < 0 || b.sample < 0) return b.sample < 0 && a.sample >= 0;
  return std::abs(a.value) > std::abs(b.value) ||
         (std::abs(a.value) == std::abs(b.value) && a.sample < b.sample);
}

/// Mixes the bits of a number, no two numbers into the same (the last step of splitmix64).
std::uint64_t mixed(std::uint64_t bits) {
  bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9ULL;
  bits = (bits ^ bits >> 27) * 0x94D049BB133111EBULL;
  return bits ^ bits >> 31;
}

std::uint64_t draw_hash(std::uint64_t seed, Index number) {
  return mixed(mixed(seed + 0x9E3779B97F4A7C15ULL) + static_cast<std::uint64_t>(number));
}

}  // namespace

Extent::Extent(Index dimension)
    : smallest(Vector::Constant(dimension, kInfinity)), greatest(Vector::Constant(dimension, -kInfinity)) {}

void Extent::add(const MatrixView& block, Index first) {
  require_dimension(smallest.size(), block.rows());
  Extent own(block.rows());
  own.count = block.cols();
  for (Index j = 0; j < block.cols(); ++j) {
    const auto sample = block.col(j);
    if (sample.allFinite()) {
      own.smallest = own.smallest.cwiseMin(sample);
      own.greatest = own.greatest.cwiseMax(sample);
      continue;
    }
    for (Index i = 0; i < sample.size(); ++i) {
      if (std::isfinite(sample[i])) {
        own.smallest[i] = std::min(own.smallest[i], sample[i]);
        own.greatest[i] = std::max(own.greatest[i], sample[i]);
      } else if (own.finite()) {
        own.not_finite = {first + j, i, sample[i]};
      }
    }
  }
  // The sample is looked for once the value is known: most blocks are read once.
  const Vector ends = (own.smallest.array() <= own.greatest.array()).select(own.magnitude(), -1.0);
  const double most = ends.size() > 0 ? ends.maxCoeff() : -1.0;
  for (Index j = 0; most >= 0 && own.largest.sample < 0 && j < block.cols(); ++j) {
    for (Index i = 0; i < block.rows() && own.largest.sample < 0; ++i) {
      if (std::abs(block(i, j)) == most) own.largest = {first + j, i, block(i, j)};
    }
  }
  merge(own);
}

void Extent::merge(const Extent& other) {
  require_dimension(smallest.size(), other.smallest.size());
  count += other.count;
  smallest = smallest.cwiseMin(other.smallest);
  greatest = greatest.cwiseMax(other.greatest);
  if (before(other.not_finite, not_finite)) not_finite = other.not_finite;
  if (larger(other.largest, largest)) largest = other.largest;
}

void Extent::require_finite(std::string_view whose) const {
  if (finite()) return;
  throw InvalidArgument(fmt::format(
      "the {} holds {} at sample {}, feature {} (both from 1); every value must be finite, not NaN or inf: "
      "remove the sample or fill the value in",
      whose, not_finite.value, not_finite.sample + 1, not_finite.feature + 1));
}

void Extent::write(std::string& bytes) const {
  SummaryWriter record(bytes, "extent", 1);
  record.integer(smallest.size());
  record.integer(count);
  record.reals(smallest);
  record.reals(greatest);
  write_place(record, not_finite);
  write_place(record, largest);
  record.finish();
}

void Extent::read(std::string_view& bytes) {
  SummaryReader record(bytes, "extent", 1);
  const Index dimension = record.size();
  count = record.size();
  smallest = record.reals(dimension, 1);
  greatest = record.reals(dimension, 1);
  not_finite = read_place(record);
  largest = read_place(record);
  record.finish();
}

void add_exactly(Vector& mean, Vector& rest, const Vector& more) {
  for (Index i = 0; i < mean.size(); ++i) {
    const double added = more[i] + rest[i];
    const double sum = mean[i] + added;
    // Knuth's two-sum; a sum that overflows has no rest.
    const double seen = sum - mean[i];
    const double lost = (mean[i] - (sum - seen)) + (added - seen);
    rest[i] = std::isfinite(lost) ? lost : 0.0;
    mean[i] = sum;
  }
}

FeatureMoments::FeatureMoments(Index dimension)
    : mean(Vector::Zero(dimension)), rest(Vector::Zero(dimension)), spread(Vector::Zero(dimension)) {}

void FeatureMoments::add(const MatrixView& block, Index /*first*/) {
  require_dimension(mean.size(), block.rows());
  if (block.cols() == 0) return;
  FeatureMoments own(block.rows());
  own.count = block.cols();
  const auto size = static_cast<double>(block.cols());
  Vector smallest = block.col(0);
  Vector greatest = block.col(0);
  Vector from_first = Vector::Zero(block.rows());
  for (Index j = 0; j < block.cols(); ++j) {
    smallest = smallest.cwiseMin(block.col(j));
    greatest = greatest.cwiseMax(block.col(j));
    from_first += block.col(j) - block.col(0);
  }
  own.mean = block.col(0);
  add_exactly(own.mean, own.rest, from_first / size);
  if (!own.mean.allFinite()) {
    own.mean = (block / size).rowwise().sum();
    own.rest.setZero();
  }
  // Rounding may leave the range; inside it a constant feature has exactly its own value as mean.
  own.mean = own.mean.cwiseMax(smallest).cwiseMin(greatest);
  const Vector unit = (greatest - smallest).unaryExpr([](double width) {
    return width > 0 && std::isfinite(width) ? std::exp2(std::ilogb(width)) : 1.0;
  });
  for (Index j = 0; j < block.cols(); ++j) {
    own.spread += (block.col(j) - own.mean).cwiseQuotient(unit).cwiseAbs2();
  }
  own.spread = own.spread.cwiseSqrt().cwiseProduct(unit);
  merge(own);
}

void FeatureMoments::merge(const FeatureMoments& other) {
  require_dimension(mean.size(), other.mean.size());
  if (other.count == 0) return;
  if (count == 0) {
    *this = other;
    return;
  }
  const auto all = static_cast<double>(count + other.count);
  const double share = static_cast<double>(other.count) / all;
  const double between = std::sqrt(static_cast<double>(count) * share);
  const Vector step = (other.mean - mean) + (other.rest - rest);
  for (Index i = 0; i < mean.size(); ++i) {
    spread[i] = std::hypot(spread[i], other.spread[i], between * step[i]);
  }
  add_exactly(mean, rest, step * share);
  count += other.count;
}

Vector FeatureMoments::deviation() const {
  return spread / std::sqrt(static_cast<double>(std::max<Index>(count, 1)));
}

void FeatureMoments::write(std::string& bytes) const {
  SummaryWriter record(bytes, "features", 1);
  record.integer(mean.size());
  record.integer(count);
  record.reals(mean);
  record.reals(rest);
  record.reals(spread);
  record.finish();
}

void FeatureMoments::read(std::string_view& bytes) {
  SummaryReader record(bytes, "features", 1);
  const Index dimension = record.size();
  count = record.size();
  mean = record.reals(dimension, 1);
  rest = record.reals(dimension, 1);
  spread = record.reals(dimension, 1);
  record.finish();
}

ClassSums::ClassSums(Index dimension, Index classes, std::span<const int> labels, Index labels_first)
    : sums(Matrix::Zero(dimension, classes)),
      counts(Vector::Zero(classes)),
      labels_(labels),
      labels_first_(labels_first) {}

void ClassSums::add(const MatrixView& block, Index first) {
  require_dimension(sums.rows(), block.rows());
  const Index begin = first - labels_first_;
  if (begin < 0 || begin + block.cols() > static_cast<Index>(labels_.size())) {
    throw InvalidArgument(
        fmt::format("class sums: samples {} … {} (from 0) have no labels; one label a sample is needed",
                    first, first + block.cols() - 1));
  }
  for (Index j = 0; j < block.cols(); ++j) {
    const int label = labels_[static_cast<std::size_t>(begin + j)];
    if (label < 0 || label >= counts.size()) {
      throw InvalidArgument(fmt::format("class sums: sample {} (from 1) has the label {}; expected 0 … {}",
                                        first + j + 1, label, counts.size() - 1));
    }
    sums.col(label) += block.col(j);
    counts[label] += 1.0;
  }
}

void ClassSums::merge(const ClassSums& other) {
  require_dimension(sums.rows(), other.sums.rows());
  if (counts.size() != other.counts.size()) {
    throw InvalidArgument(
        fmt::format("class sums of {} and {} classes cannot be merged; both need the same classes",
                    counts.size(), other.counts.size()));
  }
  sums += other.sums;
  counts += other.counts;
}

Matrix ClassSums::means() const {
  return sums * counts.cwiseMax(1.0).cwiseInverse().asDiagonal();
}

void ClassSums::write(std::string& bytes) const {
  SummaryWriter record(bytes, "classes", 1);
  record.integer(sums.rows());
  record.integer(sums.cols());
  record.reals(sums);
  record.reals(counts);
  record.finish();
}

void ClassSums::read(std::string_view& bytes) {
  SummaryReader record(bytes, "classes", 1);
  const Index dimension = record.size();
  const Index classes = record.size();
  sums = record.reals(dimension, classes);
  counts = record.reals(classes, 1);
  record.finish();
}

Draw::Draw(Index dimension, Index wanted, std::uint64_t seed)
    : dimension_(dimension), wanted_(wanted), seed_(seed) {
  if (wanted < 0) throw InvalidArgument(fmt::format("a draw of {} samples; expected at least 0", wanted));
}

void Draw::add(const MatrixView& block, Index first) {
  require_dimension(dimension_, block.rows());
  Draw own(dimension_, wanted_, seed_);
  const bool full = static_cast<Index>(drawn_.size()) == wanted_ && wanted_ > 0;
  for (Index j = 0; j < block.cols(); ++j) {
    const std::uint64_t hash = draw_hash(seed_, first + j);
    if (!full || hash < drawn_.back().hash) own.drawn_.push_back({hash, first + j, {}});
  }
  std::sort(own.drawn_.begin(), own.drawn_.end());
  own.keep_wanted();
  for (Drawn& one : own.drawn_) one.sample = block.col(one.number - first);
  merge(own);
}

void Draw::merge(const Draw& other) {
  require_dimension(dimension_, other.dimension_);
  if (wanted_ != other.wanted_ || seed_ != other.seed_) {
    throw InvalidArgument(fmt::format(
        "draws of {} samples with seed {} and of {} with seed {} cannot be merged; both need the same",
        wanted_, seed_, other.wanted_, other.seed_));
  }
  const auto own = static_cast<std::ptrdiff_t>(drawn_.size());
  drawn_.insert(drawn_.end(), other.drawn_.begin(), other.drawn_.end());
  std::inplace_merge(drawn_.begin(), drawn_.begin() + own, drawn_.end());
  keep_wanted();
}

void Draw::keep_wanted() {
  if (static_cast<Index>(drawn_.size()) > wanted_) drawn_.erase(drawn_.begin() + wanted_, drawn_.end());
}

std::vector<Index> Draw::numbers() const {
  std::vector<Index> numbers;
  for (const Drawn& one : drawn_) numbers.push_back(one.number);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

Matrix Draw::samples() const {
  const std::vector<Index> order = numbers();
  Matrix samples(dimension_, static_cast<Index>(order.size()));
  for (const Drawn& one : drawn_) {
    samples.col(std::lower_bound(order.begin(), order.end(), one.number) - order.begin()) = one.sample;
  }
  return samples;
}

void Draw::write(std::string& bytes) const {
  SummaryWriter record(bytes, "draw", 1);
  record.integer(dimension_);
  record.integer(wanted_);
  record.integer(static_cast<std::int64_t>(seed_));
  record.integer(static_cast<std::int64_t>(drawn_.size()));
  for (const Drawn& one : drawn_) {
    record.integer(one.number);
    record.reals(one.sample);
  }
  record.finish();
}

void Draw::read(std::string_view& bytes) {
  SummaryReader record(bytes, "draw", 1);
  dimension_ = record.size();
  wanted_ = record.size();
  seed_ = static_cast<std::uint64_t>(record.integer());
  const Index count = record.size();
  if (count > wanted_) record.refuse("they hold more samples than were wanted");
  drawn_.clear();
  for (Index i = 0; i < count; ++i) {
    const Index number = record.size();
    drawn_.push_back({draw_hash(seed_, number), number, record.reals(dimension_, 1)});
    if (i > 0 && !(drawn_[drawn_.size() - 2] < drawn_.back()))
      record.refuse("their samples are out of order");
  }
  record.finish();
}

std::vector<Index> draw_numbers(Index count, Index wanted, std::uint64_t seed) {
  // A draw of samples without features, so that both keep to one rule.
  Draw draw(0, wanted, seed);
  for (Index first = 0; first < count; first += kFoldBlock) {
    draw.add(Matrix(0, std::min(kFoldBlock, count - first)), first);
  }
  return draw.numbers();
}

}  // namespace isthmus
