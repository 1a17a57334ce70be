#include "methods/rsa_cdda/explain.h"

#include <gtest/gtest.h>

#include "classify/neighbour_graph.h"
#include "isthmus/errors.h"
#include "methods/rsa_cdda/alternation.h"
#include "toy_domains.h"

namespace isthmus {
namespace {

using testing::toy_domains;

RsaCddaOptions corrected_options(bool explain) {
  RsaCddaOptions o;
  o.mode = RsaCddaMode::Corrected;
  o.classifier = RsaCddaClassifier::Propagation;
  o.components = {4};
  o.lambda = 1.0;
  o.shares = RsaCddaShares::Own;
  o.neighbours = 5;
  o.lambda1 = 1.0;
  o.lambda2 = 0.1;
  o.error_norm = ErrorNorm::L21;
  o.geo = 0.1;
  o.z_weight = 0.3;
  o.growth = 1.5;
  o.explain = explain;
  return o;
}

class RsaCddaExplanation : public ::testing::Test {
 protected:
  RsaCddaAlternation after_two_rounds(bool explain) const {
    RsaCddaAlternation alternation(coordinates_, pair_.source_labels(), pair_.class_count(),
                                   corrected_options(explain), {}, 1);
    for (int round = 0; round < 2; ++round) {
      alternation.compute_round({});
      alternation.finish_round();
    }
    return alternation;
  }

  const DomainPair pair_ = toy_domains(8, 20, 3, 36).pair();
  const SpectralCoordinates coordinates_ = spectral_coordinates(pair_, 8, 1);
};

TEST_F(RsaCddaExplanation, TakesTheReconstructionOfTheLastRound) {
  RsaCddaAlternation kept = after_two_rounds(true);
  RsaCddaAlternation solved = after_two_rounds(false);
  Context cancelled;
  cancelled.cancel = [] { return true; };
  // Solving would stop at once.
  EXPECT_THROW(solved.take_reconstruction(cancelled), Cancelled);
  const Reconstruction found = kept.take_reconstruction(cancelled);
  const Reconstruction again = solved.take_reconstruction({});
  EXPECT_GT(again.z_sparse.norm(), 0.0);
  EXPECT_EQ(found.z_sparse, again.z_sparse);
  EXPECT_EQ(found.error, again.error);
  EXPECT_EQ(found.report.series, again.report.series);
}

TEST_F(RsaCddaExplanation, PropagatedLabelsReachNewSamplesByTheScalesOfTheirGraph) {
  const std::vector<Branch> branches = after_two_rounds(false).take_branches(1);
  ASSERT_EQ(branches.size(), 1U);
  const auto& graph = std::get<GraphScores>(branches[0].classifiers.at(0).classifier);
  const GraphOptions options{5, graph.local_scale_rank, graph.rank_decay};
  EXPECT_EQ(graph.local_scale, self_tuning_graph(graph.references, options, 1).local_scale);
}

}  // namespace
}  // namespace isthmus
