#include "methods/pca.h"

#include <fmt/format.h>

#include "isthmus/errors.h"
#include "linalg/blas.h"
#include "linalg/eigen.h"
#include "mmd/scatter.h"
#include "model/nearest_source.h"

namespace isthmus {

void describe(OptionVisitor& visit, PcaOptions& o) {
  visit.integer(
      "components", o.components, {.low = 0},
      "Dimension of the subspace; no more than features or samples − 1. 0: 100, as in the published "
      "comparison, or as many as there are.");
}

ModelState fit_pca(const DomainPair& pair, const PcaOptions& o, const Context& context) {
  Report report;
  Embedding embedding;
  {
    const PhaseTimer timer(report, "subspace");
    const Scatter scatter = total_scatter(pair, context.threads);
    const Index k = choose_components(o.components, 100, pair);
    const linalg::EigenPairs top = linalg::largest_eigen(scatter.matrix, k);
    embedding.projection = top.vectors;
    embedding.offset = -top.vectors.transpose() * scatter.mean;
    report.facts["components"] = static_cast<double>(k);
    report.facts["variance_kept"] = top.values.sum() / scatter.matrix.trace();
  }
  return nearest_source_state(pair, std::move(embedding), std::nullopt, std::move(report), context);
}

}  // namespace isthmus
