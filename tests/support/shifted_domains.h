#pragma once

#include <cmath>

#include "toy_domains.h"

/// Problems on which 1-NN is wrong for a known reason, so that only what a method does about it gives the
/// right labels. Each is drawn from a seed, the directions of its features included.
namespace isthmus::testing {

/// Four classes at the corners of a tetrahedron in the first three directions, noise in all of them.
inline ToyDomains four_classes(Index dimension, Index per_class, double noise, std::uint64_t seed) {
  Matrix corners(3, 4);
  corners << 1, 1, -1, -1, 1, -1, 1, -1, 1, -1, -1, 1;
  ToyDomains toy;
  const Index count = 4 * per_class;
  toy.source = noise * random_matrix(dimension, count, seed);
  toy.target = noise * random_matrix(dimension, count, seed + 1);
  for (Index i = 0; i < count; ++i) {
    toy.source.col(i).head(3) += 1.5 * corners.col(i % 4);
    toy.target.col(i).head(3) += 1.5 * corners.col(i % 4);
    toy.source_names.push_back("class" + std::to_string(i % 4));
    toy.target_names.push_back("class" + std::to_string(i % 4));
  }
  return toy;
}

/// Both domains along other axes.
inline ToyDomains along_other_axes(ToyDomains toy, std::uint64_t seed) {
  const Matrix rotation = random_rotation(toy.source.rows(), seed);
  toy.source = rotation * toy.source;
  toy.target = rotation * toy.target;
  return toy;
}

/// Marginal shift: along a fourth direction, in which the classes follow each other too, the whole target is
/// moved so far that every sample of it lies nearest to the last class.
inline ToyDomains moved_domains(std::uint64_t seed) {
  ToyDomains toy = four_classes(8, 15, 0.3, seed);
  for (Index i = 0; i < toy.source.cols(); ++i) {
    const double step = static_cast<double>(i % 4) - 1.5;
    toy.source(3, i) += step;
    toy.target(3, i) += step + 20.0;
  }
  return along_other_axes(std::move(toy), seed + 2);
}

/// Conditional shift: the domains' means agree, but along a fourth direction each class of the target lies
/// mostly where others of the source do.
inline ToyDomains parted_domains(std::uint64_t seed, Index per_class = 25) {
  ToyDomains toy = four_classes(8, per_class, 0.3, seed);
  std::mt19937_64 engine(seed + 3);
  std::uniform_real_distribution<double> place(-2.0, 10.0);
  for (Index i = 0; i < toy.source.cols(); ++i) {
    const double side = i % 4 < 2 ? 1.0 : -1.0;
    toy.source(3, i) += side * place(engine);
    toy.target(3, i) -= side * place(engine);
  }
  return along_other_axes(std::move(toy), seed + 2);
}

/// Other subspaces: the directions in which the target's classes lie are turned by 72° from the source's, and
/// noise in many directions hides what is left in common.
inline ToyDomains turned_domains(std::uint64_t seed) {
  ToyDomains toy = four_classes(40, 15, 0.6, seed);
  const double angle = 1.25;
  const Matrix kept = toy.target.topRows(3);
  const Matrix added = toy.target.middleRows(3, 3);
  toy.target.topRows(3) = std::cos(angle) * kept - std::sin(angle) * added;
  toy.target.middleRows(3, 3) = std::sin(angle) * kept + std::cos(angle) * added;
  return along_other_axes(std::move(toy), seed + 2);
}

/// Other covariances: nine classes on a square grid, which the target has four times as wide and a quarter as
/// high.
inline ToyDomains stretched_domains(std::uint64_t seed) {
  ToyDomains toy;
  toy.source = 0.1 * random_matrix(2, 90, seed);
  toy.target = 0.1 * random_matrix(2, 90, seed + 1);
  for (Index i = 0; i < toy.source.cols(); ++i) {
    const int column = static_cast<int>(i % 3) - 1;
    const int row = static_cast<int>(i / 3 % 3) - 1;
    const Vector centre = (Vector(2) << column, row).finished();
    toy.source.col(i) += centre;
    toy.target.col(i) += centre;
    toy.source_names.push_back("class" + std::to_string(i % 9));
    toy.target_names.push_back("class" + std::to_string(i % 9));
  }
  toy.target.row(0) *= 4.0;
  toy.target.row(1) /= 4.0;
  return along_other_axes(std::move(toy), seed + 2);
}

}  // namespace isthmus::testing
