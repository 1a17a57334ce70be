#pragma once

#include <optional>
#include <string>
#include <vector>

#include "domain/kernel.h"
#include "isthmus/context.h"
#include "isthmus/domain.h"
#include "isthmus/methods.h"
#include "isthmus/options.h"

namespace isthmus {

void describe_kernel(OptionVisitor& visit, KernelOptions& options);

/// The coordinates z in which a method works, r×n for both domains, and the way there from new samples.
///
/// A kernel method on K = V L Vᵀ with a ridge on its coefficients is exactly the primal method on the
/// features z = L Vᵀ (r×n), whichever kernel gave K:
///   primal       z = x
///   linear       z = ΣUᵀx for X = UΣVᵀ: a linear map of x, nothing of size n is formed
///   non-linear   z = Vᵀκ(x) with the kernel values κ against all samples; or, by Nyström, against landmarks:
///                K ≈ κᵀW⁻¹κ with W the landmarks' own kernel matrix, decomposed the same way
struct FeatureSpace {
  /// Samples as stored: x itself (shared with the pair) for primal and linear, z for non-linear kernels.
  FeatureMatrix source, target;
  Matrix basis;                     ///< T with z = Tᵀ·(stored sample); 0×0 is the identity
  Matrix scatter;                   ///< Z H Zᵀ, r×r
  std::optional<KernelMap> kernel;  ///< κ, for non-linear kernels
  std::optional<KernelSize> size;   ///< how κ is held
  Matrix kernel_basis;              ///< B with z = Bᵀκ(x), for non-linear kernels
  std::vector<std::string> notes;   ///< widths, landmarks and limits that were chosen

  Index dimension() const { return scatter.rows(); }
  Index count() const { return source.count() + target.count(); }
  /// Stored samples, or their means, in coordinates: Tᵀ·stored.
  Matrix coordinates(MatrixView stored) const;
  /// Directions in z (r×k) as a projection of stored samples.
  Matrix on_stored(MatrixView directions) const;
};

/// Throws InvalidArgument where an exact kernel is asked for beyond its
/// limit.
FeatureSpace make_feature_space(const DomainPair& pair, const KernelOptions& options, const Context& context);

}  // namespace isthmus
