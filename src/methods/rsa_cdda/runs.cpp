#include "methods/rsa_cdda/runs.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace isthmus {
namespace {

/// How a run differs from the options given: λ, spectrum and components times these, and the voices that
/// speak in it.
struct Variation {
  double lambda;
  double spectrum;
  double components;
  Voices voices;
};
constexpr std::array<Variation, kLargestCommittee> kGraphRuns{{
    {1.0, 1.0, 1.0, {}},
    {1.0 / 3.0, 0.75, 0.8, {.earned = true}},
    {10.0 / 3.0, 1.0, 0.6, {.earned = true}},
    {1.0 / 3.0, 0.625, 0.8, {.earned = true}},
    {1.0, 0.5, 1.0, {.earned = true, .flat = true}},
    {1.0, 0.375, 1.0, {.earned = true, .flat = true}},
    {10.0 / 3.0, 0.375, 1.0, {.earned = true, .flat = true}},
    {1.0, 0.5, 0.8, {.earned = true, .flat = true}},
}};
// A linear classifier needs the weak directions that a squared spectrum drowns.
constexpr std::array<Variation, 3> kLinearRuns{{{1.0, 0.5, 1.0, {.earned = true, .linear = 1.0}},
                                                {1.0 / 3.0, 0.5, 0.8, {.earned = true, .linear = 1.0}},
                                                {1.0, 0.5, 1.0, {.earned = true, .linear = 2.0}}}};

RunSetting varied(RsaCddaOptions o, const Variation& variation) {
  *o.lambda *= variation.lambda;
  o.spectrum *= variation.spectrum;
  for (int& k : o.components) k = std::max(1, static_cast<int>(std::lround(k * variation.components)));
  const bool weak_directions = variation.voices.flat || variation.voices.linear > 0.0;
  if (o.shares == RsaCddaShares::Mixed)
    o.shares = weak_directions ? RsaCddaShares::Target : RsaCddaShares::Own;
  return {std::move(o), variation.voices};
}

}  // namespace

std::vector<RunSetting> run_settings(const RsaCddaOptions& options) {
  const auto wanted = static_cast<std::size_t>(*options.committee);
  // In the corrected mode, runs differ in their landmarks only.
  if (options.mode == RsaCddaMode::Corrected) return std::vector<RunSetting>(wanted, {options, Voices{}});
  std::vector<RunSetting> runs;
  if (options.voices != RsaCddaVoices::Linear) {
    for (std::size_t i = 0; i < wanted; ++i) runs.push_back(varied(options, kGraphRuns[i]));
  }
  if (options.voices != RsaCddaVoices::Graph) {
    for (std::size_t i = 0; i < std::min(wanted, kLinearRuns.size()); ++i)
      runs.push_back(varied(options, kLinearRuns[i]));
  }
  return runs;
}

}  // namespace isthmus
