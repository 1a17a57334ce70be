#include "domain/domain_subspaces.h"

#include <fmt/format.h>

#include <algorithm>

#include "isthmus/errors.h"

namespace isthmus {
namespace {

// Where the choice stops looking: a measure of 1 beyond is rare, and looking costs the fourth power of it.
constexpr Index kLargestLookedAt = 100;
// The measure tends to 1 without reaching it in exact arithmetic; "1" is read as 1 to three decimals.
constexpr double kFullDisagreement = 1.0 - 1e-3;

void require_rank(const linalg::PrincipalSubspace& subspace, std::string_view domain, Index samples,
                  std::optional<int> wanted, std::string_view option) {
  const Index rank = subspace.basis.cols();
  if (rank == 0) {
    throw InvalidArgument(
        fmt::format("the {} has no principal subspace: its samples ({}) are all equal; a subspace method "
                    "needs at least two "
                    "different samples in each domain",
                    domain, samples));
  }
  if (wanted && rank < *wanted) {
    throw InvalidArgument(fmt::format(
        "option '{}' is {}; expected at most {}, the dimension that the {}'s {} samples span: ask for "
        "fewer, or auto to choose it without labels",
        option, *wanted, rank, domain, samples));
  }
}

Index choose_dimension(const DomainPair& pair, const DomainSubspaces& domains, Report& report,
                       const Execution& run) {
  const Index limit = std::min(domains.source.basis.cols(), domains.target.basis.cols());
  const linalg::PrincipalSubspace joint =
      linalg::principal_subspace({pair.source(), pair.target()}, limit, run);
  const std::vector<double> measure = linalg::subspace_disagreement(
      domains.source.basis, domains.target.basis, joint.basis, kFullDisagreement);
  const auto chosen = static_cast<Index>(measure.size());
  report.series["subspace_disagreement"] = measure;
  report.notes.push_back(
      measure.back() >= kFullDisagreement
          ? fmt::format("subspace of dimension {}, chosen by the subspace disagreement measure", chosen)
          : fmt::format(
                "subspace of dimension {}: the disagreement measure stays below 1 (at {:.3f}), so the "
                "largest dimension looked at is taken",
                chosen, measure.back()));
  return chosen;
}

void keep_leading(linalg::PrincipalSubspace& subspace, Index dimension) {
  subspace.basis.conservativeResize(Eigen::NoChange, dimension);
  subspace.scatter.conservativeResize(dimension);
}

}  // namespace

DomainSubspaces domain_subspaces(const DomainPair& pair, std::optional<int> wanted, std::string_view option,
                                 Report& report, const Execution& run) {
  const Index limit = wanted ? *wanted : kLargestLookedAt;
  DomainSubspaces domains{linalg::principal_subspace({pair.source()}, limit, run),
                          linalg::principal_subspace({pair.target()}, limit, run)};
  require_rank(domains.source, "source", pair.source_count(), wanted, option);
  require_rank(domains.target, "target", pair.target_count(), wanted, option);
  const Index dimension = wanted ? *wanted : choose_dimension(pair, domains, report, run);
  keep_leading(domains.source, dimension);
  keep_leading(domains.target, dimension);
  report.facts["subspace"] = static_cast<double>(dimension);
  return domains;
}

}  // namespace isthmus
