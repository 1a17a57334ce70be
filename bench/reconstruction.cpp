// One iteration of the reconstruction solver against the way textbooks write it, in one process on one
// thread.
//
//     reconstruction [ITERATIONS [SOURCE [TARGET [COMPONENTS [FILE]]]]]
//     reconstruction 12 1800 2000 10 reconstruction.json
//
// The textbook keeps every variable and multiplier, inverts the ns×ns normal matrix, takes a full SVD (LAPACK
// gesdd) and forms X M Xᵀ through the n×n matrix M; its products go through the same BLAS as ours. Both run
// on the demo data in an embedding of unit columns and print how far apart their Z, E and X M Xᵀ are in the
// end. The growing penalty is that of RSA-CDDA's corrected mode, the fixed one settles at a rank, as a solver
// near its optimum does.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "alm/reconstructor.h"
#include "domain/forms.h"
#include "embedded_demo.h"
#include "isthmus/isthmus.h"
#include "linalg/blas.h"
#include "linalg/eigen.h"

namespace {

using isthmus::Index;
using isthmus::Matrix;
using isthmus::Vector;
using isthmus::linalg::multiply;
using isthmus::linalg::multiply_transposed;

constexpr double kErrorWeight = 1.0;
constexpr double kSparsityWeight = 0.1;

struct Textbook {
  Textbook(const Matrix& source, const Matrix& target)
      : z(Matrix::Zero(source.cols(), target.cols())),
        zl(z),
        zs(z),
        y2(z),
        y3(z),
        e(Matrix::Zero(target.rows(), target.cols())),
        y1(e) {}

  void step(const Matrix& ds, const Matrix& dt, double mu) {
    const Index ns = ds.cols();
    Matrix normal = multiply_transposed(ds, ds, 1);
    normal.diagonal().array() += 2.0;
    // Ds changes from iteration to iteration where a projection is learnt: so does the inverse.
    const Matrix inverse = isthmus::linalg::solve_spd(normal, Matrix::Identity(ns, ns));
    z = multiply(inverse, zl - y2 / mu + zs - y3 / mu + multiply_transposed(ds, dt - e + y1 / mu, 1), 1);
    const isthmus::linalg::Svd svd = isthmus::linalg::thin_svd(z + y2 / mu);
    const Vector shrunk = (svd.values.array() - 1 / mu).max(0);
    zl = multiply(svd.u * shrunk.asDiagonal(), svd.v.transpose(), 1);
    const Matrix w = z + y3 / mu;
    zs = w.array().sign() * (w.array().abs() - kSparsityWeight / mu).max(0);
    const Matrix residual = dt - multiply(ds, z, 1);
    e = residual + y1 / mu;
    for (Index j = 0; j < e.cols(); ++j)
      e.col(j) *= std::max(0.0, 1 - kErrorWeight / mu / std::max(e.col(j).norm(), 1e-300));
    y1 += mu * (residual - e);
    y2 += mu * (z - zl);
    y3 += mu * (z - zs);
  }

  Matrix z, zl, zs, y2, y3, e, y1;
};

/// X M Xᵀ with M = C·M₀ + Σ_c M_c written out.
Matrix dense_closeness(const isthmus::DomainPair& pair, const std::vector<int>& target_labels) {
  const Index ns = pair.source_count();
  const Index n = ns + pair.target_count();
  Vector weights(n);
  weights << Vector::Constant(ns, 1.0 / static_cast<double>(ns)),
      Vector::Constant(n - ns, -1.0 / static_cast<double>(n - ns));
  Matrix m = pair.class_count() * multiply(weights, weights.transpose(), 1);
  for (int c = 0; c < pair.class_count(); ++c) {
    for (Index i = 0; i < n; ++i) {
      const auto at = static_cast<std::size_t>(i < ns ? i : i - ns);
      weights[i] = (i < ns ? pair.source_labels()[at] : target_labels[at]) == c ? 1.0 : 0.0;
    }
    weights.head(ns) /= std::max(weights.head(ns).sum(), 1.0);
    weights.tail(n - ns) /= -std::max(weights.tail(n - ns).sum(), 1.0);
    m += multiply(weights, weights.transpose(), 1);
  }
  Matrix x(pair.dimension(), n);
  x << pair.source().view(), pair.target().view();
  return isthmus::linalg::multiply_by_transpose(multiply(x, m, 1), x, 1);
}

Matrix factored_closeness(const isthmus::DomainPair& pair, const std::vector<int>& target_labels) {
  const isthmus::ClassMeans classes(pair.source(), pair.source_labels(), pair.target(), target_labels,
                                    pair.class_count(), 1);
  const Matrix factors =
      multiply(classes.means(),
               isthmus::closeness(classes, {static_cast<double>(pair.class_count()), 1.0}).factors, 1);
  return isthmus::linalg::multiply_by_transpose(factors, factors, 1);
}

template <class Work>
double seconds(Work&& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

nlohmann::ordered_json compare(const EmbeddedDemo& demo, int iterations, double penalty, double growth) {
  const Matrix& ds = demo.source;
  const Matrix& dt = demo.target;
  Matrix our_form;
  Matrix textbook_form;
  isthmus::ReconstructionProblem problem;
  problem.weights = {kErrorWeight, kSparsityWeight};
  problem.threshold_tolerance = 1e-6;  // as reconstruct() has it with a growing penalty
  isthmus::Reconstructor ours(ds.rows(), ds.cols(), dt.cols(), problem, penalty, 1);
  Textbook textbook(ds, dt);
  double our_seconds = 0;
  double textbook_seconds = 0;
  double mu = penalty;
  for (int t = 0; t < iterations; ++t) {
    our_seconds += seconds([&] {
      our_form = factored_closeness(demo.pair, demo.target_labels);
      ours.step(ds, dt, 1);
    });
    textbook_seconds += seconds([&] {
      textbook_form = dense_closeness(demo.pair, demo.target_labels);
      textbook.step(ds, dt, mu);
    });
    mu *= growth;
    ours.set_penalty(mu);
  }
  return {{"penalty", penalty},
          {"growth", growth},
          {"rank", ours.low_rank().rank()},
          {"seconds", our_seconds / iterations},
          {"textbook_seconds", textbook_seconds / iterations},
          {"ratio", textbook_seconds / our_seconds},
          {"z_apart", (ours.sparse() - textbook.zs).cwiseAbs().maxCoeff()},
          {"e_apart", (ours.error() - textbook.e).cwiseAbs().maxCoeff()},
          {"form_apart", (our_form - textbook_form).cwiseAbs().maxCoeff()}};
}

}  // namespace

int main(int argc, char** argv) {
  const auto argument = [&](int at, long otherwise) {
    return argc > at ? std::strtol(argv[at], nullptr, 10) : otherwise;
  };
  const int iterations = static_cast<int>(argument(1, 12));
  const Index ns = argument(2, 1800);
  const Index nt = argument(3, 2000);
  const EmbeddedDemo demo(ns, nt, argument(4, 10));
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const auto& [penalty, growth] : {std::pair(0.18, 1.5), {5.0, 1.0}}) {
    rows.push_back(compare(demo, iterations, penalty, growth));
    fmt::print("{}\n", rows.back().dump());
    std::fflush(stdout);
  }
  if (argc > 5) std::ofstream(argv[5]) << rows.dump(2) << '\n';
  return 0;
}
