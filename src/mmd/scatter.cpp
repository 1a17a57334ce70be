#include "mmd/scatter.h"

#include <fmt/format.h>

#include <algorithm>

#include "isthmus/errors.h"
#include "linalg/blas.h"

namespace isthmus {

Scatter total_scatter(const DomainPair& pair, int threads) {
  const auto ns = static_cast<double>(pair.source_count());
  const auto nt = static_cast<double>(pair.target_count());
  Scatter scatter;
  scatter.mean =
      (ns * linalg::column_mean(pair.source(), threads) + nt * linalg::column_mean(pair.target(), threads)) /
      (ns + nt);
  // XHXᵀ = XXᵀ − n m mᵀ
  scatter.matrix = linalg::gram(pair.source(), threads) + linalg::gram(pair.target(), threads);
  scatter.matrix.noalias() -= (ns + nt) * scatter.mean * scatter.mean.transpose();
  return scatter;
}

Index require_components(int wanted, const DomainPair& pair) {
  const Index bound = std::min(pair.dimension(), pair.source_count() + pair.target_count() - 1);
  if (wanted > bound) {
    throw InvalidArgument(fmt::format(
        "option 'components' is {}; expected at most {} ({} features, {} samples): ask for fewer components",
        wanted, bound, pair.dimension(), pair.source_count() + pair.target_count()));
  }
  return wanted;
}

}  // namespace isthmus
