#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "samples/fold.h"

namespace isthmus {

/// Between which values the features lie, and whether all are numbers.
struct Extent {
  explicit Extent(Index dimension);
  void add(const MatrixView& block, Index first);
  void merge(const Extent& other);
  void write(std::string& bytes) const;
  void read(std::string_view& bytes);

  bool finite() const { return not_finite.sample < 0; }
  /// Whether every sample is the same.
  bool constant() const { return finite() && smallest == greatest; }
  /// By feature, the larger of both ends' magnitudes.
  Vector magnitude() const { return smallest.cwiseAbs().cwiseMax(greatest.cwiseAbs()); }
  /// Throws InvalidArgument on a value that is NaN or infinite, with its place: "the target holds nan at
  /// sample 3, feature 2".
  void require_finite(std::string_view whose) const;

  struct Place {
    Index sample = -1;  ///< none
    Index feature = 0;
    double value = 0;
  };
  Index count = 0;
  Vector smallest;        ///< by feature, of the finite values; +∞ where there are none
  Vector greatest;        ///< −∞ where there are none
  Place not_finite = {};  ///< the first NaN or infinity
  Place largest = {};     ///< the first of the largest magnitude
};

/// Adds to means that are held with what rounding took from them (mean + rest). Means of blocks are rounded
/// alike only where they are equal: without the rest, merging what varies little beside its mean would lose
/// digits.
void add_exactly(Vector& mean, Vector& rest, const Vector& more);

/// Mean and spread of every feature by itself. Nothing is squared in the features' own unit: values of any
/// size are told apart alike.
struct FeatureMoments {
  explicit FeatureMoments(Index dimension);
  void add(const MatrixView& block, Index first);
  void merge(const FeatureMoments& other);
  void write(std::string& bytes) const;
  void read(std::string_view& bytes);

  /// Population standard deviations.
  Vector deviation() const;

  Index count = 0;
  Vector mean;    ///< of equal values exactly their value
  Vector rest;    ///< what rounding took from it
  Vector spread;  ///< the root of the summed squares around the mean
};

/// Sums and numbers of the samples of each class.
struct ClassSums {
  /// `labels` are those of the samples from number `labels_first` on, in [0, classes); they must outlive
  /// whatever is added.
  ClassSums(Index dimension, Index classes, std::span<const int> labels, Index labels_first = 0);
  void add(const MatrixView& block, Index first);
  void merge(const ClassSums& other);
  void write(std::string& bytes) const;
  void read(std::string_view& bytes);

  /// d×C; the column of a class without samples is zero.
  Matrix means() const;

  Matrix sums;    ///< d×C
  Vector counts;  ///< C

 private:
  std::span<const int> labels_;
  Index labels_first_;
};

/// Some samples at random: those whose numbers have the smallest hashes, whatever blocks, threads or machines
/// the samples came by.
struct Draw {
  Draw(Index dimension, Index wanted, std::uint64_t seed);
  void add(const MatrixView& block, Index first);
  void merge(const Draw& other);
  void write(std::string& bytes) const;
  void read(std::string_view& bytes);

  std::vector<Index> numbers() const;  ///< ascending
  Matrix samples() const;              ///< in the order of their numbers

 private:
  struct Drawn {
    std::uint64_t hash;
    Index number;
    Vector sample;
    auto operator<=>(const Drawn& other) const { return hash <=> other.hash; }
  };
  void keep_wanted();

  Index dimension_;
  Index wanted_;
  std::uint64_t seed_;
  std::vector<Drawn> drawn_;  ///< by their hashes
};

/// The numbers that a Draw of `count` samples has, ascending; all where no more are wanted.
std::vector<Index> draw_numbers(Index count, Index wanted, std::uint64_t seed);

/// Several summaries of one read.
template <class... Parts>
struct Together {
  explicit Together(Parts... empty) : parts(std::move(empty)...) {}

  void add(const MatrixView& block, Index first, const Execution& run) {
    std::apply([&](Parts&... part) { (add_block(part, block, first, run), ...); }, parts);
  }
  bool divides_blocks() const {
    return std::apply([](const Parts&... part) { return (isthmus::divides_blocks(part) || ...); }, parts);
  }
  void merge(const Together& other) { (get<Parts>().merge(other.get<Parts>()), ...); }
  void write(std::string& bytes) const { (get<Parts>().write(bytes), ...); }
  void read(std::string_view& bytes) { (get<Parts>().read(bytes), ...); }

  template <class Part>
  Part& get() {
    return std::get<Part>(parts);
  }
  template <class Part>
  const Part& get() const {
    return std::get<Part>(parts);
  }

  std::tuple<Parts...> parts;
};

/// The summary of what `map`, which must outlive it, makes of the samples: map(block, number of its first).
template <class Map, class Summary>
struct Mapped {
  Mapped(const Map& mapping, Summary empty) : map(&mapping), of(std::move(empty)) {}

  void add(const MatrixView& block, Index first, const Execution& run) {
    add_block(of, (*map)(block, first), first, run);
  }
  void merge(const Mapped& other) { of.merge(other.of); }

  const Map* map;
  Summary of;
};

}  // namespace isthmus
