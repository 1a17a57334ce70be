#include "isthmus/scores.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>

#include "core/text.h"
#include "isthmus/adapt.h"
#include "isthmus/errors.h"

namespace isthmus {
namespace {

/// A model and the pair it was fitted on, as the scores see them; what several of them need is made once.
class Adapted {
 public:
  Adapted(const Model& model, const DomainPair& pair, const Context& context)
      : model_(model), pair_(pair), context_(context) {}

  const Context& context() const { return context_; }
  const Prediction& prediction() const { return model_.target(); }
  const Matrix& source() {
    if (!source_) source_ = model_.transform(pair_.source(), Side::Source, context_);
    return *source_;
  }
  const Matrix& target() {
    if (!target_) target_ = model_.transform(pair_.target(), Side::Target, context_);
    return *target_;
  }
  const DomainRatio& ratio() {
    if (!ratio_) ratio_ = domain_ratio(source(), target(), context_);
    return *ratio_;
  }
  const Vector& source_errors() {
    if (!errors_) errors_ = leave_one_out_errors(source(), pair_.source_labels(), context_);
    return *errors_;
  }
  double reverse() const {
    AdaptRequest request{model_.method(), model_.requested_options(),
                         Preprocessing::parse(model_.preprocessing().to_string())};
    return reverse_accuracy(pair_, model_.target().labels, [&](const DomainPair& reversed) {
      return adapt(reversed, request, context_).target().labels;
    });
  }

 private:
  const Model& model_;
  const DomainPair& pair_;
  const Context& context_;
  std::optional<Matrix> source_, target_;
  std::optional<DomainRatio> ratio_;
  std::optional<Vector> errors_;
};

struct Score {
  ScoreInfo info;
  double (*value)(Adapted&);  ///< none for scores that compare several models
};

/// The one list of scores.
constexpr std::array<Score, 9> kScores{{
    {{"iwv", "Importance-weighted validation",
      "The 1-NN error within the source's embedding, leaving one out, where samples that look like the "
      "target weigh more.",
      "Says nothing about the target's classes: an embedding that keeps the source apart and mixes up the "
      "target scores well. A few samples carry the weight where the domains hardly overlap.",
      "Sugiyama, Krauledat & Müller, Covariate shift adaptation by importance weighted cross validation, "
      "2007",
      false},
     [](Adapted& a) { return importance_weighted_error(a.source_errors(), a.ratio().source); }},
    {{"dev", "Deep embedded validation",
      "The same error with a control variate that takes the weights' own scatter out.",
      "As iwv; where the weights are wild it may leave 0 … 1.",
      "You, Wang, Long & Jordan, Towards accurate model selection in deep unsupervised domain adaptation, "
      "2019",
      false},
     [](Adapted& a) { return deep_embedded_error(a.source_errors(), a.ratio().source); }},
    {{"entropy", "Prediction entropy",
      "How undecided the class probabilities of the target are: 0 certain, 1 all classes alike.",
      "Certain and wrong scores best. Methods spread their probabilities differently, so that it compares "
      "settings of one method rather than methods.",
      "Grandvalet & Bengio, Semi-supervised learning by entropy minimization, 2005", false},
     [](Adapted& a) { return prediction_entropy(a.prediction().probabilities); }},
    {{"snd", "Soft neighbourhood density",
      "How many target samples share each one's class probabilities: the entropy of its soft "
      "neighbourhood.",
      "All samples in one class score best. Like entropy, it depends on how a method spreads its "
      "probabilities.",
      "Saito, Kim, Teterwak, Sclaroff, Darrell & Saenko, Tune it the right way, 2021", true},
     [](Adapted& a) { return soft_neighbourhood_density(a.prediction().probabilities, a.context()); }},
    {{"reverse", "Reverse validation",
      "The accuracy on the source, in percent, of the same method fitted back from the target with the "
      "labels found.",
      "An error that is undone on the way back does not show: consistently swapped classes, or no "
      "adaptation between domains that overlap. Fits twice.",
      "Zhong, Fan, Yang, Verscheure & Ren, Cross validation framework to choose amongst models and "
      "datasets for transfer learning, 2010",
      true},
     [](Adapted& a) { return a.reverse(); }},
    {{"a-distance", "Proxy A-distance",
      "How well a linear classifier tells the domains apart in the embedding: 0 not at all, 2 always.",
      "An embedding that mixes up the classes as well hides the domains best.",
      "Ben-David, Blitzer, Crammer & Pereira, Analysis of representations for domain adaptation, 2007",
      false},
     [](Adapted& a) { return proxy_a_distance(a.ratio()); }},
    {{"mmd", "Maximum mean discrepancy after adaptation",
      "The distance between the embedded domains in the feature space of a Gaussian kernel.",
      "As the A-distance; and it rewards methods that minimise it.",
      "Gretton, Borgwardt, Rasch, Schölkopf & Smola, A kernel two-sample test, 2012", false},
     [](Adapted& a) { return embedded_mmd(a.source(), a.target(), a.context()); }},
    {{"silhouette", "Silhouette of the labels",
      "How much nearer target samples are to their own label's samples than to the next label's, in the "
      "embedding.",
      "Clusters that are tight and labelled wrongly score well; few dimensions score better than many.",
      "Rousseeuw, Silhouettes: a graphical aid to the interpretation and validation of cluster analysis, "
      "1987",
      true},
     [](Adapted& a) { return silhouette(a.target(), a.prediction().labels, a.context()); }},
    {{"agreement", "Agreement between methods",
      "The share of target samples that other methods label the same, each method weighing alike.",
      "Errors that the methods share do not show, and a method that finds what the others miss is voted "
      "down. Needs several candidates.",
      "Platanios, Blum & Mitchell, Estimating accuracy from unlabeled data, 2014", true},
     nullptr},
}};

const Score& find_entry(std::string_view name) {
  std::vector<std::string> names;
  for (const Score& score : kScores) {
    if (score.info.name == name) return score;
    names.emplace_back(score.info.name);
  }
  throw InvalidArgument(fmt::format("there is no score '{}'{}; the scores are: {}", name,
                                    did_you_mean(name, names), fmt::join(names, ", ")));
}

}  // namespace

std::span<const ScoreInfo> scores() {
  static const std::vector<ScoreInfo> infos = [] {
    std::vector<ScoreInfo> list;
    for (const Score& score : kScores) list.push_back(score.info);
    return list;
  }();
  return infos;
}

const ScoreInfo& find_score(std::string_view name) {
  return find_entry(name).info;
}

std::string_view default_score() {
  return "entropy";
}

ScoreValues score_model(const Model& model, const DomainPair& pair, const std::vector<std::string>& names,
                        const Context& context) {
  Adapted adapted(model, pair, context);
  ScoreValues values;
  for (const std::string& name : names) {
    const Score& score = find_entry(name);
    if (score.value != nullptr) values[name] = score.value(adapted);
  }
  return values;
}

}  // namespace isthmus
