// The kernels that decide how long a fit takes, each beside what it cannot be faster than, or beside another
// program, in one process and by turns (side_by_side.h).
//
//     kernels [--samples=20000] [--benchmark_filter=...] [--benchmark_out=FILE --benchmark_out_format=json]
//
// --samples is the number of references and of queries of the neighbour searches.
#include <fmt/format.h>

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <random>
#include <string_view>
#include <type_traits>
#include <vector>

#include "alm/reconstructor.h"
#include "classify/harmonic.h"
#include "classify/neighbour_graph.h"
#include "domain/class_means.h"
#include "domain/scatter.h"
#include "embedded_demo.h"
#include "flat_search.h"
#include "isthmus/isthmus.h"
#include "linalg/basis.h"
#include "linalg/blas.h"
#include "linalg/eigen.h"
#include "linalg/svt.h"
#include "linalg/svt_subspace.h"
#include "ops/neighbours.h"
#include "side_by_side.h"

namespace {

using bench::add;
using bench::side_by_side;
using isthmus::Index;
using isthmus::Matrix;
using isthmus::Vector;
namespace linalg = isthmus::linalg;
namespace ops = isthmus::ops;

Matrix normal_matrix(Index rows, Index columns, unsigned seed) {
  std::mt19937_64 engine(seed);
  return linalg::normal_matrix(rows, columns, engine);
}

/// Products of squares of this size run at the machine's full rate; they stand for the same number of
/// operations in a kernel.
constexpr Index kSquare = 2048;

/// A product of numbers of type Real that shows the rate of gemm.
template <class Real>
class GemmRate {
 public:
  void operator()(int threads) {
    linalg::gemm(linalg::Op::None, linalg::Op::None, Real{1}, a_, a_, Real{0}, c_, threads);
  }

 private:
  using Square = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
  Square a_ = normal_matrix(kSquare, kSquare, 1).cast<Real>();
  Square c_ = Square(kSquare, kSquare);
};

/// 1-NN of n queries among n references of k features against as many operations at the rate of gemm.
template <class Real>
void nearest_beside_gemm(benchmark::State& state, Index n, Index k, int threads) {
  const Matrix references = normal_matrix(k, n, 2);
  const Matrix queries = normal_matrix(k, n, 3);
  GemmRate<Real> rate;
  const double flops = 2.0 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(k);
  side_by_side(
      state, std::is_same_v<Real, float> ? "gemm in single" : "gemm in double",
      [&] { ops::nearest(references, queries, threads); }, [&] { rate(threads); },
      flops / (2.0 * kSquare * kSquare * kSquare));
}

/// 1-NN of n queries among n references against the rate of gemm and against FAISS.
void add_nearest(Index n) {
  // FAISS takes a minute a turn beyond that.
  const int turns = n > 50000 ? 2 : 5;
  for (const Index k : {Index{5}, Index{20}, Index{100}}) {
    for (const int threads : {1, 2}) {
      const std::string name = fmt::format("nearest/samples:{}/features:{}/threads:{}", n, k, threads);
      add(
          name + "/gemm:double",
          [=](benchmark::State& state) { nearest_beside_gemm<double>(state, n, k, threads); }, turns);
      add(
          name + "/gemm:single",
          [=](benchmark::State& state) { nearest_beside_gemm<float>(state, n, k, threads); }, turns);
      if (!bench::FlatSearch::available()) continue;
      add(
          name + "/faiss",
          [n, k, threads](benchmark::State& state) {
            const Matrix references = normal_matrix(k, n, 2);
            const Matrix queries = normal_matrix(k, n, 3);
            bench::FlatSearch faiss(references, queries);
            side_by_side(
                state, "FAISS IndexFlatL2", [&] { ops::nearest(references, queries, threads); },
                [&] { faiss.nearest(threads); });
          },
          turns);
    }
  }
}

/// Scatter and class means of 100,000 samples against the scatter's matrix product alone.
void add_scatter() {
  for (const Index d : {Index{256}, Index{512}}) {
    for (const int threads : {1, 2}) {
      add(fmt::format("scatter and class means/samples:100000/features:{}/threads:{}/syrk", d, threads),
          [d, threads](benchmark::State& state) {
            const Matrix source = normal_matrix(d, 50000, 4);
            const Matrix target = normal_matrix(d, 50000, 5);
            std::vector<int> labels(50000);
            for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = static_cast<int>(i % 10);
            side_by_side(
                state, "syrk",
                [&] {
                  benchmark::DoNotOptimize(isthmus::joint_moments(source, target, threads));
                  benchmark::DoNotOptimize(isthmus::ClassMeans(source, labels, target, labels, 10, threads));
                },
                [&] {
                  benchmark::DoNotOptimize(linalg::gram(source, threads));
                  benchmark::DoNotOptimize(linalg::gram(target, threads));
                });
          });
    }
  }
}

/// The products one step cannot do without, for Z of rank r before the step: Zl = U(ΣVᵀ), Ds R, DsᵀT, and
/// one round of the subspace iteration, P₂V and P₂ᵀU. Into memory that is there before.
class StepProducts {
 public:
  StepProducts(const Matrix& ds, Index target_count, Index highest_rank)
      : ds_(ds),
        z_(normal_matrix(ds.cols(), target_count, 6)),
        result_(ds.cols(), target_count),
        t_(ds.rows(), target_count),
        left_(Matrix::Constant(ds.cols(), linalg::subspace_width(highest_rank), 0.5)),
        right_(Matrix::Constant(target_count, linalg::subspace_width(highest_rank), 0.5)),
        u_(left_.rows(), left_.cols()),
        v_(right_.rows(), right_.cols()) {}

  void operator()(Index rank, int threads) {
    using linalg::Op;
    if (rank > 0) {
      linalg::gemm(Op::None, Op::Transpose, 1.0, left_.leftCols(rank), right_.leftCols(rank), 0.0, result_,
                   threads);
    }
    linalg::gemm(Op::None, Op::None, 1.0, ds_, z_, 0.0, t_, threads);
    linalg::gemm(Op::Transpose, Op::None, 1.0, ds_, t_, 0.0, result_, threads);
    const Index width = linalg::subspace_width(rank);
    linalg::gemm(Op::None, Op::None, 1.0, z_, right_.leftCols(width), 0.0, u_.leftCols(width), threads);
    linalg::gemm(Op::Transpose, Op::None, 1.0, z_, left_.leftCols(width), 0.0, v_.leftCols(width), threads);
  }

 private:
  const Matrix& ds_;
  Matrix z_;
  Matrix result_;
  Matrix t_;
  Matrix left_;
  Matrix right_;
  Matrix u_;
  Matrix v_;
};

/// Twelve steps of the reconstruction against their products, for the ranks they start from: at the sizes of
/// USPS and MNIST, Caltech and Amazon, and the halves of COIL with the penalty growing as in RSA-CDDA; at the
/// first size also with the residuals that a solver looks at after each step, and with a penalty that stays.
void add_reconstruction() {
  constexpr Index kDimension = 10;
  constexpr int kSteps = 12;
  struct Case {
    Index source;
    Index target;
    double penalty;
    double growth;
    bool residuals;
  };
  for (const Case c : {Case{1800, 2000, 0.18, 1.5, false},
                       {1123, 958, 0.18, 1.5, false},
                       {720, 720, 0.18, 1.5, false},
                       {1800, 2000, 0.18, 1.5, true},
                       {1800, 2000, 5, 1, false}}) {
    for (const int threads : {1, 2}) {
      add(fmt::format("reconstruction, 12 steps{}/size:{}×{}/penalty:{}/growth:{}/threads:{}",
                      c.residuals ? " and residuals" : "", c.source, c.target, c.penalty, c.growth, threads),
          [=](benchmark::State& state) {
            const EmbeddedDemo demo(c.source, c.target, kDimension);
            isthmus::ReconstructionProblem problem;
            problem.threshold_tolerance = 1e-6;
            // Made before they are timed, as the memory of the products is.
            std::vector<isthmus::Reconstructor> solvers;
            for (benchmark::IterationCount i = 0; i <= state.max_iterations; ++i) {
              solvers.emplace_back(kDimension, c.source, c.target, problem, c.penalty, threads);
            }
            std::vector<Index> ranks;
            auto solve = [&, turn = std::size_t{0}]() mutable {
              isthmus::Reconstructor& solver = solvers[turn++];
              ranks.clear();
              for (int t = 0; t < kSteps; ++t) {
                ranks.push_back(solver.low_rank().rank());
                solver.step(demo.source, demo.target, threads);
                if (c.residuals) solver.measure(demo.source, demo.target, threads);
                solver.set_penalty(c.growth * solver.penalty());
              }
            };
            solve();
            StepProducts products(demo.source, c.target, *std::max_element(ranks.begin(), ranks.end()));
            side_by_side(state, "its matrix products", solve, [&] {
              for (const Index rank : ranks) products(rank, threads);
            });
          });
    }
  }
}

/// Thresholding a matrix of known singular values to a given rank, from the vectors of a matrix nearby,
/// against LAPACK's SVD.
void add_thresholding() {
  constexpr Index kRows = 2000;
  constexpr Index kColumns = 1800;
  for (const auto& [path, path_name] :
       {std::pair(linalg::SvtPath::Subspace, "subspace"), {linalg::SvtPath::Gram, "gram"}}) {
    for (const Index rank : {5, 50, 300, 1000}) {
      add(
          fmt::format("thresholding by {}/size:{}×{}/rank:{}/svd", path_name, kRows, kColumns, rank),
          [=, path = path](benchmark::State& state) {
            const Matrix u = linalg::orthonormal_basis(normal_matrix(kRows, kColumns, 9));
            const Matrix v = linalg::orthonormal_basis(normal_matrix(kColumns, kColumns, 10));
            // Falls by a tenth over a rank's worth of values, with a step at the rank.
            const Vector values = Vector::NullaryExpr(kColumns, [rank](Index i) {
              const double fall = std::pow(0.1, static_cast<double>(i) / static_cast<double>(rank));
              return i < rank ? fall : 0.5 * fall;
            });
            const Matrix x = linalg::multiply_by_transpose(u * values.asDiagonal(), v, 1);
            const Matrix near =
                x + 1e-4 / std::sqrt(static_cast<double>(kRows)) * normal_matrix(kRows, kColumns, 11);
            linalg::SingularValueThresholder threshold(0, path, 1e-6);
            threshold(near, 0.075, 1);
            bool flip = false;
            side_by_side(
                state, "LAPACK gesdd", [&] { threshold((flip = !flip) ? x : near, 0.075, 1); },
                [&] { benchmark::DoNotOptimize(linalg::thin_svd(x)); });
          },
          3);
    }
  }
}

/// A hundred eigenpairs of the scatter of many features against LAPACK: of features whose variance falls, and
/// of noise alike in all, the worst there is for Lanczos.
void add_eigen() {
  constexpr Index kFeatures = 4096;
  constexpr Index kPairs = 100;
  for (const double fall : {0.5, 0.0}) {
    for (const int threads : {1, 2}) {
      add(
          fmt::format("largest eigenpairs{}/features:{}/pairs:{}/threads:{}", fall > 0 ? "" : " of noise",
                      kFeatures, kPairs, threads),
          [=](benchmark::State& state) {
            Matrix samples = normal_matrix(kFeatures, 2 * kFeatures, 14);
            for (Index i = 0; i < kFeatures; ++i)
              samples.row(i) *= std::pow(static_cast<double>(i + 1), -fall);
            const Matrix scatter = linalg::gram(samples, 2);
            const Matrix negated = -scatter;
            side_by_side(
                state, "LAPACK syevr",
                [&] { benchmark::DoNotOptimize(linalg::largest_eigen(scatter, kPairs, threads)); },
                [&] { benchmark::DoNotOptimize(linalg::smallest_eigen(negated, kPairs)); });
          },
          1);
    }
  }
}

/// The graph of RSA-CDDA against its neighbour search alone, and harmonic labels against a sparse Cholesky
/// factor of their system.
void add_graph() {
  constexpr Index kSamples = 4000;
  for (const int threads : {1, 2}) {
    add(fmt::format("neighbour graph/samples:{}/features:20/threads:{}/search", kSamples, threads),
        [=](benchmark::State& state) {
          const Matrix samples = normal_matrix(20, kSamples, 12);
          const isthmus::GraphOptions options;
          side_by_side(
              state, "its neighbour search",
              [&] { benchmark::DoNotOptimize(isthmus::self_tuning_graph(samples, options, threads)); },
              [&] { ops::nearest_k(samples, samples, options.neighbours, true, threads); });
        });
    add(fmt::format("harmonic labels/samples:{}/classes:10/threads:{}", kSamples, threads),
        [=](benchmark::State& state) {
          const Matrix samples = normal_matrix(20, kSamples, 12);
          const isthmus::NeighbourGraph graph = isthmus::self_tuning_graph(samples, {}, threads);
          std::vector<int> labels(kSamples / 2);
          for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = static_cast<int>(i % 10);
          const Index nt = kSamples / 2;
          constexpr double kLeak = 1e-3;
          const Vector degree = isthmus::degrees(graph.weights);
          const Vector diagonal = degree.tail(nt).array() + kLeak * degree.mean();
          Eigen::SparseMatrix<double> system(nt, nt);
          system = diagonal.asDiagonal();
          system -= Eigen::SparseMatrix<double>(graph.weights.block(nt, nt, nt, nt));
          const Matrix arriving = normal_matrix(nt, 10, 13);
          side_by_side(
              state, "sparse Cholesky (Eigen)",
              [&] { isthmus::harmonic_labels(graph.weights, labels, 10, threads, kLeak); },
              [&] {
                const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factor(system);
                benchmark::DoNotOptimize(Matrix(factor.solve(arriving)));
              });
        });
  }
}

}  // namespace

int main(int argc, char** argv) {
  constexpr std::string_view kSamplesFlag = "--samples=";
  Index samples = 20000;
  if (argc > 1 && std::string_view(argv[1]).starts_with(kSamplesFlag)) {
    samples = std::strtol(argv[1] + kSamplesFlag.size(), nullptr, 10);
    argv[1] = argv[0];
    ++argv;
    --argc;
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  add_nearest(samples);
  add_scatter();
  add_reconstruction();
  add_thresholding();
  add_eigen();
  add_graph();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
