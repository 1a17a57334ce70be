#include "methods/rsa_cdda/explain.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace isthmus {
namespace {

/// The `count` largest entries of a column in magnitude, zeros left out; ties to the lowest row.
std::vector<int> strongest(const Eigen::Ref<const Vector>& column, Index count) {
  std::vector<int> rows(static_cast<std::size_t>(column.size()));
  std::iota(rows.begin(), rows.end(), 0);
  const auto stronger = [&](int a, int b) {
    const double x = std::abs(column[a]);
    const double y = std::abs(column[b]);
    return x > y || (x == y && a < b);
  };
  const auto end = rows.begin() + static_cast<std::ptrdiff_t>(std::min<Index>(count, column.size()));
  std::partial_sort(rows.begin(), end, rows.end(), stronger);
  rows.erase(end, rows.end());
  std::erase_if(rows, [&](int row) { return column[row] == 0.0; });
  return rows;
}

}  // namespace

void explain_target(RsaCddaAlternation& alternation, const RsaCddaOptions& options, const Context& context,
                    ModelState& state) {
  const PhaseTimer timer(state.report, "explanations");
  // Also of a fit that is out of time: one sweep instead of all would explain nothing.
  Context to_the_end = context.quiet();
  to_the_end.deadline.reset();
  Reconstruction found;
  try {
    found = alternation.take_reconstruction(to_the_end);
  } catch (const Cancelled&) {
    state.report.notes.emplace_back("stopped before the target samples were explained");
    return;
  }
  Prediction& target = state.target;
  const Index nt = found.z_sparse.cols();
  target.outlier_scores = found.error.colwise().norm();
  target.explained_by = Eigen::MatrixXi::Constant(options.explain_count, nt, -1);
  target.explanation_weights = Matrix::Zero(options.explain_count, nt);
  for (Index j = 0; j < nt; ++j) {
    const std::vector<int> rows = strongest(found.z_sparse.col(j), options.explain_count);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      target.explained_by(static_cast<Index>(i), j) = rows[i];
      target.explanation_weights(static_cast<Index>(i), j) = found.z_sparse(rows[i], j);
    }
  }
  for (const std::string& note : found.report.notes) state.report.notes.push_back(note);
  state.report.facts["explained_rank"] = static_cast<double>(found.measure.rank);
}

}  // namespace isthmus
