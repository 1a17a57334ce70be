#include "bench/adaptation_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/text.h"
#include "domain/forms.h"
#include "linalg/subspace.h"
#include "samples/summaries.h"

namespace isthmus {
namespace {

using nlohmann::ordered_json;

constexpr Index kMostPoints = 2000;
constexpr std::size_t kMostEntries = 3000;
constexpr std::size_t kMostOutliers = 20;

/// Five digits are plenty for a picture, and make the file a third of the size.
double rounded(double value) {
  return std::isfinite(value) ? *parse_number(fmt::format("{:.5g}", value)) : 0.0;
}

/// Which space samples are looked at in: as prepared, or as embedded by the model.
enum class Space { Before, After };

Matrix in_space(const Model& model, Matrix samples, Side side, Space space, const Context& context) {
  if (space == Space::After) return model.transform(samples, side, context);
  if (!model.preprocessing().empty()) model.preprocessing().apply(samples, side, context);
  return samples;
}

using ViewSums = Together<FeatureMoments, ClassSums>;

ViewSums sums_in_space(const Model& model, SampleView samples, const std::vector<int>& labels, Side side,
                       Space space, const Context& context) {
  const auto map = [&](const MatrixView& block, Index /*first*/) {
    return in_space(model, block, side, space, context);
  };
  const Index dimension = map(samples.columns(0, 1), 0).rows();
  const ViewSums empty(FeatureMoments(dimension), ClassSums(dimension, model.classes().size(), labels));
  return fold(samples, 1, Mapped(map, empty)).of;
}

/// Squared distances of the domains' means over the total variance: of all samples, and the mean over the
/// classes that both have (the target's by its pseudo labels). Independent of scale, so that spaces compare.
ordered_json relative_distances(const DomainPair& pair, const Model& model, Space space,
                                const Context& context) {
  const ViewSums source =
      sums_in_space(model, pair.source(), pair.source_labels(), Side::Source, space, context);
  const ViewSums target =
      sums_in_space(model, pair.target(), model.target().labels, Side::Target, space, context);
  FeatureMoments all = source.get<FeatureMoments>();
  all.merge(target.get<FeatureMoments>());
  const double variance = all.deviation().squaredNorm();
  if (variance <= 0) return {{"marginal", 0.0}, {"conditional", 0.0}};
  Matrix means(all.mean.size(), 2 * model.classes().size());
  Vector counts(means.cols());
  means << source.get<ClassSums>().means(), target.get<ClassSums>().means();
  counts << source.get<ClassSums>().counts, target.get<ClassSums>().counts;
  const MeanDistances distances = mean_distances(means, counts);
  const auto shared = (!distances.classes.array().isNaN()).count();
  const double conditional = distances.classes.array().isNaN().select(0.0, distances.classes).sum();
  return {{"marginal", distances.marginal / variance},
          {"conditional", conditional / static_cast<double>(std::max<Index>(1, shared)) / variance}};
}

/// The drawn samples of both domains in the first two principal components of what was drawn.
ordered_json first_components(const DomainPair& pair, const Model& model,
                              const std::vector<Index>& from_source, const std::vector<Index>& from_target,
                              Space space, const Context& context) {
  const Matrix source =
      in_space(model, SampleView(pair.source()).pick(from_source), Side::Source, space, context);
  const Matrix target =
      in_space(model, SampleView(pair.target()).pick(from_target), Side::Target, space, context);
  const linalg::PrincipalSubspace axes = linalg::principal_subspace({source, target}, 2, context);
  ordered_json points = ordered_json::array();
  for (const Matrix* samples : {&source, &target}) {
    const Matrix places = axes.basis.transpose() * (samples->colwise() - axes.mean);
    for (Index j = 0; j < places.cols(); ++j) {
      points.push_back(
          {places.rows() > 0 ? rounded(places(0, j)) : 0.0, places.rows() > 1 ? rounded(places(1, j)) : 0.0});
    }
  }
  return points;
}

ordered_json drawn_points(const DomainPair& pair, const Model& model, const Context& context) {
  const Index ns = pair.source_count();
  const Index nt = pair.target_count();
  const Index half = kMostPoints / 2;
  // What one domain does not need, the other may have.
  const auto from_source = draw_numbers(ns, std::max(half, kMostPoints - nt), context.seed);
  const auto from_target = draw_numbers(nt, std::max(half, kMostPoints - ns), context.seed + 1);
  ordered_json json{{"domain", ordered_json::array()},
                    {"sample", ordered_json::array()},
                    {"label", ordered_json::array()},
                    {"truth", ordered_json::array()}};
  const auto add = [&](const char* domain, Index position, int label, const std::vector<int>& truth) {
    json["domain"].push_back(domain);
    json["sample"].push_back(position + 1);
    json["label"].push_back(label);
    json["truth"].push_back(truth.empty() ? ordered_json()
                                          : ordered_json(truth[static_cast<std::size_t>(position)]));
  };
  for (const Index i : from_source) {
    add("source", i, pair.source_labels()[static_cast<std::size_t>(i)], pair.source_labels());
  }
  for (const Index i : from_target) {
    add("target", i, model.target().labels[static_cast<std::size_t>(i)], pair.target_truth());
  }
  json["before"] = first_components(pair, model, from_source, from_target, Space::Before, context);
  json["after"] = first_components(pair, model, from_source, from_target, Space::After, context);
  return json;
}

std::vector<Index> counts(const std::vector<int>& labels, int classes) {
  std::vector<Index> found(static_cast<std::size_t>(classes), 0);
  for (const int label : labels) {
    if (label != kUnknownClass) ++found[static_cast<std::size_t>(label)];
  }
  return found;
}

/// One row a true class, one column a predicted one; true labels that the source does not have come last.
ordered_json confusion(const std::vector<int>& truth, const std::vector<int>& labels, int classes) {
  std::vector<std::vector<int>> table(static_cast<std::size_t>(classes) + 1,
                                      std::vector<int>(static_cast<std::size_t>(classes), 0));
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const int row = truth[i] == kUnknownClass ? classes : truth[i];
    ++table[static_cast<std::size_t>(row)][static_cast<std::size_t>(labels[i])];
  }
  if (std::all_of(table.back().begin(), table.back().end(), [](int n) { return n == 0; })) table.pop_back();
  return table;
}

/// The place of each sample when they are sorted by class.
std::vector<Index> places_by_class(const std::vector<int>& labels) {
  std::vector<Index> order(labels.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return labels[static_cast<std::size_t>(a)] < labels[static_cast<std::size_t>(b)];
  });
  std::vector<Index> places(labels.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    places[static_cast<std::size_t>(order[i])] = static_cast<Index>(i);
  return places;
}

/// The kept entries of Z: how much of each target class (columns, by pseudo label) comes from which source
/// class (rows), and the largest entries at their places with both sides sorted by class.
ordered_json reconstruction(const DomainPair& pair, const Prediction& target, int classes) {
  struct Entry {
    Index row, column;
    double weight;
  };
  std::vector<Entry> entries;
  Matrix blocks = Matrix::Zero(classes, classes);
  const std::vector<Index> rows = places_by_class(pair.source_labels());
  const std::vector<Index> columns = places_by_class(target.labels);
  for (Index j = 0; j < target.explained_by.cols(); ++j) {
    for (Index i = 0; i < target.explained_by.rows(); ++i) {
      const int from = target.explained_by(i, j);
      if (from < 0) continue;
      const double weight = target.explanation_weights(i, j);
      blocks(pair.source_labels()[static_cast<std::size_t>(from)],
             target.labels[static_cast<std::size_t>(j)]) += std::abs(weight);
      entries.push_back(
          {rows[static_cast<std::size_t>(from)], columns[static_cast<std::size_t>(j)], rounded(weight)});
    }
  }
  const std::size_t kept = std::min(kMostEntries, entries.size());
  std::partial_sort(entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(kept), entries.end(),
                    [](const Entry& a, const Entry& b) {
                      const double x = std::abs(a.weight);
                      const double y = std::abs(b.weight);
                      return x > y || (x == y && std::pair(a.row, a.column) < std::pair(b.row, b.column));
                    });
  ordered_json json{{"blocks", ordered_json::array()},
                    {"entries", ordered_json::array()},
                    {"source_counts", counts(pair.source_labels(), classes)},
                    {"target_counts", counts(target.labels, classes)}};
  for (int c = 0; c < classes; ++c) {
    ordered_json row = ordered_json::array();
    for (int d = 0; d < classes; ++d) {
      row.push_back(rounded(blocks(c, d) / std::max(blocks.col(d).sum(), 1e-300)));
    }
    json["blocks"].push_back(std::move(row));
  }
  for (std::size_t i = 0; i < kept; ++i) {
    json["entries"].push_back({entries[i].row, entries[i].column, entries[i].weight});
  }
  return json;
}

ordered_json outliers(const Prediction& target) {
  std::vector<Index> order(static_cast<std::size_t>(target.outlier_scores.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return target.outlier_scores[a] > target.outlier_scores[b]; });
  order.resize(std::min(order.size(), kMostOutliers));
  const Vector confidence = target.confidence();
  ordered_json json = ordered_json::array();
  for (const Index i : order) {
    json.push_back({{"sample", i + 1},
                    {"label", target.labels[static_cast<std::size_t>(i)]},
                    {"score", rounded(target.outlier_scores[i])},
                    {"confidence", rounded(confidence[i])}});
  }
  return json;
}

}  // namespace

ordered_json adaptation_view(const DomainPair& pair, const Model& model, const Context& context) {
  const int classes = model.classes().size();
  const Prediction& target = model.target();
  ordered_json json{
      {"source_samples", pair.source_count()},
      {"target_samples", pair.target_count()},
      {"per_class",
       {{"source", counts(pair.source_labels(), classes)}, {"predicted", counts(target.labels, classes)}}},
      {"mmd",
       {{"before", relative_distances(pair, model, Space::Before, context)},
        {"after", relative_distances(pair, model, Space::After, context)}}},
      {"points", drawn_points(pair, model, context)}};
  if (!pair.target_truth().empty()) {
    json["per_class"]["true"] = counts(pair.target_truth(), classes);
    json["confusion"] = confusion(pair.target_truth(), target.labels, classes);
  }
  if (target.explained_by.size() > 0) json["reconstruction"] = reconstruction(pair, target, classes);
  if (target.outlier_scores.size() > 0) json["outliers"] = outliers(target);
  return json;
}

}  // namespace isthmus
