#include "methods/source_references.h"

#include <algorithm>

#include "alm/prototypes.h"
#include "core/parallel.h"

namespace isthmus {
namespace {

// Samples embedded at once.
constexpr Index kEmbeddingBlock = 16384;
// Samples of a thinned set read at once.
constexpr Index kPickedAtOnce = 512;

/// Calls body(begin, embedded block) for all samples in order.
template <class Body>
void embed_in_blocks(const Embedding& embedding, const SampleView& samples, const Execution& run,
                     Body&& body) {
  for (Index begin = 0; begin < samples.cols(); begin += kEmbeddingBlock) {
    const Index length = std::min(kEmbeddingBlock, samples.cols() - begin);
    body(begin, embedding.apply(samples.range(begin, length), run));
  }
}

/// At most a block of samples, evenly over all.
Matrix embed_thinned(const Embedding& embedding, const SampleView& samples, const Execution& run) {
  const Index step = (samples.cols() + kEmbeddingBlock - 1) / kEmbeddingBlock;
  Matrix embedded(embedding.dimension(samples.rows()), (samples.cols() + step - 1) / step);
  parallel_ranges(run, embedded.cols(), kPickedAtOnce, [&](Index begin, Index length) {
    std::vector<Index> numbers;
    for (Index i = begin; i < begin + length; ++i) numbers.push_back(i * step);
    embedded.middleCols(begin, length) = embedding.apply(samples.pick(numbers));
  });
  return embedded;
}

}  // namespace

void describe_references(OptionVisitor& visit, ReferenceOptions& o) {
  visit.choice(
      "classifier", o.classifier,
      {{"nn", Reference::Samples},
       {"mean", Reference::Means},
       {"prototypes", Reference::Prototypes},
       {"logistic", Reference::Logistic}},
      "What labels the target: the nearest source sample (nn, as published; its cost grows with source "
      "times target samples), the nearest class mean, the nearest of a few source samples, or logistic "
      "regression on the source.");
  visit.integer("prototypes", o.prototypes, {.low = 1},
                "Source samples that classifier = prototypes compares with, as many of each class.");
  describe_as_classifier(visit, o.logistic);
}

SourceReferences::SourceReferences(const DomainPair& pair, const ReferenceOptions& options,
                                   const Context& context)
    : kind_(options.classifier),
      labels_(pair.source_labels()),
      logistic_(options.logistic),
      class_count_(pair.class_count()),
      context_(context.quiet()) {
  if (kind_ != Reference::Prototypes) return;
  prototypes_ = class_balanced_prototypes(pair.source(), labels_, options.prototypes, context.seed, context);
}

Classifier SourceReferences::embed(const Embedding& embedding, SampleView source) {
  if (kind_ != Reference::Logistic) return references(embedding, source);
  return fit_source_logistic(embedding.apply(source, context_), labels_, class_count_, logistic_, context_)
      .classifier;
}

std::optional<double> SourceReferences::ridge() const {
  return kind_ == Reference::Logistic ? logistic_.ridge : std::nullopt;
}

NearestReference SourceReferences::references(const Embedding& embedding, SampleView source) const {
  NearestReference classifier;
  if (kind_ == Reference::Samples) {
    classifier.references = embedding.apply(source, context_);
    classifier.labels = labels_;
  } else if (kind_ == Reference::Prototypes) {
    classifier.references = embedding.apply(source.pick(prototypes_), context_);
    for (const Index i : prototypes_) classifier.labels.push_back(labels_[static_cast<std::size_t>(i)]);
  } else {
    const Matrix means = class_means(embedding, source);
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

Matrix SourceReferences::class_means(const Embedding& embedding, SampleView source) const {
  Matrix sums;
  Vector counts = Vector::Zero(class_count_);
  embed_in_blocks(embedding, source, context_, [&](Index begin, const Matrix& embedded) {
    if (begin == 0) sums = Matrix::Zero(embedded.rows(), class_count_);
    for (Index j = 0; j < embedded.cols(); ++j) {
      const int label = labels_[static_cast<std::size_t>(begin + j)];
      sums.col(label) += embedded.col(j);
      counts[label] += 1.0;
    }
  });
  return sums * counts.cwiseMax(1.0).cwiseInverse().asDiagonal();
}

std::vector<int> SourceReferences::label(const Embedding& embedding, const Classifier& classifier,
                                         SampleView samples) {
  const auto* nearest = std::get_if<NearestReference>(&classifier);
  std::vector<int> labels;
  labels.reserve(static_cast<std::size_t>(samples.cols()));
  embed_in_blocks(embedding, samples, context_, [&](Index /*begin*/, const Matrix& embedded) {
    const std::vector<int> block =
        nearest != nullptr ? nearest_labels(*nearest, embedded, context_)
                           : largest_rows(class_scores(classifier, embedded, class_count_, context_));
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
