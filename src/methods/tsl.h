#pragma once

#include <optional>

#include "domain/transfer_objective.h"
#include "isthmus/context.h"
#include "isthmus/domain.h"
#include "isthmus/options.h"
#include "methods/source_state.h"
#include "model/state.h"

namespace isthmus {

/// Transfer subspace learning (Si, Tao, Geng, TKDE 2010): orthonormal W minimising
///     F(W) + λ D(W),
/// F a criterion on the labelled source and D the quadratic divergence between Gaussian kernel density
/// estimates of both domains' projections WᵀX, by gradient descent on the Stiefel manifold from the joint
/// principal components. The width of the densities is fixed at the start, so that the objective falls.
struct TslOptions {
  TransferCriterion criterion = TransferCriterion::Fisher;
  std::optional<int> components = {};  ///< own: 50; 20 … 100 differ little, and cost grows with it
  double lambda = 10.0;                ///< D is a few thousandths where F is tenths
  double regularization = 0.1;  ///< δ / tr S_t; without it Fisher's ratio fits directions of no variance
  std::optional<double> bandwidth = {};  ///< own: median distance between the domains' samples at the start
  int iterations = 50;
  double tolerance = 1e-5;
  int max_samples = 2000;  ///< per domain in D, whose cost is quadratic; the 16 published tasks stay whole
  bool normalize = true;
  ReferenceOptions classifier{};
};

void describe(OptionVisitor& visit, TslOptions& options);
ModelState fit_tsl(const DomainPair& pair, TslOptions options, const Context& context);

}  // namespace isthmus
