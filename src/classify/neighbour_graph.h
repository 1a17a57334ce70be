#pragma once

#include <Eigen/SparseCore>
#include <vector>

#include "isthmus/execution.h"
#include "isthmus/matrix.h"
#include "ops/neighbours.h"

namespace isthmus {

/// Symmetric, non-negative weights between samples; O(n·neighbours) entries, never n×n.
using SparseWeights = Eigen::SparseMatrix<double, Eigen::RowMajor>;

struct GraphOptions {
  int neighbours = 20;  ///< edges a sample starts; fewer where there are fewer samples
  int local_scale = 7;  ///< a sample's scale is the distance to this neighbour (Zelnik-Manor & Perona 2004)
  double rank_decay = 3.0;  ///< a neighbour's weight falls by e every so many ranks
};

struct NeighbourGraph {
  SparseWeights weights;
  Vector local_scale;              ///< s_i, one per sample
  ops::NeighbourIndex neighbours;  ///< of each sample, nearest first
};

/// exp(−d²/(s_i s_j))·exp(−rank/decay); 1 for identical samples, whose scales may be 0.
double self_tuning_weight(double squared_distance, double scale_i, double scale_j, Index rank,
                          double rank_decay);

/// Self-tuning k-NN graph: w_ij = exp(−d²/(s_i s_j))·exp(−rank/decay), symmetrised by the larger of the two.
/// `near` as in `nearest_k`.
NeighbourGraph self_tuning_graph(MatrixView samples, const GraphOptions& options, const Execution& run,
                                 const ops::NeighbourIndex* near = nullptr);

/// Heat-kernel k-NN graph of source and target together, w_ij = exp(−d²/mean d²), symmetrised by the mean.
/// No edge joins source samples of different classes: there the labels already tell them apart.
SparseWeights class_aware_graph(MatrixView source, const std::vector<int>& source_labels, MatrixView target,
                                int neighbours, const Execution& run);

/// Adds edges between the domains along the positive entries of a reconstruction of the target by the source
/// (ns×nt): to each target sample its `count` strongest, which together weigh `share` of its degree.
void add_reconstruction_edges(SparseWeights& weights, const Matrix& z, int count, double share);

/// Row sums.
Vector degrees(const SparseWeights& weights);

/// X = samples·W, column by column.
Matrix multiply_weights(MatrixView samples, const SparseWeights& weights, const Execution& run);

/// Solution of (diag(diagonal) − W) x = b for several right-hand sides, one per row of `solution`.
struct GraphSolution {
  Matrix solution;        ///< m×n
  int iterations = 0;     ///< of the slowest right-hand side
  double residual = 0.0;  ///< worst ‖b − Ax‖/‖b‖
};

struct GraphSolverOptions {
  double tolerance = 1e-10;  ///< on the relative residual: far below what could change a label
  int iterations = 2000;     ///< the limit; diagonally dominant systems need a few dozen
};

/// Conjugate gradients with Jacobi preconditioning. The matrix must be positive definite, which a diagonal
/// above the row sums ensures. `rhs` is m×n, one right-hand side per row.
GraphSolution solve_graph_system(const SparseWeights& weights, const Vector& diagonal, MatrixView rhs,
                                 const Execution& run, const GraphSolverOptions& options = {});

}  // namespace isthmus
