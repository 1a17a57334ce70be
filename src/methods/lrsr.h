#pragma once

#include <optional>

#include "isthmus/context.h"
#include "isthmus/domain.h"
#include "isthmus/options.h"
#include "methods/source_state.h"
#include "model/state.h"

namespace isthmus {

/// Discriminative transfer subspace learning via low-rank and sparse representation (Xu et al. 2016):
///
///   min ½‖PᵀXs − (Y + B∘M)‖² + γ‖P‖² + ‖Z‖_* + α‖Z‖₁ + β‖E‖₁   s.t.  PᵀXt = PᵀXs Z + E,  M ≥ 0.
///
/// Y are the source labels as 0/1 columns, B is +1 at a sample's own class and −1 elsewhere, and M relaxes
/// the labels: a fit on the right side of its label costs nothing. P is updated inside every sweep of the
/// reconstruction's ALM, as published; then 1-NN.
struct LrsrOptions {
  double gamma = 1.0;       ///< with 5 sweeps gives the published cells C→D and W→D on unit samples
  double alpha = 1.0;       ///< as published
  double beta = 1e-4;       ///< as published
  double penalty = 0.1;     ///< μ of the first sweep, as published
  double growth = 1.01;     ///< of μ, as published
  int iterations = 5;       ///< accuracy has settled there on the benchmark
  double tolerance = 1e-6;  ///< of the reconstruction's residuals
  bool normalize_embedding =
      true;  ///< scores are compared by direction: a sample's length is the domain's contrast
  std::optional<int> prototypes = {};  ///< own: every source sample may rebuild
  ReferenceOptions classifier{};
};

void describe(OptionVisitor& visit, LrsrOptions& options);
ModelState fit_lrsr(const DomainPair& pair, LrsrOptions options, const Context& context);

}  // namespace isthmus
