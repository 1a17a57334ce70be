#pragma once

#include <random>

#include "isthmus/isthmus.h"

/// Gaussian classes of any number in any dimension, 1 in radius around centres about 6 apart; the target
/// moved by a common shift. Labels by turns.
struct ShiftedBlobs {
  isthmus::Index dimension = 256;
  int classes = 10;
  std::uint64_t seed = 0;

  /// Calls put(sample, features) for samples 0 … count−1 of a side: the same ones however often.
  template <class Put>
  void draw(isthmus::Side side, isthmus::Index count, Put&& put) const {
    std::mt19937_64 engine(seed);
    std::normal_distribution<float> normal;
    const auto random = [&] { return normal(engine); };
    // Two points with independent normal coordinates of variance 18/d are about 6 apart.
    const float spread = std::sqrt(18.0F / static_cast<float>(dimension));
    const Eigen::MatrixXf centres = spread * Eigen::MatrixXf::NullaryExpr(dimension, classes, random);
    const Eigen::VectorXf shift = 0.3F * spread * Eigen::VectorXf::NullaryExpr(dimension, random);
    engine.seed(seed + (side == isthmus::Side::Source ? 1 : 2));
    // Noise along few directions, as features have; independent noise in all would hide the classes.
    constexpr isthmus::Index kRank = 20;
    const Eigen::MatrixXf directions =
        Eigen::MatrixXf::NullaryExpr(dimension, kRank, random) / std::sqrt(static_cast<float>(dimension));
    for (isthmus::Index i = 0; i < count; ++i) {
      Eigen::VectorXf sample = centres.col(i % classes) + directions *
                                                              Eigen::VectorXf::NullaryExpr(kRank, random) /
                                                              std::sqrt(20.0F) * 4.0F;
      if (side == isthmus::Side::Target) sample += shift;
      put(i, sample);
    }
  }

  isthmus::Labels labels(isthmus::Index count) const {
    std::vector<std::string> names;
    for (isthmus::Index i = 0; i < count; ++i) names.push_back(std::to_string(i % classes));
    return isthmus::encode_labels(std::move(names));
  }

  isthmus::Domain domain(isthmus::Side side, isthmus::Index count) const {
    isthmus::Matrix samples(dimension, count);
    draw(side, count,
         [&](isthmus::Index i, const Eigen::VectorXf& sample) { samples.col(i) = sample.cast<double>(); });
    return {std::move(samples), labels(count)};
  }
};
