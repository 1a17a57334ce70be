#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include "classify/neighbour_graph.h"
#include "counted_looks.h"
#include "isthmus/errors.h"
#include "random_data.h"

namespace isthmus {
namespace {

using testing::random_matrix;

struct System {
  SparseWeights weights;
  Vector diagonal;

  Matrix dense() const { return Matrix(diagonal.asDiagonal()) - Matrix(weights); }
};

System random_system(Index n, double leak) {
  System system{self_tuning_graph(random_matrix(4, n, 11), {.neighbours = 8}, 1).weights, {}};
  system.diagonal = degrees(system.weights).array() + leak;
  return system;
}

class GraphSystem : public ::testing::TestWithParam<Index> {};

TEST_P(GraphSystem, AgreesWithADenseSolve) {
  const System system = random_system(150, 1e-3);
  const Matrix rhs = random_matrix(GetParam(), 150, 12);
  const GraphSolution solved = solve_graph_system(system.weights, system.diagonal, rhs, 1);
  const Matrix dense = system.dense().ldlt().solve(rhs.transpose()).transpose();
  EXPECT_LT((solved.solution - dense).cwiseAbs().maxCoeff() / dense.cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_LE(solved.residual, 1e-10);
  const Matrix left = (rhs - solved.solution * system.dense()).rowwise().norm();
  EXPECT_LE((left.array() / rhs.rowwise().norm().array()).maxCoeff(), 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Widths, GraphSystem, ::testing::Values(1, 4, 7, 12, 16, 40));

TEST(GraphSystemEdges, IsTheSameOnOneThreadAndOnTwo) {
  const System system = random_system(300, 1e-3);
  const Matrix rhs = random_matrix(40, 300, 13);
  const GraphSolution one = solve_graph_system(system.weights, system.diagonal, rhs, 1);
  const GraphSolution two = solve_graph_system(system.weights, system.diagonal, rhs, 2);
  EXPECT_TRUE(one.solution == two.solution);
  EXPECT_EQ(one.iterations, two.iterations);
}

TEST(GraphSystemEdges, LooksAtEveryIteration) {
  const System system = random_system(300, 1e-3);
  const Matrix rhs = random_matrix(4, 300, 14);
  int iterations = 0;
  const long looks = testing::looks_of([&](const Execution& run) {
    iterations = solve_graph_system(system.weights, system.diagonal, rhs, run).iterations;
  });
  EXPECT_GT(iterations, 5);
  EXPECT_GE(looks, iterations);
}

TEST(GraphSystemEdges, AnswersZeroWithZeroInNoIterations) {
  const System system = random_system(40, 1e-3);
  const GraphSolution solved = solve_graph_system(system.weights, system.diagonal, Matrix::Zero(3, 40), 1);
  EXPECT_EQ(solved.iterations, 0);
  EXPECT_EQ(solved.solution.norm(), 0.0);
}

TEST(GraphSystemEdges, SaysHowFarItIsWhenTheIterationsRunOut) {
  const System system = random_system(300, 1e-6);
  const GraphSolution solved =
      solve_graph_system(system.weights, system.diagonal, random_matrix(2, 300, 14), 1, {.iterations = 2});
  EXPECT_EQ(solved.iterations, 2);
  EXPECT_GT(solved.residual, 1e-10);
}

TEST(GraphSystemEdges, RefusesSizesThatDiffer) {
  const System system = random_system(30, 1e-3);
  EXPECT_THROW(solve_graph_system(system.weights, system.diagonal, Matrix::Zero(2, 29), 1), InvalidArgument);
}

}  // namespace
}  // namespace isthmus
