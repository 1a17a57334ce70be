#include "domain/class_means.h"

#include <gtest/gtest.h>

#include "isthmus/errors.h"
#include "labelled_problem.h"

namespace isthmus {
namespace {

using testing::awkward_problem;
using testing::LabelledProblem;

Matrix naive_means(const LabelledProblem& problem) {
  Matrix means = Matrix::Zero(problem.source.rows(), 2 * problem.classes);
  const auto add = [&](const Matrix& x, const std::vector<int>& labels, int offset) {
    for (int c = 0; c < problem.classes; ++c) {
      const auto size = std::count(labels.begin(), labels.end(), c);
      for (Index j = 0; j < x.cols(); ++j) {
        if (labels[static_cast<std::size_t>(j)] == c)
          means.col(offset + c) += x.col(j) / static_cast<double>(size);
      }
    }
  };
  add(problem.source, problem.source_labels, 0);
  add(problem.target, problem.target_labels, problem.classes);
  return means;
}

TEST(ClassMeans, AreTheMeansOfTheClassesOfBothDomains) {
  const LabelledProblem problem = awkward_problem(5, 1);
  const ClassMeans classes = problem.class_means();
  EXPECT_LT((classes.means() - naive_means(problem)).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_EQ(classes.counts(), (Vector(8) << 7, 1, 12, 4, 9, 3, 0, 1).finished());
}

TEST(ClassMeans, AreTheSameBytesOnAnyNumberOfThreads) {
  const LabelledProblem problem(3, {9000, 4000}, {7000, 12000}, 2);
  EXPECT_EQ(problem.class_means(1).means(), problem.class_means(3).means());
}

TEST(ClassMeans, OfAnUnlabelledTargetHoldItsOverallMean) {
  const LabelledProblem problem = awkward_problem(5, 3);
  const ClassMeans classes(problem.source, problem.source_labels, problem.target, {}, problem.classes, 1);
  EXPECT_FALSE(classes.target_labelled());
  EXPECT_LT((classes.means().col(4) - problem.target.rowwise().mean()).norm(), 1e-13);
  EXPECT_EQ(classes.counts()[4], 13);
}

TEST(ClassMeans, FollowChangedLabelsAsIfComputedAfresh) {
  LabelledProblem problem(6, {40, 30, 50}, {200, 150, 1}, 4);
  ClassMeans classes = problem.class_means();
  std::mt19937_64 engine(5);
  for (int round = 0; round < 60; ++round) {
    std::vector<int> labels = problem.target_labels;
    // Few changes (incremental) and, now and then, nearly all (afresh); class 2 empties and fills again.
    const std::size_t changes = round % 10 == 9 ? labels.size() : 1 + engine() % 40;
    for (std::size_t i = 0; i < changes; ++i)
      labels[engine() % labels.size()] = static_cast<int>(engine() % 3);
    if (round % 7 == 0) std::replace(labels.begin(), labels.end(), 2, 0);
    Index expected = 0;
    for (std::size_t i = 0; i < labels.size(); ++i) expected += labels[i] != problem.target_labels[i] ? 1 : 0;

    problem.target_labels = labels;
    EXPECT_EQ(classes.relabel(problem.target, labels, 1), expected);
    const ClassMeans fresh = problem.class_means();
    ASSERT_EQ(classes.counts(), fresh.counts());
    ASSERT_LT((classes.means() - fresh.means()).cwiseAbs().maxCoeff(), 1e-12) << "round " << round;
  }
}

TEST(ClassMeans, CountEveryLabelAsChangedWhenThereWereNone) {
  const LabelledProblem problem = awkward_problem(4, 6);
  ClassMeans classes(problem.source, problem.source_labels, problem.target, {}, problem.classes, 1);
  EXPECT_EQ(classes.relabel(problem.target, problem.target_labels, 1), 13);
  EXPECT_EQ(classes.means(), problem.class_means().means());
}

TEST(ClassMeans, RefuseLabelsThatAreNoClass) {
  LabelledProblem problem = awkward_problem(4, 7);
  problem.target_labels[3] = 4;
  EXPECT_THROW(problem.class_means(), InvalidArgument);
  problem.target_labels.pop_back();
  EXPECT_THROW(problem.class_means(), InvalidArgument);
}

}  // namespace
}  // namespace isthmus
