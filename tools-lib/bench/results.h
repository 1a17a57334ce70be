#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isthmus/adapt.h"
#include "isthmus/data.h"
#include "isthmus/model.h"

namespace isthmus {

/// Labels for people and programs: sample,label,confidence; samples by their ids, or by number from 1.
std::string labels_csv(const Prediction& prediction, const ClassNames& classes,
                       const std::vector<std::string>& sample_ids = {}, char separator = ',');

/// How many samples each class has, in class order.
std::vector<std::pair<std::string, Index>> class_counts(const std::vector<int>& labels,
                                                        const ClassNames& classes);

/// Accuracy in percent against the true labels of the samples; none where they have none.
std::optional<double> score(const Prediction& prediction, const ClassNames& classes,
                            const std::optional<Labels>& truth);

/// A method's options as JSON values of their type: numbers, lists of numbers, true or false, words; null for
/// "auto". What the method does not know, or cannot read, stays text.
nlohmann::ordered_json options_json(std::string_view method, const OptionMap& options);

/// What a model is: method, options as used, preparation, classes, names of the features where known.
nlohmann::ordered_json model_json(const Model& model);
/// What was predicted, in short: samples, samples per class, mean confidence, accuracy where known.
nlohmann::ordered_json prediction_json(const Prediction& prediction, const ClassNames& classes,
                                       const std::optional<double>& accuracy);
/// A method with its options: names, types, defaults, ranges, meaning.
nlohmann::ordered_json method_json(const MethodInfo& method);
/// What a file holds.
nlohmann::ordered_json summary_json(const FileSummary& summary);

}  // namespace isthmus
