#include "methods/source_references.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "core/parallel.h"
#include "methods/drawn_by_class.h"
#include "samples/summaries.h"

namespace isthmus {
namespace {

// Samples embedded at once.
constexpr Index kEmbeddingBlock = 16384;
// Samples of a thinned set read at once.
constexpr Index kPickedAtOnce = 512;
// Prototypes where nothing says how many: 1-NN then costs as much as 1000 classes.
constexpr int kUsualPrototypes = 1000;

/// Calls body(begin, embedded block) for all samples in order.
template <class Body>
void embed_in_blocks(const Embedding& embedding, const SampleView& samples, const Execution& run,
                     Body&& body) {
  for (Index begin = 0; begin < samples.cols(); begin += kEmbeddingBlock) {
    const Index length = std::min(kEmbeddingBlock, samples.cols() - begin);
    body(begin, embedding.apply(samples.range(begin, length), run));
  }
}

/// The embedding of the samples with these numbers, read a few at a time.
Matrix embed_picked(const Embedding& embedding, const SampleView& samples, const std::vector<Index>& picked,
                    const Execution& run) {
  Matrix embedded(embedding.dimension(samples.rows()), static_cast<Index>(picked.size()));
  parallel_ranges(run, embedded.cols(), kPickedAtOnce, [&](Index begin, Index length) {
    const std::vector<Index> numbers(picked.begin() + begin, picked.begin() + begin + length);
    embedded.middleCols(begin, length) = embedding.apply(samples.pick(numbers), 1);
  });
  return embedded;
}

/// At most a block of samples, evenly over all.
Matrix embed_thinned(const Embedding& embedding, const SampleView& samples, const Execution& run) {
  const Index step = (samples.cols() + kEmbeddingBlock - 1) / kEmbeddingBlock;
  std::vector<Index> numbers;
  for (Index i = 0; i < samples.cols(); i += step) numbers.push_back(i);
  return embed_picked(embedding, samples, numbers, run);
}

void describe_choice(OptionVisitor& visit, ReferenceOptions& o) {
  visit.choice(
      "classifier", o.classifier,
      {{"nn", Reference::Samples},
       {"mean", Reference::Means},
       {"prototypes", Reference::Prototypes},
       {"logistic", Reference::Logistic}},
      "What labels the target in the embedding: the nearest source sample (nn, as published), the nearest "
      "class mean, the nearest of some source samples (prototypes, usually 1000), or logistic regression on "
      "the source. auto: nn as long as source samples × target samples × rounds × (dimension + 10) is within "
      "5e12, one to two minutes on two cores; beyond, as many prototypes as that affords, at least 1000.");
}

}  // namespace

void describe_references(OptionVisitor& visit, ReferenceOptions& o) {
  describe_choice(visit, o);
  visit.integer(
      "prototypes", o.prototypes, {.low = 1},
      "Source samples that classifier = prototypes compares with, drawn by the seed; classes keep "
      "their shares, and at least two samples each. auto: 1000, or what classifier = auto affords.");
  describe_as_classifier(visit, o.logistic);
}

void describe_classifier(OptionVisitor& visit, ReferenceOptions& o) {
  describe_choice(visit, o);
  describe_as_classifier(visit, o.logistic);
}

Index affordable_references(const Searches& searches) {
  constexpr double kBudget = 5e12;  // multiplications
  constexpr double kOverhead = 10;  // of a comparison, beside one for each feature (docs/performance.md)
  constexpr double kFewest = kUsualPrototypes;
  const double a_reference = static_cast<double>(searches.target) * searches.rounds *
                             (static_cast<double>(searches.dimension) + kOverhead);
  const double affordable = std::max(kFewest, std::floor(kBudget / a_reference));
  return affordable < static_cast<double>(searches.source) ? static_cast<Index>(affordable) : searches.source;
}

void choose_references(ReferenceOptions& o, const Searches& searches, Report& report) {
  const bool open = !o.classifier;
  const Index affordable = affordable_references(searches);
  if (open) o.classifier = affordable == searches.source ? Reference::Samples : Reference::Prototypes;
  if (o.classifier != Reference::Prototypes) return;
  if (!o.prototypes) o.prototypes = open ? static_cast<int>(affordable) : kUsualPrototypes;
  if (!open) return;
  report.notes.push_back(
      fmt::format("the target was compared with about {} of the {} source samples, drawn by the seed; "
                  "classifier=nn compares it with all, as published, and takes longer",
                  *o.prototypes, searches.source));
}

SourceReferences::SourceReferences(const DomainPair& pair, const ReferenceOptions& options,
                                   const Context& context)
    : kind_(options.classifier.value()),
      labels_(pair.source_labels()),
      logistic_(options.logistic),
      class_count_(pair.class_count()) {
  if (kind_ != Reference::Prototypes) return;
  std::mt19937_64 engine(context.seed);
  prototypes_ = drawn_by_class(labels_, class_count_, *options.prototypes, engine);
}

Classifier SourceReferences::embed(const Embedding& embedding, SampleView source, const Context& context) {
  if (kind_ != Reference::Logistic) return references(embedding, source, context);
  return fit_source_logistic(embedding.apply(source, context), labels_, class_count_, logistic_, context)
      .classifier;
}

std::optional<double> SourceReferences::ridge() const {
  return kind_ == Reference::Logistic ? logistic_.ridge : std::nullopt;
}

NearestReference SourceReferences::references(const Embedding& embedding, SampleView source,
                                              const Execution& run) const {
  NearestReference classifier;
  if (kind_ == Reference::Samples) {
    classifier.references = embedding.apply(source, run);
    classifier.labels = labels_;
  } else if (kind_ == Reference::Prototypes) {
    classifier.references = embed_picked(embedding, source, prototypes_, run);
    for (const Index i : prototypes_) classifier.labels.push_back(labels_[static_cast<std::size_t>(i)]);
  } else {
    const Matrix means = class_means(embedding, source, run);
    std::vector<Index> present;
    for (int c = 0; c < class_count_; ++c) {
      if (std::find(labels_.begin(), labels_.end(), c) == labels_.end()) continue;
      present.push_back(c);
      classifier.labels.push_back(c);
    }
    classifier.references = means(Eigen::all, present);
  }
  return classifier;
}

Matrix SourceReferences::class_means(const Embedding& embedding, SampleView source,
                                     const Execution& run) const {
  const auto embed = [&](const MatrixView& block, Index /*first*/) { return embedding.apply(block, 1); };
  const Mapped empty(embed, ClassSums(embedding.dimension(source.rows()), class_count_, labels_));
  return fold(source, run, empty).of.means();
}

std::vector<int> SourceReferences::label(const Embedding& embedding, const Classifier& classifier,
                                         SampleView samples, const Execution& run) const {
  const auto* nearest = std::get_if<NearestReference>(&classifier);
  std::vector<int> labels;
  labels.reserve(static_cast<std::size_t>(samples.cols()));
  embed_in_blocks(embedding, samples, run, [&](Index /*begin*/, const Matrix& embedded) {
    const std::vector<int> block = nearest != nullptr
                                       ? nearest_labels(*nearest, embedded, run)
                                       : largest_rows(class_scores(classifier, embedded, class_count_, run));
    labels.insert(labels.end(), block.begin(), block.end());
  });
  return labels;
}

Matrix SourceReferences::score(const Embedding& embedding, Classifier& classifier, SampleView samples,
                               const Execution& run) const {
  if (auto* nearest = std::get_if<NearestReference>(&classifier)) {
    *nearest = make_nearest(std::move(nearest->references), std::move(nearest->labels),
                            embed_thinned(embedding, samples, run), run);
  }
  Matrix scores(class_count_, samples.cols());
  embed_in_blocks(embedding, samples, run, [&](Index begin, const Matrix& embedded) {
    scores.middleCols(begin, embedded.cols()) = class_scores(classifier, embedded, class_count_, run);
  });
  return scores;
}

}  // namespace isthmus
