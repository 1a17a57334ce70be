#include "classify/classifier.h"

#include "classify/graph_scores.h"
#include "classify/logistic.h"
#include "classify/nearest.h"
#include "classify/structural_risk.h"

namespace isthmus {
namespace {

/// One function per kind of classifier.
struct Score {
  MatrixView embedded;
  int class_count;
  Execution run;

  Matrix operator()(const NearestReference& classifier) const {
    return nearest_classes(classifier, embedded, class_count, run).scores;
  }
  Matrix operator()(const LinearScores& classifier) const {
    return linear_scores(classifier.weights, embedded, run);
  }
  Matrix operator()(const LogisticScores& classifier) const {
    return logistic_scores(classifier, embedded, run);
  }
  Matrix operator()(const GraphScores& classifier) const { return graph_scores(classifier, embedded, run); }
};

}  // namespace

Matrix class_scores(const Classifier& classifier, MatrixView embedded, int class_count,
                    const Execution& run) {
  return std::visit(Score{embedded, class_count, run}, classifier);
}

std::vector<int> largest_rows(MatrixView scores) {
  std::vector<int> rows(static_cast<std::size_t>(scores.cols()));
  for (Index j = 0; j < scores.cols(); ++j) {
    Index at = 0;
    scores.col(j).maxCoeff(&at);  // the first of equals
    rows[static_cast<std::size_t>(j)] = static_cast<int>(at);
  }
  return rows;
}

}  // namespace isthmus
