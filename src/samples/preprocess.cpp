#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <span>

#include "core/parallel.h"
#include "core/text.h"
#include "isthmus/errors.h"
#include "isthmus/preprocessing.h"
#include "samples/choose_preparation.h"
#include "samples/summaries.h"

namespace isthmus {
namespace {

using Kind = Preprocessing::Kind;
using Step = Preprocessing::Step;

struct StepName {
  std::string_view name;
  Kind kind;
  bool joint;  ///< without a suffix
};

constexpr std::array kSteps{
    StepName{"l2", Kind::L2, false},         StepName{"sum", Kind::Sum, false},
    StepName{"zscore", Kind::ZScore, false}, StepName{"minmax", Kind::MinMax, true},
    StepName{"center", Kind::Center, true},  StepName{"unit", Kind::Unit, true},
};

constexpr std::string_view kAuto = "auto";
constexpr std::string_view kJoint = "joint";
constexpr std::string_view kDomain = "domain";

/// Samples a thread takes at a time.
constexpr Index kPreparedBlock = 512;

/// Spread of a feature, as a share of its largest magnitude, up to which it is constant.
constexpr double kConstant = 1e-12;

bool per_feature(Kind kind) {
  return kind != Kind::L2 && kind != Kind::Sum;
}

std::string_view name_of(Kind kind) {
  for (const StepName& known : kSteps) {
    if (known.kind == kind) return known.name;
  }
  return {};
}

bool parse_scope(std::string_view name, std::string_view scope) {
  if (scope != kJoint && scope != kDomain) {
    throw InvalidArgument(
        fmt::format("preprocessing step '{}' has no '{}'{}; write {}:domain or {}:joint", name, scope,
                    did_you_mean(scope, {std::string(kJoint), std::string(kDomain)}), name, name));
  }
  return scope == kJoint;
}

Step parse_step(std::string_view word, std::string_view list) {
  const auto colon = word.find(':');
  const std::string_view name = word.substr(0, colon);
  std::vector<std::string> names;
  for (const StepName& known : kSteps) {
    names.emplace_back(known.name);
    if (known.name != name) continue;
    if (colon == std::string_view::npos) return {known.kind, known.joint, {}};
    if (!per_feature(known.kind)) {
      throw InvalidArgument(
          fmt::format("preprocessing step '{}' takes no '{}': it looks at one sample at a time; "
                      "write {}",
                      name, word.substr(colon), name));
    }
    return {known.kind, parse_scope(name, word.substr(colon + 1)), {}};
  }
  if (word.empty()) {
    throw InvalidArgument(
        fmt::format("preprocessing '{}' holds an empty step; write the steps with one comma "
                    "between, or none",
                    list));
  }
  if (word == "none" || word == kAuto) {
    throw InvalidArgument(
        fmt::format("preprocessing '{}' mixes {} with other steps; {} stands alone", list, word, word));
  }
  throw InvalidArgument(fmt::format("there is no preprocessing step '{}'{}; the steps are: {}", name,
                                    did_you_mean(name, names), fmt::join(names, ", ")));
}

/// The domains a statistic is taken over: one, or both.
using Parts = std::span<const FeatureMatrix* const>;

/// Offset and scale of a step over the given samples, d×2.
Matrix fit_feature_step(Kind kind, Parts parts, const Execution& run) {
  using Statistics = Together<Extent, FeatureMoments>;
  const Index dimension = parts.front()->dimension();
  Statistics all{Extent(dimension), FeatureMoments(dimension)};
  for (const FeatureMatrix* part : parts) {
    all.merge(fold(*part, run, Statistics{Extent(dimension), FeatureMoments(dimension)}));
  }
  const Extent& range = all.get<Extent>();
  const FeatureMoments& moments = all.get<FeatureMoments>();
  Matrix fitted(dimension, 2);
  if (kind == Kind::Center) {
    fitted << moments.mean, Vector::Ones(dimension);
  } else if (kind == Kind::Unit) {
    const double largest = range.magnitude().maxCoeff();
    fitted.col(0).setZero();
    fitted.col(1).setConstant(largest > 0 ? std::exp2(std::ilogb(largest)) : 1.0);
  } else {
    const bool minmax = kind == Kind::MinMax;
    const Vector spread = minmax ? Vector(range.greatest - range.smallest) : moments.deviation();
    fitted.col(0) = minmax ? range.smallest : moments.mean;
    fitted.col(1) = (spread.array() <= kConstant * range.magnitude().array()).select(0.0, spread);
  }
  for (Index feature = 0; feature < fitted.rows(); ++feature) {
    if (fitted.row(feature).allFinite()) continue;
    throw NumericalError(fmt::format(
        "preprocessing step '{}' overflows at feature {} (from 1), whose values reach from {} to {}; "
        "scale the feature down first",
        name_of(kind), feature + 1, range.smallest[feature], range.greatest[feature]));
  }
  return fitted;
}

void fit_step(Step& step, const FeatureMatrix& source, const FeatureMatrix& target, const Execution& run) {
  if (!per_feature(step.kind)) return;
  const std::array both{&source, &target};
  step.statistics.resize(source.dimension(), 4);
  if (step.joint) {
    step.statistics << fit_feature_step(step.kind, both, run), Matrix::Zero(source.dimension(), 2);
    step.statistics.rightCols(2) = step.statistics.leftCols(2);
  } else {
    step.statistics.leftCols(2) = fit_feature_step(step.kind, Parts(both).first(1), run);
    step.statistics.rightCols(2) = fit_feature_step(step.kind, Parts(both).last(1), run);
  }
}

void divide_by_sum(Eigen::Ref<Vector> sample, Index position, const char* domain) {
  const double sum = sample.sum();
  if (sum != 0 && std::isfinite(sum)) {
    sample /= sum;
  } else if (!sample.isZero(0)) {
    throw InvalidArgument(
        fmt::format("preprocessing step 'sum' cannot divide {} sample {} (from 1) by its sum {}; the step is "
                    "for histograms, "
                    "take l2 for signed features",
                    domain, position + 1, sum));
  }
}

void divide_by_norm(Eigen::Ref<Vector> sample) {
  double norm = sample.norm();
  // The plain norm is what the published preparation computes; squares that over- or underflow need the
  // scaled one.
  if (!std::isnormal(norm * norm)) norm = sample.stableNorm();
  if (norm != 0) sample /= norm;
}

/// `number` is that of the first sample in its domain, for messages.
void apply_step(const Step& step, Eigen::Ref<Matrix> samples, Index number, Side side, const Execution& run) {
  const char* domain = side == Side::Source ? "source" : "target";
  const bool features = per_feature(step.kind);
  const Index first = side == Side::Source ? 0 : 2;
  parallel_ranges(run, samples.cols(), kPreparedBlock, [&](Index begin, Index length) {
    for (Index sample = begin; sample < begin + length; ++sample) {
      auto values = samples.col(sample);
      if (features) {
        const auto scale = step.statistics.col(first + 1).array();
        values = (scale == 0).select(0.0, (values - step.statistics.col(first)).array() / scale);
      } else if (step.kind == Kind::Sum) {
        divide_by_sum(values, number + sample, domain);
      } else {
        divide_by_norm(values);
      }
    }
  });
}

/// Prepares what may be changed in place, and lets the rest be prepared each time it is read.
FeatureMatrix apply_step(const Step& step, FeatureMatrix features, Side side, const Execution& run) {
  if (features.streams()) {
    return features.prepared(
        [step, side](Eigen::Ref<Matrix> samples, Index first) { apply_step(step, samples, first, side, 1); });
  }
  Matrix values = std::move(features).release();
  apply_step(step, values, 0, side, run);
  return values;
}

}  // namespace

Preprocessing Preprocessing::parse(std::string_view list) {
  Preprocessing result;
  if (trimmed(list) == "none") return result;
  result.automatic_ = trimmed(list) == kAuto;
  if (result.automatic_) return result;
  std::string_view rest = list;
  while (true) {
    const auto comma = rest.find(',');
    result.steps_.push_back(parse_step(trimmed(rest.substr(0, comma)), list));
    if (comma == std::string_view::npos) return result;
    rest.remove_prefix(comma + 1);
  }
}

std::string Preprocessing::to_string() const {
  if (automatic_) return std::string(kAuto);
  if (empty()) return "none";
  std::vector<std::string> words;
  for (const Step& step : steps_) {
    words.emplace_back(name_of(step.kind));
    if (per_feature(step.kind)) words.back() += fmt::format(":{}", step.joint ? kJoint : kDomain);
  }
  return fmt::format("{}", fmt::join(words, ","));
}

void Preprocessing::append(Preprocessing later) {
  std::move(later.steps_.begin(), later.steps_.end(), std::back_inserter(steps_));
}

void Preprocessing::fit_apply(DomainPair& pair, const Execution& run) {
  if (automatic_) {
    PreparationChoice choice = choose_preparation(pair, run);
    *this = parse(choice.steps);
    reason_ = std::move(choice.reason);
  }
  if (empty()) return;
  std::vector<Step> fitted = steps_;
  FeatureMatrix source = pair.release_source();
  FeatureMatrix target = pair.release_target();
  for (Step& step : fitted) {
    fit_step(step, source, target, run);
    source = apply_step(step, std::move(source), Side::Source, run);
    target = apply_step(step, std::move(target), Side::Target, run);
  }
  pair.replace(std::move(source), std::move(target));
  steps_ = std::move(fitted);
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): a Ref is the view through which the samples change
void Preprocessing::apply(Eigen::Ref<Matrix> samples, Side side, const Execution& run, Index first) const {
  const auto require_fitted = [&](bool fitted) {
    if (fitted) return;
    throw InvalidArgument(
        fmt::format("preprocessing '{}' is not fitted; fit_apply a pair first", to_string()));
  };
  require_fitted(!automatic_);
  for (const Step& step : steps_) {
    if (!per_feature(step.kind)) continue;
    require_fitted(step.statistics.size() > 0);
    if (step.statistics.rows() != samples.rows()) {
      throw InvalidArgument(
          fmt::format("the samples have {} features, preprocessing '{}' was fitted on {}; give "
                      "samples with the same features",
                      samples.rows(), to_string(), step.statistics.rows()));
    }
  }
  for (const Step& step : steps_) apply_step(step, samples, first, side, run);
}

std::vector<Matrix> Preprocessing::statistics() const {
  std::vector<Matrix> result;
  result.reserve(steps_.size());
  for (const Step& step : steps_) result.push_back(step.statistics);
  return result;
}

Preprocessing Preprocessing::restore(std::string_view list, std::vector<Matrix> statistics) {
  Preprocessing result = parse(list);
  if (result.automatic_) {
    throw InvalidArgument(fmt::format("preprocessing '{}' has no statistics: it is not chosen yet", list));
  }
  if (statistics.size() != result.steps_.size()) {
    throw InvalidArgument(
        fmt::format("preprocessing '{}' has {} steps but statistics for {} are given; one matrix a "
                    "step is needed",
                    list, result.steps_.size(), statistics.size()));
  }
  std::optional<Index> dimension;
  for (std::size_t i = 0; i < statistics.size(); ++i) {
    Step& step = result.steps_[i];
    const Matrix& given = statistics[i];
    const bool fits = per_feature(step.kind) ? given.rows() > 0 && given.cols() == 4 &&
                                                   given.rows() == dimension.value_or(given.rows())
                                             : given.size() == 0;
    if (!fits) {
      throw InvalidArgument(fmt::format(
          "the statistics of step {} of preprocessing '{}' are {}×{}; expected {}", i + 1, list, given.rows(),
          given.cols(), per_feature(step.kind) ? "dimension×4, the same dimension in every step" : "0×0"));
    }
    if (!given.allFinite()) {
      throw InvalidArgument(
          fmt::format("the statistics of step {} of preprocessing '{}' are not all finite", i + 1, list));
    }
    if (per_feature(step.kind)) dimension = given.rows();
    step.statistics = std::move(statistics[i]);
  }
  return result;
}

}  // namespace isthmus
