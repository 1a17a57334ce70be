#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "classify/neighbour_graph.h"
#include "core/parallel.h"
#include "isthmus/errors.h"

namespace isthmus {
namespace {

/// Right-hand sides solved side by side: each graph entry is read once for all of them.
constexpr Index kMaxWidth = 16;

/// Conjugate gradients on `Width` right-hand sides at once, each with its own step lengths.
template <int Width>
class BlockSolver {
  using Block = Eigen::Matrix<double, Width, Eigen::Dynamic>;
  using Row = Eigen::Array<double, Width, 1>;

 public:
  BlockSolver(const SparseWeights& weights, const Vector& diagonal)
      : weights_(weights), diagonal_(diagonal) {}

  /// At most Width right-hand sides; the rest of the block is padding with b = 0.
  GraphSolution solve(MatrixView rhs, const GraphSolverOptions& options, const Execution& run) const {
    const Index n = rhs.cols();
    Block r = Block::Zero(Width, n);
    r.topRows(rhs.rows()) = rhs;
    Block x = Block::Zero(Width, n);
    const Row goal = options.tolerance * dot(r, r).sqrt();
    Block z(Width, n);
    precondition(r, z);
    Block p = z;
    Block q(Width, n);
    Row rz = dot(r, z);
    int iteration = 0;
    while (iteration < options.iterations && (dot(r, r).sqrt() > goal).any()) {
      run.look();
      ++iteration;
      apply(p, q);
      const Row pq = dot(p, q);
      const Row alpha = (pq > 0).select(rz / pq, 0.0);  // a solved or padded row has p = 0
      for (Index i = 0; i < n; ++i) {
        x.col(i).array() += alpha * p.col(i).array();
        r.col(i).array() -= alpha * q.col(i).array();
      }
      precondition(r, z);
      const Row next = dot(r, z);
      const Row beta = (rz > 0).select(next / rz, 0.0);
      for (Index i = 0; i < n; ++i) p.col(i).array() = z.col(i).array() + beta * p.col(i).array();
      rz = next;
    }
    const Row residual = (goal > 0).select(dot(r, r).sqrt() / goal * options.tolerance, 0.0);
    return {x.topRows(rhs.rows()), iteration, residual.maxCoeff()};
  }

 private:
  static Row dot(const Block& a, const Block& b) {
    Row sum = Row::Zero();
    for (Index i = 0; i < a.cols(); ++i) sum += a.col(i).array() * b.col(i).array();
    return sum;
  }

  void precondition(const Block& r, Block& z) const {
    for (Index i = 0; i < r.cols(); ++i) z.col(i) = r.col(i) / diagonal_[i];
  }

  void apply(const Block& p, Block& q) const {
    for (Index i = 0; i < p.cols(); ++i) {
      Row sum = diagonal_[i] * p.col(i).array();
      for (SparseWeights::InnerIterator entry(weights_, i); entry; ++entry) {
        sum -= entry.value() * p.col(entry.col()).array();
      }
      q.col(i) = sum;
    }
  }

  const SparseWeights& weights_;
  const Vector& diagonal_;
};

GraphSolution solve_block(const SparseWeights& weights, const Vector& diagonal, MatrixView rhs,
                          const GraphSolverOptions& options, const Execution& run) {
  if (rhs.rows() <= 4) return BlockSolver<4>(weights, diagonal).solve(rhs, options, run);
  if (rhs.rows() <= 8) return BlockSolver<8>(weights, diagonal).solve(rhs, options, run);
  if (rhs.rows() <= 12) return BlockSolver<12>(weights, diagonal).solve(rhs, options, run);
  return BlockSolver<kMaxWidth>(weights, diagonal).solve(rhs, options, run);
}

}  // namespace

GraphSolution solve_graph_system(const SparseWeights& weights, const Vector& diagonal, MatrixView rhs,
                                 const Execution& run, const GraphSolverOptions& options) {
  if (weights.rows() != diagonal.size() || rhs.cols() != diagonal.size()) {
    throw InvalidArgument(
        fmt::format("graph system: {} weights' rows, {} diagonal entries and {} right-hand side "
                    "columns; all must be equal",
                    weights.rows(), diagonal.size(), rhs.cols()));
  }
  const Index blocks = block_count(rhs.rows(), kMaxWidth);
  std::vector<GraphSolution> parts(static_cast<std::size_t>(blocks));
  GraphSolution result{Matrix(rhs.rows(), rhs.cols()), 0, 0.0};
  parallel_ranges(run, rhs.rows(), kMaxWidth, [&](Index first, Index count) {
    GraphSolution& part = parts[static_cast<std::size_t>(first / kMaxWidth)];
    part = solve_block(weights, diagonal, rhs.middleRows(first, count), options, run);
    result.solution.middleRows(first, count) = part.solution;
  });
  for (const GraphSolution& part : parts) {
    result.iterations = std::max(result.iterations, part.iterations);
    result.residual = std::max(result.residual, part.residual);
  }
  return result;
}

}  // namespace isthmus
