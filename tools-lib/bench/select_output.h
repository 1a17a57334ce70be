#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "isthmus/select.h"

namespace isthmus {

/// Accuracy in percent of each row against labels that the selection has not seen; none where it has no
/// model.
using RowAccuracies = std::vector<std::optional<double>>;
RowAccuracies row_accuracies(const Selection& selection, const std::vector<int>& truth);

/// The candidates for people, best first, those without a score last; a column of accuracies where given.
std::string selection_text(const Selection& selection, const RowAccuracies& accuracies = {});

/// Everything: version, score, preparation, rows in the order of the candidates, the winner among them.
nlohmann::ordered_json selection_json(const Selection& selection, const Context& context,
                                      const RowAccuracies& accuracies = {});

/// The scores for people: what each measures and how it fails.
std::string scores_text();
nlohmann::ordered_json scores_json();

}  // namespace isthmus
