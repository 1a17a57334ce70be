#include <fmt/format.h>

#include <fmt/ranges.h>
#include <algorithm>
#include <cmath>
#include <functional>

#include "core/options_io.h"
#include "core/text.h"
#include "domain/domain_gap.h"
#include "isthmus/adapt.h"
#include "isthmus/errors.h"
#include "linalg/blas_memory.h"
#include "methods/cdda.h"
#include "methods/coral.h"
#include "methods/gfk.h"
#include "methods/jda.h"
#include "methods/logistic.h"
#include "methods/lrsr.h"
#include "methods/ltsl.h"
#include "methods/nn.h"
#include "methods/pca.h"
#include "methods/rsa_cdda/rsa_cdda.h"
#include "methods/sa.h"
#include "methods/tca.h"
#include "methods/tsl.h"
#include "samples/summaries.h"

namespace isthmus {
namespace {

using Fit = std::function<ModelState(const DomainPair&, const OptionMap&, const Context&)>;

struct Method {
  MethodInfo info;
  Fit fit;
};

/// Ties a method's options struct, its description and its fit function together.
template <class Options>
Method entry(std::string_view name, std::string_view title, std::string_view summary,
             std::string_view reference, ModelState (*fit)(const DomainPair&, Options, const Context&)) {
  Options defaults;
  MethodInfo info{name, title, summary, reference,
                  option_specs([&](OptionVisitor& visit) { describe(visit, defaults); })};
  return {std::move(info),
          [name, fit](const DomainPair& pair, const OptionMap& values, const Context& context) {
            Options options;
            const auto walk = [&](OptionVisitor& visit) { describe(visit, options); };
            assign_options(walk, values, "method '" + std::string(name) + "'");
            ModelState state = fit(pair, options, context);
            state.requested = option_values(walk);
            return state;
          }};
}

/// The one list of methods, in the order of Table 1.
const std::vector<Method>& registry() {
  static const std::vector<Method> list{
      entry("nn", "Nearest neighbour", "1-NN on the prepared features, without adaptation.",
            "Cover & Hart, Nearest neighbor pattern classification, 1967", fit_nn),
      entry("logistic", "Logistic regression",
            "Multinomial logistic regression on the prepared source, without adaptation.",
            "Cox, The regression analysis of binary sequences, 1958", fit_logistic),
      entry("pca", "Principal component analysis", "1-NN in the principal subspace of both domains together.",
            "Pearson, On lines and planes of closest fit, 1901", fit_pca),
      entry("gfk", "Geodesic flow kernel",
            "1-NN over all subspaces on the geodesic from the source's principal subspace to the target's.",
            "Gong, Shi, Sha, Grauman, Geodesic flow kernel for unsupervised domain adaptation, CVPR 2012",
            fit_gfk),
      entry("tca", "Transfer component analysis",
            "The subspace that keeps variance while the means of both domains fall together.",
            "Pan, Tsang, Kwok & Yang, Domain adaptation via transfer component analysis, 2011", fit_tca),
      entry(
          "tsl", "Transfer subspace learning",
          "A subspace that serves a criterion on the source while the domains' densities agree in it.",
          "Si, Tao, Geng, Bregman divergence-based regularization for transfer subspace learning, TKDE 2010",
          fit_tsl),
      entry(
          "jda", "Joint distribution adaptation",
          "TCA that also brings the means of each class together, round by round with its own target labels.",
          "Long, Wang, Ding, Sun & Yu, Transfer feature learning with joint distribution adaptation, 2013",
          fit_jda),
      entry("cdda", "Close yet discriminative domain adaptation",
            "JDA that also pushes each class away from the others, across domains and within the source.",
            "Luo, Wang, Hu, Wang, Tang & Chen, Close yet discriminative domain adaptation, 2017", fit_cdda),
      entry("lrsr", "Low-rank and sparse representation with relaxed labels",
            "A regression subspace in which source samples rebuild the target by few, low-rank coefficients.",
            "Xu, Fang, Wu, Li & Zhang, Discriminative transfer subspace learning via low-rank and sparse "
            "representation, 2016",
            fit_lrsr),
      entry("ltsl", "Low-rank transfer subspace learning",
            "A PCA or LDA subspace in which the source rebuilds the target by low-rank coefficients.",
            "Shao, Kit & Fu, Generalized transfer subspace learning through low-rank constraint, 2014",
            fit_ltsl),
      entry("rsa-cdda", "Robust data geometric structure aligned, close yet discriminative domain adaptation",
            "Classes drawn together across domains and pushed apart from others, labels from the latent "
            "geometry.",
            "Luo, Wang, Hu & Chen, Robust data geometric structure aligned close yet discriminative domain "
            "adaptation, 2017",
            fit_rsa_cdda),
      entry("sa", "Subspace alignment",
            "1-NN after turning the source's principal subspace towards the target's.",
            "Fernando, Habrard, Sebban, Tuytelaars, Unsupervised visual domain adaptation using subspace "
            "alignment, ICCV 2013",
            fit_sa),
      entry("coral", "Correlation alignment",
            "1-NN after giving the source the target's mean and covariance.",
            "Sun, Feng, Saenko, Return of frustratingly easy domain adaptation, AAAI 2016", fit_coral),
  };
  return list;
}

const Method& find_entry(std::string_view name) {
  std::vector<std::string> names;
  for (const Method& method : registry()) {
    if (method.info.name == name) return method;
    names.emplace_back(method.info.name);
  }
  throw InvalidArgument(fmt::format("there is no method '{}'{}; the methods are: {}", name,
                                    did_you_mean(name, names), fmt::join(names, ", ")));
}

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
                    int threads) {
  if (!state.target.probabilities.allFinite()) {
    throw NumericalError("the class probabilities are not finite");
  }
  // The sample that overflows first, if any does.
  const Columns largest = pair.target().columns(extent.target.largest.sample, 1);
  for (const Branch& branch : state.branches) {
    if (!branch.embedding.apply(largest, threads).allFinite()) {
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
ModelState fit_soundly(const Method& method, const DomainPair& pair, const PreparedExtent& extent,
                       const OptionMap& options, const Context& context) {
  try {
    ModelState state = method.fit(pair, options, context);
    require_usable(state, pair, extent, context.threads);
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

std::span<const MethodInfo> methods() {
  static const std::vector<MethodInfo> infos = [] {
    std::vector<MethodInfo> list;
    for (const Method& method : registry()) list.push_back(method.info);
    return list;
  }();
  return infos;
}

const MethodInfo& find_method(std::string_view name) {
  return find_entry(name).info;
}

Model adapt(DomainPair pair, const AdaptRequest& request, const Context& context) {
  const Method& method = find_entry(request.method);
  linalg::reserve_blas_memory(context.threads);
  const Index dimension = pair.dimension();
  for (const std::string& name : pair.feature_names()) {
    if (!is_utf8(name)) throw InvalidArgument("the name of a feature is not UTF-8 text; rename it");
  }
  Preprocessing preprocessing = request.preprocessing;
  preprocessing.fit_apply(pair, context);
  const PreparedExtent extent(pair, context);
  const std::string note = bring_to_unit_size(pair, preprocessing, extent, context);
  auto state = std::make_shared<ModelState>(fit_soundly(method, pair, extent, request.options, context));
  if (!note.empty()) state->report.notes.push_back(note);
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

}  // namespace isthmus
