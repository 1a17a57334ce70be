#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "isthmus/adapt.h"
#include "isthmus/scores.h"

namespace isthmus {

/// One method with one setting, as it was run and scored.
struct SelectionRow {
  enum class Outcome {
    Done,
    Failed,   ///< `problem` says why
    Stopped,  ///< cancelled before its scores were known
  };

  AdaptRequest candidate;
  Outcome outcome = Outcome::Stopped;
  std::string problem = {};
  ScoreValues scores = {};
  double seconds = 0;  ///< fit and scores, on one thread
  std::optional<Model> model = {};
};

std::string_view to_string(SelectionRow::Outcome outcome);

struct Selection {
  std::string score;                 ///< that ranked
  std::vector<SelectionRow> rows;    ///< in the order of the candidates
  std::vector<std::size_t> ranking;  ///< rows with a score, best first; equal ones in the candidates' order
};

struct SelectRequest {
  std::vector<AdaptRequest> candidates = {};
  std::vector<std::string> scores{std::string(default_score())};  ///< the first one ranks
};

/// Called before each candidate starts, from one thread at a time: what it is, its number from 1 and how many
/// there are.
using CandidateWatch = std::function<void(const AdaptRequest&, int number, int count)>;

/// Fits every candidate to the pair, as many side by side as the context has threads and each on one of them,
/// and ranks them without target labels: where the pair has any, they are not read. A candidate that fails is
/// recorded and the others go on; cancelling keeps those that are done. All models are kept.
///
///     isthmus::Selection found = isthmus::select(pair, {isthmus::default_candidates(pair, prepared)},
///     context); found.rows[found.ranking.front()].model->target().labels;
Selection select(const DomainPair& pair, const SelectRequest& request, const Context& context = {},
                 const CandidateWatch& watch = {});

/// The default grid of every method but the slow ones (tsl, ltsl), its dimensions cut to what the pair
/// allows.
std::vector<AdaptRequest> default_candidates(const DomainPair& pair, const Preprocessing& preprocessing);

}  // namespace isthmus
