#include "isthmus/adapt.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text.h"
#include "domain/domain_gap.h"
#include "isthmus/errors.h"
#include "linalg/blas_memory.h"
#include "methods/registry.h"
#include "ops/recorded.h"
#include "samples/summaries.h"

namespace isthmus {
namespace {

/// Between which values a pair's prepared features lie.
struct PreparedExtent {
  PreparedExtent(const DomainPair& pair, const Execution& run)
      : source(fold(pair.source(), run, Extent(pair.dimension()))),
        target(fold(pair.target(), run, Extent(pair.dimension()))) {}

  double magnitude() const {
    return std::max(std::abs(source.largest.value), std::abs(target.largest.value));
  }
  bool constant() const {
    Extent both = source;
    both.merge(target);
    return both.constant();
  }

  Extent source;
  Extent target;
};

/// Throws where rounding or overflow left a model that cannot label the target it was fitted on.
void require_usable(const ModelState& state, const DomainPair& pair, const PreparedExtent& extent,
                    const Execution& run) {
  if (!state.target.probabilities.allFinite()) {
    throw NumericalError("the class probabilities are not finite");
  }
  // The sample that overflows first, if any does.
  const Columns largest = pair.target().columns(extent.target.largest.sample, 1);
  for (const Branch& branch : state.branches) {
    if (!branch.embedding.apply(largest, run).allFinite()) {
      throw NumericalError("the embedding of a target sample is not finite");
    }
  }
}

/// Values whose squares, or the squares of these, would leave the range of double are divided by a power of
/// two first, as the step `unit` does. It rounds nothing, so that the labels are those of the same samples in
/// any other unit. Returns a note that says so; otherwise nothing.
std::string bring_to_unit_size(DomainPair& pair, Preprocessing& preprocessing, const PreparedExtent& extent,
                               const Context& context) {
  constexpr double kLargest = 0x1p200;
  const double magnitude = extent.magnitude();
  if (magnitude == 0 || (magnitude <= kLargest && magnitude >= 1.0 / kLargest)) return {};
  Preprocessing unit = Preprocessing::parse("unit");
  unit.fit_apply(pair, context);
  preprocessing.append(std::move(unit));
  return fmt::format(
      "the prepared values reach {:.3g} in magnitude and were divided by 2^{}, which rounds nothing, before "
      "they are squared (step unit); what options give in units of the features, such as an absolute λ, "
      "holds for the result: prepare with l2 or zscore to have no such units",
      magnitude, std::ilogb(magnitude));
}

/// Where nothing tells the classes apart, the labels look like any other.
void note_arbitrary_labels(ModelState& state, const PreparedExtent& extent) {
  constexpr double kRounding = 1e-9;
  const Matrix& probabilities = state.target.probabilities;
  const double share = 1.0 / static_cast<double>(probabilities.rows());
  if ((probabilities.array() - share).abs().maxCoeff() <= kRounding) {
    state.report.notes.emplace_back(
        "every class is equally likely for every target sample, the labels are arbitrary: look for features "
        "that are constant, or too large or too small to be squared");
  } else if (extent.constant()) {
    state.report.notes.emplace_back("all prepared samples are equal, the labels are arbitrary");
  }
}

/// Fits, and says what to do where the numbers break down.
ModelState fit_soundly(const Method& method, const Fit& fit, const DomainPair& pair,
                       const PreparedExtent& extent, const Context& context) {
  try {
    ModelState state = fit(pair, context);
    require_usable(state, pair, extent, context.unstoppable());
    note_arbitrary_labels(state, extent);
    warn_of_gap(pair, state.report);
    if (state.report.status == Status::Stopped && context.out_of_time()) {
      state.report.notes.emplace_back("the time limit ended the fit; the result is the best so far");
    }
    return state;
  } catch (const NumericalError& error) {
    throw NumericalError(
        fmt::format("method '{}' broke down: {}. The prepared values reach {:.3g} in magnitude: scale the "
                    "features (preprocessing zscore, minmax or l2), or remove samples of extreme size",
                    method.info.name, error.what(), extent.magnitude()));
  }
}

}  // namespace

Model adapt_with(const Method& method, const Fit& fit, DomainPair pair, Preprocessing preprocessing,
                 const Context& given) {
  Context context = given;
  std::shared_ptr<ops::RecordedBackend> recorded;
  // The CPU declines nothing: there is nothing to tell.
  if (given.backend && given.backend->name() != "cpu") {
    recorded = std::make_shared<ops::RecordedBackend>(given.backend);
    context.backend = recorded;
  }
  linalg::reserve_blas_memory(context);
  const Index dimension = pair.dimension();
  for (const std::string& name : pair.feature_names()) {
    if (!is_utf8(name)) throw InvalidArgument("the name of a feature is not UTF-8 text; rename it");
  }
  preprocessing.fit_apply(pair, context);
  const PreparedExtent extent(pair, context);
  const std::string note = bring_to_unit_size(pair, preprocessing, extent, context);
  auto state = std::make_shared<ModelState>(fit_soundly(method, fit, pair, extent, context));
  if (!note.empty()) state->report.notes.push_back(note);
  if (recorded) state->report.execution = recorded->sentences();
  state->method = method.info.name;
  state->classes = pair.classes();
  if (!preprocessing.reason().empty()) {
    state->report.notes.push_back(fmt::format("prepared by {}, chosen from the features: {}",
                                              preprocessing.to_string(), preprocessing.reason()));
  }
  state->preprocessing = std::move(preprocessing);
  state->dimension = dimension;
  state->feature_names = pair.feature_names();
  state->report.notes.insert(state->report.notes.begin(), pair.notes().begin(), pair.notes().end());
  return Model(std::move(state));
}

Model adapt(DomainPair pair, const AdaptRequest& request, const Context& context) {
  const Method& method = find_entry(registry(), request.method);
  return adapt_with(method, method.by_text(request.options), std::move(pair), request.preprocessing, context);
}

Model adapt_by(DomainPair pair, const std::any& options, Preprocessing preprocessing,
               const Context& context) {
  for (const Method& method : registry()) {
    if (const std::optional<Fit> fit = method.by_struct(options))
      return adapt_with(method, *fit, std::move(pair), std::move(preprocessing), context);
  }
  throw InvalidArgument("adapt: these are the options of no method; see isthmus/methods.h");
}

}  // namespace isthmus
