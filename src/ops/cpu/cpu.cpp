#include "ops/cpu/cpu.h"

#include "core/parallel.h"
#include "linalg/blas.h"
#include "samples/fold.h"

namespace isthmus::ops {
namespace {

// Samples embedded by one task; the block of a matrix product.
constexpr Index kEmbeddedAtOnce = 512;

}  // namespace

std::optional<linalg::Moments> CpuBackend::fold_moments(const std::vector<SampleView>& parts,
                                                        const Execution& run) {
  linalg::Moments moments(parts.front().rows());
  for (const SampleView& part : parts) moments.merge(fold(part, run, linalg::Moments(part.rows())));
  return moments;
}

bool CpuBackend::embed(const AffineMap& map, const SampleView& samples, const Execution& run,
                       Eigen::Ref<Matrix> embedded) {
  parallel_ranges(run, samples.cols(), kEmbeddedAtOnce, [&](Index begin, Index length) {
    auto block = embedded.middleCols(begin, length);
    const Columns features = samples.columns(begin, length);
    if (map.projection.size() > 0) {
      linalg::gemm(linalg::Op::Transpose, linalg::Op::None, 1.0, map.projection, features, 0.0, block, 1);
    } else {
      block = features;
    }
    if (map.offset.size() > 0) block.colwise() += map.offset;
    if (map.unit_columns) linalg::normalize_columns(block);
  });
  return true;
}

}  // namespace isthmus::ops
