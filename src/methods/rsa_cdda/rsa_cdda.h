#pragma once

#include <optional>
#include <vector>

#include "alm/reconstructor.h"
#include "isthmus/context.h"
#include "isthmus/domain.h"
#include "isthmus/options.h"
#include "model/state.h"

namespace isthmus {

enum class RsaCddaMode {
  Geometry,   ///< closeness and repulsion in the embedding, labels from the latent geometry
  Corrected,  ///< the paper's whole energy, soundly alternated: also Z and E
  Printed,    ///< the paper's Algorithm 1 with the least repairs, for the record
};

/// What infers labels in the embedding.
enum class RsaCddaClassifier {
  Nearest,      ///< 1-NN, as in the published protocol
  Propagation,  ///< label propagation on the joint graph, with Z's class scores as seeds where there is a Z
  Geometry,     ///< harmonic labels plus the structural-risk classifier
  Harmonic,     ///< harmonic labels alone
  Risk,         ///< the structural-risk classifier alone
};

/// Which runs label together in geometry mode.
enum class RsaCddaVoices {
  Both,    ///< weighed by what can be known of them without target labels
  Graph,   ///< harmonic labels and structural risk
  Linear,  ///< the same and logistic regression in the embedding
};

/// The shares of the source's classes where its mean is compared with the target's.
enum class RsaCddaShares {
  Own,
  Target,  ///< those of the target's labels so far
  Mixed,   ///< the target's in runs with a linear voice or a flat spectrum, its own in others
};

/// Robust data geometric structure aligned, close yet discriminative domain adaptation. What is not set takes
/// the mode's own value, "own" below (geometry / corrected / printed); fit_rsa_cdda fills it in first.
struct RsaCddaOptions {
  RsaCddaMode mode = RsaCddaMode::Geometry;
  std::optional<RsaCddaClassifier> classifier = {};  ///< own: geometry / propagation / nearest
  std::optional<RsaCddaVoices> voices = {};  ///< own: both with the geometry classifier, graph with others
  std::optional<int> committee =
      {};  ///< independent runs whose scores are added; own: 5 / 1 / 1; 8 with landmarks
  std::optional<int> landmarks = {};         ///< samples of a domain in a run; own: 0, all, up to a size
  std::optional<int> rounds = {};            ///< own: 8 / 5 / 10
  std::vector<int> components{20, 50, 100};  ///< the largest is the embedding's dimension
  std::optional<int> rank = {};              ///< own: 200 / 200 / 400 leading coordinates of the data
  double spectrum = 2.0;              ///< features Σ^p Vᵀ: 2 is the linear kernel, 1 the data itself
  std::optional<double> lambda = {};  ///< own: 0.3 / 1 / 1
  double closeness = 1.0;             ///< of the domains and classes, against the ridge
  double gamma = 1.0;                 ///< repulsion against the variance
  std::optional<RsaCddaShares> shares = {};  ///< own: mixed / own / own
  std::optional<int> neighbours = {};        ///< own: 20; 5 with classifier = propagation
  int local_scale = 7;
  double rank_decay = 3.0;
  double leak = 1e-3;
  double mmd_weight = 10.0;
  double laplacian_weight = 1.0;
  double classifier_ridge = 0.1;
  int classifier_rounds = 3;
  std::optional<double> lambda1 = {};        ///< own: 1 / 1 / 1e-4
  std::optional<double> lambda2 = {};        ///< own: 0.1 / 0.1 / 1
  std::optional<ErrorNorm> error_norm = {};  ///< own: l21 / l21 / l1
  std::optional<double> geo = {};            ///< own: 0 / 0.1 / 0
  std::optional<double> z_weight = {};       ///< own: 0 / 0.3 / 0
  double z_edges = 0.0;
  double alpha = 0.9;
  double class_mass = 1.0;
  int reconstruction_iterations = 12;
  double penalty = 0.18;
  std::optional<double> growth = {};  ///< own: 1.5 / 1.5 / 1.01
  bool explain = false;
  int explain_count = 5;
};

void describe(OptionVisitor& visit, RsaCddaOptions& options);
ModelState fit_rsa_cdda(const DomainPair& pair, RsaCddaOptions options, const Context& context);

}  // namespace isthmus
