#pragma once

#include <Eigen/QR>
#include <algorithm>
#include <numeric>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include "isthmus/adapt.h"
#include "random_data.h"

namespace isthmus {

/// For the messages of tests that take a request as their parameter.
inline void PrintTo(const AdaptRequest& request, std::ostream* out) {
  *out << request.method;
  for (const auto& [name, value] : request.options) *out << ' ' << name << '=' << value;
}

}  // namespace isthmus

namespace isthmus::testing {

/// A random order of 0 … count−1.
inline std::vector<Index> random_order(Index count, std::uint64_t seed) {
  std::vector<Index> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), Index{0});
  std::shuffle(order.begin(), order.end(), std::mt19937_64(seed));
  return order;
}

/// Columns (and names) in another order.
inline Matrix reordered(const Matrix& columns, const std::vector<Index>& order) {
  return columns(Eigen::all, order);
}
template <class T>
std::vector<T> reordered(const std::vector<T>& items, const std::vector<Index>& order) {
  std::vector<T> result;
  for (const Index i : order) result.push_back(items[static_cast<std::size_t>(i)]);
  return result;
}

/// A problem with known answer: Gaussian classes; the target is shifted and a little turned.
struct ToyDomains {
  Matrix source;
  Matrix target;
  std::vector<std::string> source_names;
  std::vector<std::string> target_names;

  DomainPair pair() const {
    return {{source, encode_labels(source_names)}, {target, encode_labels(target_names)}};
  }

  /// The same samples in other orders.
  ToyDomains in_order(const std::vector<Index>& source_order, const std::vector<Index>& target_order) const {
    return {reordered(source, source_order), reordered(target, target_order),
            reordered(source_names, source_order), reordered(target_names, target_order)};
  }
};

inline ToyDomains toy_domains(Index dimension, Index per_class, int classes, std::uint64_t seed) {
  const Matrix centres = 3.0 * random_matrix(dimension, classes, seed);
  const Vector shift = 0.5 * random_matrix(dimension, 1, seed + 1);
  ToyDomains toy;
  const Index count = per_class * classes;
  toy.source = random_matrix(dimension, count, seed + 2);
  toy.target = random_matrix(dimension, count, seed + 3);
  for (Index i = 0; i < count; ++i) {
    const int c = static_cast<int>(i % classes);
    toy.source.col(i) += centres.col(c);
    toy.target.col(i) += 1.1 * centres.col(c) + shift;
    toy.source_names.push_back("class" + std::to_string(c));
    toy.target_names.push_back("class" + std::to_string(c));
  }
  return toy;
}

inline std::vector<int> labels_of(const ToyDomains& toy, const AdaptRequest& request) {
  return adapt(toy.pair(), request).target().labels;
}

/// An orthogonal matrix.
inline Matrix random_rotation(Index size, std::uint64_t seed) {
  const Matrix values = random_matrix(size, size, seed);
  return Eigen::HouseholderQR<Matrix>(values).householderQ();
}

}  // namespace isthmus::testing
