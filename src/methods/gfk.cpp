#include "methods/gfk.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/options_io.h"
#include "domain/domain_subspaces.h"
#include "linalg/subspace.h"

namespace isthmus {
namespace {

/// 1 − sin x / x; its series where the difference would cancel.
double one_minus_sinc(double x) {
  const double square = x * x;
  if (x < 1e-2) return square / 6.0 * (1.0 - square / 20.0 * (1.0 - square / 42.0));
  return 1.0 - std::sin(x) / x;
}

/// (1 − cos x) / x without cancellation.
double one_minus_cos_over(double x) {
  if (x == 0.0) return 0.0;
  const double sine = std::sin(x / 2.0);
  return 2.0 * sine * sine / x;
}

/// L with G = L Lᵀ, d×2q: the Cholesky factor of each 2×2 block, whose corner ½(1 + sin x / x) is at least ½.
Matrix flow_kernel_factor(const linalg::PrincipalAngles& flow) {
  const Index q = flow.angles.size();
  Matrix factor(flow.first.rows(), 2 * q);
  for (Index i = 0; i < q; ++i) {
    const double x = 2.0 * flow.angles[i];
    const double outside = one_minus_sinc(x) / 2.0;
    const double corner = std::sqrt(1.0 - outside);
    const double mixed = one_minus_cos_over(x) / (2.0 * corner);
    factor.col(2 * i) = corner * flow.first.col(i) + mixed * flow.complement.col(i);
    factor.col(2 * i + 1) = std::sqrt(std::max(0.0, outside - mixed * mixed)) * flow.complement.col(i);
  }
  return factor;
}

}  // namespace

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
