#include <gtest/gtest.h>

#include "alm/reconstructor.h"
#include "random_cases.h"
#include "textbook.h"

namespace isthmus {
namespace {

using testing::difference;
using testing::for_random_cases;
using testing::RandomCase;

TEST(RandomShapes, FusedStepsEqualTheTextbook) {
  for_random_cases(300, 100, [](RandomCase& c) -> std::string {
    const Index k = c.size("features", 1, 12);
    const Index ns = c.size("source", 1, 40);
    const Index nt = c.size("target", 1, 70);
    const Index steps = c.size("steps", 1, 12);
    const Matrix ds = c.matrix(k, ns);
    const Matrix dt = c.choice(2) == 0 ? c.matrix(k, nt) : Matrix(ds * c.matrix(ns, nt));
    const ErrorNorm norm = c.choice(2) == 0 ? ErrorNorm::L1 : ErrorNorm::L21;
    const double error = std::pow(10.0, c.choice(4) - 2);
    const double sparsity = 0.1 * c.choice(3);
    const double growth = 1.0 + 0.25 * c.choice(3);
    testing::TextbookAlm textbook(ds, dt, norm, error, sparsity);
    Reconstructor solver(k, ns, nt, {norm, {error, sparsity}, 1}, 0.2, 1);
    Matrix z;
    for (Index step = 0; step < steps; ++step) {
      textbook.step(solver.penalty());
      solver.step(ds, dt, 1, &z);
      solver.set_penalty(growth * solver.penalty());
      const std::string round = " after step " + std::to_string(step + 1);
      for (const std::string& gap :
           {difference("Z" + round, z, textbook.z, 1e-8, 1.0),
            difference("Zl" + round, solver.low_rank().matrix(1), textbook.zl, 1e-8, 1.0),
            difference("E" + round, solver.error(), textbook.e, 1e-8, dt.norm())}) {
        if (!gap.empty()) return gap;
      }
    }
    return {};
  });
}

}  // namespace
}  // namespace isthmus
