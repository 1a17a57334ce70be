#pragma once

#include <optional>
#include <vector>

#include "alm/reconstruct.h"
#include "core/record.h"
#include "domain/class_means.h"
#include "domain/matched_subspace.h"
#include "isthmus/execution.h"
#include "methods/rsa_cdda/coordinates.h"
#include "methods/rsa_cdda/labels.h"

namespace isthmus {

/// What a round found, in numbers.
struct RsaCddaRound {
  double objective = 0;  ///< of the subspace, and its terms
  double closeness = 0;
  double repulsion = 0;
  double variance = 0;
  double ridge = 0;
  double eigen_residual = 0;
  double graph_residual = 0;
  Index label_changes = 0;
  std::optional<ReconstructionMeasure> reconstruction = {};  ///< where there is a Z
};
Series series_of(const std::vector<RsaCddaRound>& rounds);

/// The alternation of the `geometry` and `corrected` modes: embedding, (Z and E,) labels, round by round.
/// Each block solves its own sub-problem; the refresh of the labels carries no descent guarantee.
class RsaCddaAlternation {
 public:
  /// `coordinates` and `source_labels` must outlive it. `options` are resolved.
  RsaCddaAlternation(const SpectralCoordinates& coordinates, const std::vector<int>& source_labels,
                     int class_count, RsaCddaOptions options, const Voices& voices, const Execution& run);

  /// The next round in two steps, so that several alternations make it together or not at all: cancelled
  /// while it is computed, the last round stands.
  void compute_round(const Context& context);
  void finish_round();

  const Voices& voices() const { return voices_; }
  /// Whether the labels of the last round repeat those of the round before.
  bool converged() const { return last_.converged; }
  /// Whether no more rounds are wanted for now: what the last one found stands.
  void rest(bool resting) { resting_ = resting; }
  bool settled() const { return resting_ || last_.converged; }
  const LabelInference& inference() const { return last_.inference; }
  const std::vector<int>& labels() const { return last_.inference.labels; }
  const std::vector<RsaCddaRound>& rounds() const { return rounds_; }
  /// Z and E in the unit embedding of the last round, once: those it found, or else solved for now.
  Reconstruction take_reconstruction(const Context& context);
  /// The branches with projections that take samples.
  std::vector<Branch> take_branches(const Execution& run);

 private:
  Eigen::Ref<const Matrix> source() const {
    return features_.leftCols(static_cast<Index>(source_labels_.size()));
  }
  Eigen::Ref<const Matrix> target() const {
    return features_.rightCols(features_.cols() - static_cast<Index>(source_labels_.size()));
  }
  struct Round {
    Matrix projection;
    Matrix robust;  ///< R, r×r; empty without geo
    LabelInference inference;
    std::optional<Reconstruction> rebuilt;  ///< to explain by, without Z itself
    bool converged = false;
    RsaCddaRound numbers;
  };
  /// What Z says about labels; empty without it.
  struct Evidence {
    Matrix seeds;  ///< class scores
    Reconstruction rebuilt;
    std::optional<ReconstructionMeasure> measure = {};
  };

  ReconstructionOptions reconstruction_options() const;
  Reconstruction reconstruct_in(const Matrix& projection, const Context& context) const;
  Evidence use_reconstruction(Round& now, const Context& context) const;

  const SpectralCoordinates& coordinates_;
  const std::vector<int>& source_labels_;
  int class_count_;
  RsaCddaOptions options_;
  Voices voices_;
  Matrix features_;
  ClassMeans classes_;
  SubspaceMatcher matcher_;
  bool resting_ = false;
  Round last_;
  Round next_;  ///< computed, not yet finished
  std::vector<RsaCddaRound> rounds_;
};

}  // namespace isthmus
