#include <gtest/gtest.h>

#include <cmath>

#include "isthmus/preprocessing.h"
#include "random_cases.h"

namespace isthmus {
namespace {

using testing::difference;
using testing::for_random_cases;
using testing::RandomCase;

/// Offset and scale of a feature by the plain formulas.
std::pair<double, double> statistics(const std::string& step, const Eigen::RowVectorXd& values) {
  const double mean = values.mean();
  if (step == "center") return {mean, 1.0};
  if (step == "minmax") return {values.minCoeff(), values.maxCoeff() - values.minCoeff()};
  return {mean, std::sqrt((values.array() - mean).square().mean())};
}

Matrix prepared(const std::string& step, bool joint, const Matrix& own, const Matrix& both) {
  Matrix result = own;
  for (Index i = 0; i < own.rows(); ++i) {
    const auto [offset, scale] = statistics(step, joint ? both.row(i) : own.row(i));
    result.row(i) = scale > 0 ? Eigen::RowVectorXd((own.row(i).array() - offset) / scale)
                              : Eigen::RowVectorXd::Zero(own.cols());
  }
  return result;
}

TEST(RandomShapes, EveryStepEqualsItsPlainFormulaAtAnyScale) {
  for_random_cases(2000, 100, [](RandomCase& c) -> std::string {
    const Index d = c.size("features", 1, 8);
    const Index ns = c.size("source", 2, 30);
    const Index nt = c.size("target", 1, 30);
    const std::string step = std::array{"zscore", "minmax", "center"}[static_cast<std::size_t>(c.choice(3))];
    const bool joint = c.choice(2) == 0;
    // A power of two changes no digit: the formulas are taken at scale 1.
    const double scale = std::exp2(50 * (c.choice(39) - 19));
    const Matrix source = c.matrix(d, ns);
    const Matrix target = c.matrix(d, nt);
    Matrix both(d, ns + nt);
    both << source, target;
    std::vector<std::string> names(static_cast<std::size_t>(ns), "a");
    names[0] = "b";
    DomainPair pair({Matrix(scale * source), encode_labels(names)}, {Matrix(scale * target), {}});
    Preprocessing::parse(step + (joint ? ":joint" : ":domain")).fit_apply(pair);
    const double unit = step == "center" ? scale : 1.0;
    const std::string gap =
        difference("source", pair.source().view() / unit, prepared(step, joint, source, both), 1e-12, 1.0);
    if (!gap.empty()) return gap;
    return difference("target", pair.target().view() / unit, prepared(step, joint, target, both), 1e-12, 1.0);
  });
}

}  // namespace
}  // namespace isthmus
