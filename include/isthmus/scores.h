#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isthmus/context.h"
#include "isthmus/domain.h"
#include "isthmus/domain_overlap.h"
#include "isthmus/matrix.h"
#include "isthmus/model.h"

/// Scores that judge an adaptation without target labels, to choose between methods and settings.
/// All are the same bytes for the same seed on any number of threads.
namespace isthmus {

/// One score as every front end lists it.
struct ScoreInfo {
  std::string_view name;      ///< "snd"
  std::string_view title;     ///< "Soft neighbourhood density"
  std::string_view measures;  ///< one sentence
  std::string_view fails;     ///< when it misleads
  std::string_view reference;
  bool higher_is_better = false;
};

/// All scores.
std::span<const ScoreInfo> scores();
/// Throws InvalidArgument with a did-you-mean on an unknown name.
const ScoreInfo& find_score(std::string_view name);
/// The score whose choices measured best on the 16 benchmark tasks (docs/choosing.md).
std::string_view default_score();

/// Scores by name.
using ScoreValues = std::map<std::string, double, std::less<>>;

/// The scores that look at one model alone, by name; "agreement", which compares several, is passed over.
/// `pair` is the one the model was fitted on; its target labels, where it has any, are not read.
///
///     isthmus::score_model(model, pair, {"snd", "silhouette"}, context).at("snd");
///
/// "reverse" fits the model's method once more, the other way round.
ScoreValues score_model(const Model& model, const DomainPair& pair, const std::vector<std::string>& names,
                        const Context& context = {});

// Each score by itself, beside those of isthmus/domain_overlap.h. An embedding is k×n, one column per sample.

/// 1 for each sample whose nearest other sample has another label, else 0.
Vector leave_one_out_errors(MatrixView samples, const std::vector<int>& labels, const Context& context = {});

/// Σwℓ / Σw over source samples, ℓ their errors and w = exp(log_ratio): the error expected on the target.
double importance_weighted_error(const Vector& errors, const Vector& log_ratio);

/// The same with a control variate: mean(wℓ) + η·mean(w) − η, η = −cov(wℓ, w)/var(w).
double deep_embedded_error(const Vector& errors, const Vector& log_ratio);

/// Mean entropy of the columns of class probabilities (C×n), as a share of log C.
double prediction_entropy(MatrixView probabilities);

/// Mean entropy of the soft neighbourhoods of samples, those being the softmax of the cosines between their
/// class probabilities (C×n) divided by `temperature`. O(n²C) by blocks, O(n) memory; above 5000 samples a
/// random 5000 of them. Throws InvalidArgument for fewer than two samples.
double soft_neighbourhood_density(MatrixView probabilities, const Context& context = {},
                                  double temperature = 0.05);

/// Mean silhouette of labelled samples, −1 … 1, by Euclidean distance; 0 for the only sample of a label, and
/// where there is one label only. O(n²k) by blocks, O(nk) memory; above 5000 samples a random 5000 of them.
double silhouette(MatrixView samples, const std::vector<int>& labels, const Context& context = {});

/// Squared maximum mean discrepancy with a Gaussian kernel whose width is the median distance between the
/// domains, 0 … 2. O(n²k) by blocks, O(nk) memory; of a domain with more than 5000 samples a random 5000.
double embedded_mmd(MatrixView source, MatrixView target, const Context& context = {});

/// Labels, by class ids of the reversed pair, of its target samples (the true source).
using Refit = std::function<std::vector<int>(const DomainPair& reversed)>;
/// Accuracy in percent on the source's labels of a fit from the target, labelled by `target_labels` (class
/// ids of the pair), back to the source.
double reverse_accuracy(const DomainPair& pair, const std::vector<int>& target_labels, const Refit& refit);

/// For each candidate, the mean share of samples that it labels like a candidate of another group (method);
/// every other group weighs alike. With one group in all, the mean over the other candidates; 1 for a
/// candidate that stands alone.
std::vector<double> agreement(const std::vector<std::vector<int>>& labels,
                              const std::vector<std::string>& groups);

}  // namespace isthmus
