#pragma once

#include <optional>

#include "isthmus/context.h"
#include "isthmus/domain.h"
#include "isthmus/options.h"
#include "methods/source_state.h"
#include "model/state.h"

namespace isthmus {

/// What the subspace is to keep.
enum class LtslCriterion {
  Pca,  ///< variance of both domains: F(P) = −tr(Pᵀ X H Xᵀ P), PᵀP = I
  Lda,  ///< separation of the source classes: F(P) = −tr(Pᵀ S_b P), Pᵀ(S_t + ridge)P = ns·I
};

/// Generalized transfer subspace learning through low-rank constraint (Shao, Kit & Fu 2014):
///
///   min F(P) + ‖Z‖_* + λ‖E‖₂,₁   s.t.  PᵀXt = PᵀXs Z + E,  P normalised as F asks.
///
/// Alternates the reconstruction for fixed P with a majorised step for P; then 1-NN.
struct LtslOptions {
  LtslCriterion criterion = LtslCriterion::Pca;
  std::optional<int> components = {};  ///< own: 100, as in the published comparison, or as many as there are
  double lambda = 1.0;                 ///< error and rank weigh the same
  double ridge = 0.01;      ///< of lda's S_t, relative to its mean eigenvalue: keeps it definite for d > ns
  int rounds = 5;           ///< P hardly turns after that
  int sweeps = 12;          ///< of the reconstruction per round
  double penalty = 0.18;    ///< μ of the first sweep
  double growth = 1.5;      ///< of μ: the constraint is nearly exact after 12 sweeps
  double tolerance = 1e-4;  ///< relative change of the energy
  bool normalize_embedding = false;
  std::optional<int> prototypes = {};  ///< own: every source sample may rebuild
  ReferenceOptions classifier{};
};

void describe(OptionVisitor& visit, LtslOptions& options);
ModelState fit_ltsl(const DomainPair& pair, LtslOptions options, const Context& context);

}  // namespace isthmus
