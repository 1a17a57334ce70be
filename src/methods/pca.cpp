#include "methods/pca.h"

#include <fmt/format.h>

#include "core/options_io.h"
#include "domain/scatter.h"
#include "isthmus/errors.h"
#include "linalg/subspace.h"

namespace isthmus {

void describe(OptionVisitor& visit, PcaOptions& o) {
  visit.integer(
      "components", o.components, {.low = 1},
      "Dimension of the subspace; no more than features or samples − 1. auto: 100, as in the published "
      "comparison, or as many as there are.");
  describe_references(visit, o.classifier);
}

ModelState fit_pca(const DomainPair& pair, PcaOptions o, const Context& context) {
  Report report;
  Embedding embedding;
  {
    const PhaseTimer timer(report, "subspace");
    o.components = choose_components(o.components, 100, pair);
    const linalg::PrincipalSubspace top =
        linalg::principal_subspace({pair.source(), pair.target()}, *o.components, context);
    // Equal samples have no directions; any will do.
    embedding.projection = top.basis.cols() > 0 ? top.basis : Matrix::Identity(pair.dimension(), 1);
    embedding.offset = -embedding.projection.transpose() * top.mean;
    report.facts["components"] = static_cast<double>(embedding.projection.cols());
    report.facts["variance_kept"] = top.scatter.sum() / top.total_scatter;
  }
  return source_state(pair, o, std::move(embedding), std::nullopt, std::move(report), context);
}

}  // namespace isthmus
