#include "isthmus/select.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <mutex>
#include <new>

#include "core/parallel.h"
#include "isthmus/errors.h"

namespace isthmus {
namespace {

using Outcome = SelectionRow::Outcome;

void run_candidate(SelectionRow& row, const DomainPair& pair, const std::vector<std::string>& scores,
                   const Context& context) {
  const auto start = std::chrono::steady_clock::now();
  try {
    Model model = adapt(pair, row.candidate, context);
    ScoreValues values = score_model(model, pair, scores, context);
    // A fit that was cut short, here or within a score, says nothing about the setting.
    if (!context.cancelled()) {
      row.outcome = Outcome::Done;
      row.scores = std::move(values);
      row.model = std::move(model);
    }
  } catch (const Cancelled&) {  // the row stays as it was: stopped
  } catch (const Error& error) {
    row.outcome = Outcome::Failed;
    row.problem = error.what();
  } catch (const std::bad_alloc&) {
    row.outcome = Outcome::Failed;
    row.problem = "out of memory";
  }
  row.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void add_agreement(std::vector<SelectionRow>& rows) {
  std::vector<std::vector<int>> labels;
  std::vector<std::string> methods;
  for (const SelectionRow& row : rows) {
    if (!row.model) continue;
    labels.push_back(row.model->target().labels);
    methods.push_back(row.candidate.method);
  }
  if (labels.empty()) return;
  const std::vector<double> shares = agreement(labels, methods);
  std::size_t next = 0;
  for (SelectionRow& row : rows) {
    if (row.model) row.scores["agreement"] = shares[next++];
  }
}

}  // namespace

std::string_view to_string(SelectionRow::Outcome outcome) {
  switch (outcome) {
    case Outcome::Done:
      return "ok";
    case Outcome::Failed:
      return "failed";
    case Outcome::Stopped:
      return "stopped";
  }
  return "";
}

Selection select(const DomainPair& pair, const SelectRequest& request, const Context& context,
                 const CandidateWatch& watch) {
  if (request.candidates.empty() || request.scores.empty()) {
    throw InvalidArgument("a selection needs at least one candidate and one score");
  }
  for (const std::string& name : request.scores) find_score(name);
  Selection selection;
  selection.score = request.scores.front();
  for (const AdaptRequest& candidate : request.candidates) selection.rows.push_back({.candidate = candidate});

  Context single = context.quiet();
  single.threads = 1;
  const int count = static_cast<int>(selection.rows.size());
  std::mutex guard;
  int started = 0;
  parallel_blocks(context.threads, count, [&](Index i) {
    SelectionRow& row = selection.rows[static_cast<std::size_t>(i)];
    if (context.cancelled()) return;
    if (watch) {
      const std::lock_guard lock(guard);
      watch(row.candidate, ++started, count);
    }
    run_candidate(row, pair, request.scores, single);
  });
  if (std::find(request.scores.begin(), request.scores.end(), "agreement") != request.scores.end()) {
    add_agreement(selection.rows);
  }

  const double sign = find_score(selection.score).higher_is_better ? -1.0 : 1.0;
  const auto cost = [&](std::size_t i) { return sign * selection.rows[i].scores.at(selection.score); };
  for (std::size_t i = 0; i < selection.rows.size(); ++i) {
    if (selection.rows[i].model && !std::isnan(cost(i))) selection.ranking.push_back(i);
  }
  std::stable_sort(selection.ranking.begin(), selection.ranking.end(),
                   [&](std::size_t a, std::size_t b) { return cost(a) < cost(b); });
  return selection;
}

}  // namespace isthmus
