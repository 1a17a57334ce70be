#include "methods/gfk.h"

#include <fmt/format.h>

#include "core/options_io.h"
#include "domain/domain_subspaces.h"
#include "domain/flow_kernel.h"

namespace isthmus {

void describe(OptionVisitor& visit, GfkOptions& o) {
  visit.integer(
      "subspace", o.subspace, {.low = 1},
      "Dimension q of each domain's PCA subspace; at most what the samples of either domain span. auto: "
      "chosen without labels, by the subspace disagreement measure.");
  describe_references(visit, o.classifier);
}

ModelState fit_gfk(const DomainPair& pair, GfkOptions o, const Context& context) {
  Report report;
  Embedding embedding;
  {
    const PhaseTimer timer(report, "subspace");
    const DomainSubspaces domains = domain_subspaces(pair, o.subspace, "subspace", report, context);
    o.subspace = domains.dimension();
    const linalg::PrincipalAngles flow = linalg::principal_angles(domains.source.basis, domains.target.basis);
    embedding.projection = flow_kernel_factor(flow);
    report.facts["largest_angle"] = flow.angles.maxCoeff();
    report.facts["mean_angle"] = flow.angles.mean();
  }
  return source_state(pair, o, std::move(embedding), std::nullopt, std::move(report), context);
}

}  // namespace isthmus
