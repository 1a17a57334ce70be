#pragma once

#include <limits>
#include <string>
#include <vector>

#include "toy_domains.h"

namespace isthmus::testing {

/// A tiny problem that numbers or shapes make hard.
struct HardData {
  std::string name;
  ToyDomains domains;
  bool samples_are_equal = false;
};

/// The first `source` and `target` samples.
inline ToyDomains shortened(ToyDomains toy, Index source, Index target) {
  toy.source.conservativeResize(Eigen::NoChange, source);
  toy.target.conservativeResize(Eigen::NoChange, target);
  toy.source_names.resize(static_cast<std::size_t>(source));
  toy.target_names.resize(static_cast<std::size_t>(target));
  return toy;
}

/// Every feature times its factor.
inline ToyDomains scaled(ToyDomains toy, const Vector& factors) {
  toy.source = factors.asDiagonal() * toy.source;
  toy.target = factors.asDiagonal() * toy.target;
  return toy;
}

/// Both domains as functions of the easy problem's samples.
template <class Change>
ToyDomains changed(const Change& change) {
  ToyDomains toy = toy_domains(6, 5, 3, 1);
  change(toy.source);
  change(toy.target);
  return toy;
}

/// Numbers that are too large, too small, equal, or nearly dependent.
inline std::vector<HardData> hard_numbers() {
  const ToyDomains easy = toy_domains(6, 5, 3, 1);
  Vector mixed(6);
  mixed << 1e-150, 1e-75, 1.0, 1e3, 1e75, 1e150;
  ToyDomains outlier = easy;
  outlier.target.col(3).setConstant(1e120);
  ToyDomains source_outlier = easy;
  source_outlier.source(2, 4) = -1e200;
  ToyDomains far = easy;
  far.target.array() += 1e8;
  ToyDomains one_zero = easy;
  one_zero.target.setZero();
  const double denormal = std::numeric_limits<double>::denorm_min();
  return {
      {"easy", easy},
      {"rank 1", changed([](Matrix& x) { x = Matrix(Vector::LinSpaced(6, 1, 2) * x.row(0)); })},
      {"rank 2", changed([](Matrix& x) { x = Matrix(random_matrix(6, 2, 9) * x.topRows(2)); })},
      {"1e-150", scaled(easy, Vector::Constant(6, 1e-150))},
      {"1e-60", scaled(easy, Vector::Constant(6, 1e-60))},
      {"1e60", scaled(easy, Vector::Constant(6, 1e60))},
      {"1e150", scaled(easy, Vector::Constant(6, 1e150))},
      {"1e307", scaled(easy, Vector::Constant(6, 1e307))},
      {"scales from 1e-150 to 1e150", scaled(easy, mixed)},
      {"constant features", changed([](Matrix& x) { x.topRows(3).setConstant(7.3); })},
      {"constant", changed([](Matrix& x) { x.setConstant(0.1); }), true},
      {"zeros", changed([](Matrix& x) { x.setZero(); }), true},
      {"a zero target", one_zero},
      {"denormals", changed([&](Matrix& x) {
         x = x.unaryExpr([=](double v) { return v > 0 ? 9 * denormal : denormal; }).eval();
       })},
      {"smallest normals", changed([](Matrix& x) { x *= std::numeric_limits<double>::min(); })},
      {"duplicated samples", changed([](Matrix& x) { x = Matrix(x.leftCols(3).replicate(1, 5)); })},
      {"nearly collinear", changed([](Matrix& x) { x = Matrix(Vector::Ones(6) * x.row(0) + 1e-9 * x); })},
      {"an enormous target sample", outlier},
      {"an enormous source value", source_outlier},
      {"a far target", far},
      {"a large offset", changed([](Matrix& x) { x.array() += 1e12; })},
  };
}

/// Shapes at the edge of what is allowed.
inline std::vector<HardData> hard_shapes() {
  const ToyDomains easy = toy_domains(6, 5, 3, 2);
  ToyDomains unbalanced = shortened(toy_domains(3, 251, 2, 3), 501, 40);
  for (std::size_t i = 1; i < unbalanced.source_names.size(); ++i) unbalanced.source_names[i] = "common";
  ToyDomains same = easy;
  same.target = same.source;
  return {
      {"one sample a class", shortened(easy, 3, 15)},
      {"one target sample", shortened(easy, 15, 1)},
      {"two source samples and one target sample", shortened(easy, 2, 1)},
      {"1 : 500", unbalanced},
      {"more features than samples", toy_domains(60, 2, 3, 4)},
      {"more samples than features", toy_domains(2, 40, 2, 5)},
      {"one feature", toy_domains(1, 5, 3, 6)},
      {"two classes", toy_domains(4, 6, 2, 7)},
      {"as many classes as half of the samples", toy_domains(5, 2, 10, 8)},
      {"identical domains", same},
  };
}

}  // namespace isthmus::testing
