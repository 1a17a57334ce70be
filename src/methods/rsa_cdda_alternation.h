#pragma once

#include <vector>

#include "alm/reconstruct.h"
#include "methods/rsa_cdda_coordinates.h"
#include "methods/rsa_cdda_labels.h"
#include "mmd/class_means.h"
#include "mmd/matched_subspace.h"

namespace isthmus {

/// The alternation of the `geometry` and `corrected` modes: embedding, (Z and E,) labels, round by round.
/// Each block solves its own sub-problem; the refresh of the labels carries no descent guarantee.
class RsaCddaAlternation {
 public:
  /// `coordinates` and `source_labels` must outlive it. `options` are resolved.
  RsaCddaAlternation(const SpectralCoordinates& coordinates, const std::vector<int>& source_labels,
                     int class_count, RsaCddaOptions options, const Voices& voices, int threads);

  /// One round; true when the labels repeat those of the round before.
  bool step(const Context& context);

  const Voices& voices() const { return voices_; }
  bool converged() const { return converged_; }
  const LabelInference& inference() const { return inference_; }
  const std::vector<int>& labels() const { return inference_.labels; }
  /// Per-round series: objective, closeness, repulsion, variance, ridge, eigen_residual, graph_residual,
  /// label_changes; with Z also reconstruction_objective, reconstruction_rank, reconstruction_zero_share.
  const Report& report() const { return report_; }
  /// Z and E in the unit embedding of the last round.
  Reconstruction reconstruct_target(const Context& context) const;
  /// The branches with projections that take samples.
  std::vector<Branch> take_branches();

 private:
  Eigen::Ref<const Matrix> source() const {
    return features_.leftCols(static_cast<Index>(source_labels_.size()));
  }
  Eigen::Ref<const Matrix> target() const {
    return features_.rightCols(features_.cols() - static_cast<Index>(source_labels_.size()));
  }
  ReconstructionOptions reconstruction_options() const;
  void use_reconstruction(const Context& context);
  void record(const MatchedSubspace& subspace, Index label_changes);

  const SpectralCoordinates& coordinates_;
  const std::vector<int>& source_labels_;
  int class_count_;
  RsaCddaOptions options_;
  Voices voices_;
  Matrix features_;
  ClassMeans classes_;
  SubspaceMatcher matcher_;
  Matrix projection_;
  Matrix robust_;  ///< R of the last round, r×r
  Matrix z_;       ///< of the last round, its sparse copy
  Matrix seeds_;   ///< class scores of Z
  LabelInference inference_;
  bool converged_ = false;
  Report report_;
};

}  // namespace isthmus
