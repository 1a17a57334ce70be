// The kernels that decide how long a fit takes, each beside what it cannot be faster than, or beside another
// program, in one process and by turns (side_by_side.h).
//
//     kernels [--samples=20000] [--benchmark_filter=...] [--benchmark_out=FILE --benchmark_out_format=json]
//
// --samples is the number of references and of queries of the neighbour searches.
#include <fmt/format.h>

#include <Eigen/SparseCholesky>
#include <random>
#include <string_view>
#include <vector>

#include "alm/reconstructor.h"
#include "classify/harmonic.h"
#include "classify/neighbour_graph.h"
#include "flat_search.h"
#include "isthmus/isthmus.h"
#include "linalg/approximate_neighbours.h"
#include "linalg/blas.h"
#include "linalg/eigen.h"
#include "linalg/neighbours.h"
#include "linalg/svt.h"
#include "linalg/svt_subspace.h"
#include "mmd/class_means.h"
#include "mmd/scatter.h"
#include "side_by_side.h"

namespace {

using bench::add;
using bench::side_by_side;
using isthmus::Index;
using isthmus::Matrix;
using isthmus::Vector;
namespace linalg = isthmus::linalg;

Matrix normal_matrix(Index rows, Index columns, unsigned seed) {
  std::mt19937_64 engine(seed);
  return linalg::normal_matrix(rows, columns, engine);
}

/// Products of squares of this size run at the machine's full rate; they stand for the same number of
/// operations in a kernel.
constexpr Index kSquare = 2048;

/// A product that shows the rate of gemm, and what share of it `flops` are.
class GemmRate {
 public:
  void operator()(int threads) {
    linalg::gemm(linalg::Op::None, linalg::Op::None, 1.0, a_, a_, 0.0, c_, threads);
  }
  static double share(double flops) { return flops / (2.0 * kSquare * kSquare * kSquare); }

 private:
  Matrix a_ = normal_matrix(kSquare, kSquare, 1);
  Matrix c_ = Matrix(kSquare, kSquare);
};

/// 1-NN of n queries among n references against the rate of gemm and against FAISS.
void add_nearest(Index n) {
  // FAISS takes a minute a turn beyond that.
  const int turns = n > 50000 ? 2 : 5;
  for (const Index k : {Index{5}, Index{20}, Index{100}}) {
    for (const int threads : {1, 2}) {
      const std::string name = fmt::format("nearest/samples:{}/features:{}/threads:{}", n, k, threads);
      add(
          name + "/gemm",
          [n, k, threads](benchmark::State& state) {
            const Matrix references = normal_matrix(k, n, 2);
            const Matrix queries = normal_matrix(k, n, 3);
            GemmRate rate;
            const double flops =
                2.0 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(k);
            side_by_side(
                state, "gemm in double", [&] { linalg::nearest(references, queries, threads); },
                [&] { rate(threads); }, GemmRate::share(flops));
          },
          turns);
      if (!bench::FlatSearch::available()) continue;
      add(
          name + "/faiss",
          [n, k, threads](benchmark::State& state) {
            const Matrix references = normal_matrix(k, n, 2);
            const Matrix queries = normal_matrix(k, n, 3);
            bench::FlatSearch faiss(references, queries);
            side_by_side(
                state, "FAISS IndexFlatL2", [&] { linalg::nearest(references, queries, threads); },
                [&] { faiss.nearest(threads); });
          },
          turns);
    }
  }
}

/// The approximate search, its graph built anew, against the exact one.
void add_approximate(Index n) {
  add(
      fmt::format("approximate nearest/samples:{}/features:20/threads:1", n),
      [n](benchmark::State& state) {
        const Matrix references = normal_matrix(20, n, 2);
        const Matrix queries = normal_matrix(20, n, 3);
        linalg::Neighbours found;
        side_by_side(
            state, "exact search",
            [&] { found = linalg::ApproximateNeighbours(references).nearest_k(queries, 1, false); },
            [&] { linalg::nearest(references, queries); });
        state.counters["recall"] =
            linalg::measure_recall(references, queries, found, false, linalg::kRecallSample).share();
      },
      1);
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
                  benchmark::DoNotOptimize(isthmus::total_scatter(source, target, threads));
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
/// one round of the subspace iteration, P₂V and P₂ᵀU.
class StepProducts {
 public:
  StepProducts(const Matrix& ds, Index target_count)
      : ds_(ds), z_(normal_matrix(ds.cols(), target_count, 6)) {}

  void operator()(Index rank, int threads) {
    if (rank > 0) linalg::multiply_by_transpose(left(rank), right(rank), threads);
    const Matrix t = linalg::multiply(ds_, z_, threads);
    linalg::multiply_transposed(ds_, t, threads);
    const Index width = linalg::subspace_width(rank);
    const Matrix u = linalg::multiply(z_, right(width), threads);
    linalg::multiply_transposed(z_, u, threads);
  }

 private:
  Matrix left(Index width) const { return Matrix::Constant(z_.rows(), width, 0.5); }
  Matrix right(Index width) const { return Matrix::Constant(z_.cols(), width, 0.5); }

  const Matrix& ds_;
  Matrix z_;
};

/// Source and target of the demo in an embedding, at unit length.
std::pair<Matrix, Matrix> embedded_demo(Index source_count, Index target_count, Index dimension) {
  const isthmus::DomainPair pair =
      isthmus::make_demo({.source_count = source_count, .target_count = target_count});
  const isthmus::Model model =
      isthmus::adapt(pair, {.method = "tca",
                            .options = {{"components", std::to_string(dimension)}, {"classifier", "mean"}},
                            .preprocessing = isthmus::Preprocessing::parse("l2")});
  std::pair embedded(model.transform(pair.source(), isthmus::Side::Source),
                     model.transform(pair.target(), isthmus::Side::Target));
  linalg::normalize_columns(embedded.first);
  linalg::normalize_columns(embedded.second);
  return embedded;
}

/// Twelve steps of the reconstruction at the size of USPS and MNIST against their products.
void add_reconstruction() {
  constexpr Index kSource = 1800;
  constexpr Index kTarget = 2000;
  constexpr Index kDimension = 10;
  constexpr int kSteps = 12;
  for (const double growth : {1.5, 1.0}) {
    for (const int threads : {1, 2}) {
      const double penalty = growth > 1 ? 0.18 : 5.0;
      add(fmt::format("reconstruction, 12 steps/penalty:{}/growth:{}/threads:{}/products", penalty, growth,
                      threads),
          [=](benchmark::State& state) {
            const auto [ds, dt] = embedded_demo(kSource, kTarget, kDimension);
            isthmus::ReconstructionProblem problem;
            problem.threshold_tolerance = 1e-6;
            std::vector<Index> ranks;
            const auto solve = [&] {
              isthmus::Reconstructor solver(kDimension, kSource, kTarget, problem, penalty);
              ranks.clear();
              for (int t = 0; t < kSteps; ++t) {
                ranks.push_back(solver.low_rank().rank());
                solver.step(ds, dt, threads);
                solver.set_penalty(growth * solver.penalty());
              }
            };
            solve();
            StepProducts products(ds, kTarget);
            side_by_side(state, "its matrix products", solve, [&] {
              for (const Index rank : ranks) products(rank, threads);
            });
            state.counters["rank"] = static_cast<double>(ranks.back());
          });
    }
  }
}

/// Thresholding a matrix of known singular values to a given rank, from the vectors of a matrix nearby,
/// against LAPACK's SVD.
void add_thresholding() {
  constexpr Index kRows = 1000;
  constexpr Index kColumns = 900;
  for (const auto& [path, path_name] :
       {std::pair(linalg::SvtPath::Subspace, "subspace"), {linalg::SvtPath::Gram, "gram"}}) {
    for (const Index rank : {5, 50, 150, 450}) {
      add(
          fmt::format("thresholding by {}/rank:{}/svd", path_name, rank),
          [=, path = path](benchmark::State& state) {
            const Matrix u = linalg::orthonormal_basis(normal_matrix(kRows, kColumns, 9));
            const Matrix v = linalg::orthonormal_basis(normal_matrix(kColumns, kColumns, 10));
            // Falls by a tenth over a rank's worth of values, with a step at the rank.
            const Vector values = Vector::NullaryExpr(kColumns, [rank](Index i) {
              const double fall = std::pow(0.1, static_cast<double>(i) / static_cast<double>(rank));
              return i < rank ? fall : 0.5 * fall;
            });
            const Matrix x = linalg::multiply_by_transpose(u * values.asDiagonal(), v);
            const Matrix near =
                x + 1e-4 / std::sqrt(static_cast<double>(kRows)) * normal_matrix(kRows, kColumns, 11);
            linalg::SingularValueThresholder threshold(0, path, 1e-6);
            threshold(near, 0.075);
            bool flip = false;
            side_by_side(
                state, "LAPACK gesdd", [&] { threshold((flip = !flip) ? x : near, 0.075); },
                [&] { benchmark::DoNotOptimize(linalg::thin_svd(x)); });
          },
          3);
    }
  }
}

/// The graph of RSA-CDDA against its neighbour search alone, and harmonic labels against as many products
/// with the weights as they take iterations.
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
              [&] { linalg::nearest_k(samples, samples, options.neighbours, true, threads); });
        });
    add(fmt::format("harmonic labels/samples:{}/classes:10/threads:{}", kSamples, threads),
        [=](benchmark::State& state) {
          const Matrix samples = normal_matrix(20, kSamples, 12);
          const isthmus::NeighbourGraph graph = isthmus::self_tuning_graph(samples, {}, threads);
          std::vector<int> labels(kSamples / 2);
          for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = static_cast<int>(i % 10);
          const Index nt = kSamples / 2;
          const Vector diagonal = 1.001 * isthmus::degrees(graph.weights).tail(nt);
          Eigen::SparseMatrix<double> system(nt, nt);
          system = diagonal.asDiagonal();
          system -= Eigen::SparseMatrix<double>(graph.weights.block(nt, nt, nt, nt));
          const Matrix arriving = normal_matrix(nt, 10, 13);
          side_by_side(
              state, "sparse Cholesky (Eigen)",
              [&] { isthmus::harmonic_labels(graph.weights, labels, 10, 1e-3, {}, {}, threads); },
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
  add_approximate(samples);
  add_scatter();
  add_reconstruction();
  add_thresholding();
  add_graph();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
