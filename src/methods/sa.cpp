#include "methods/sa.h"

#include "core/options_io.h"
#include "domain/domain_subspaces.h"
#include "linalg/blas.h"

namespace isthmus {

void describe(OptionVisitor& visit, SaOptions& o) {
  visit.integer(
      "components", o.components, {.low = 1},
      "Dimension of both subspaces; at most what the samples of either domain span. auto: chosen without "
      "labels, by the subspace disagreement measure.");
  describe_references(visit, o.classifier);
}

ModelState fit_sa(const DomainPair& pair, SaOptions o, const Context& context) {
  Report report;
  Embedding source_embedding;
  Embedding target_embedding;
  {
    const PhaseTimer timer(report, "subspace");
    const DomainSubspaces domains = domain_subspaces(pair, o.components, "components", report, context);
    const auto& [source, target] = domains;
    o.components = domains.dimension();
    // P_s M with M = P_sᵀ P_t
    source_embedding.projection = linalg::multiply(
        source.basis, linalg::multiply_transposed(source.basis, target.basis, context), context);
    source_embedding.offset = -source_embedding.projection.transpose() * source.mean;
    target_embedding.projection = target.basis;
    target_embedding.offset = -target.basis.transpose() * target.mean;
    report.facts["alignment"] = (source_embedding.projection - target.basis).norm();
  }
  return source_state(pair, o, std::move(target_embedding), std::move(source_embedding), std::move(report),
                      context);
}

}  // namespace isthmus
