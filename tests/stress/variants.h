#pragma once

#include <cctype>
#include <ostream>
#include <string>
#include <vector>

#include "isthmus/adapt.h"

namespace isthmus::testing {

/// A method with the options that change its path most.
struct Variant {
  std::string method;
  OptionMap options;

  std::string name() const {
    std::string text = method;
    for (const auto& [option, value] : options) text += "_" + option + "_" + value;
    for (char& c : text) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    return text;
  }
};
inline std::ostream& operator<<(std::ostream& out, const Variant& variant) {
  return out << variant.name();
}

/// Every method as it stands, and its other paths.
inline std::vector<Variant> variants() {
  std::vector<Variant> list;
  for (const MethodInfo& method : methods()) list.push_back({std::string(method.name), {}});
  const std::vector<Variant> further{
      {"tca", {{"kernel", "rbf"}}},
      {"jda", {{"kernel", "linear"}}},
      {"jda", {{"kernel", "rbf"}, {"kernel_size", "landmarks"}, {"landmarks", "4"}}},
      {"jda", {{"kernel", "laplace"}}},
      {"jda", {{"kernel", "polynomial"}}},
      {"jda", {{"classifier", "mean"}, {"scaling", "whitened"}}},
      {"jda", {{"classifier", "prototypes"}, {"prototypes", "3"}, {"lambda_unit", "absolute"}}},
      {"jda", {{"classifier", "logistic"}}},
      {"coral", {{"classifier", "logistic"}, {"balanced", "true"}}},
      {"logistic", {{"ridge", "0.1"}, {"balanced", "true"}}},
      {"cdda", {{"form", "algebraic"}}},
      {"tsl", {{"criterion", "pca"}}},
      {"ltsl", {{"criterion", "lda"}}},
      {"lrsr", {{"prototypes", "3"}}},
      {"rsa-cdda", {{"mode", "corrected"}}},
      {"rsa-cdda", {{"mode", "printed"}}},
      {"rsa-cdda", {{"classifier", "nn"}}},
      {"rsa-cdda", {{"explain", "true"}, {"z_edges", "0.1"}}},
  };
  list.insert(list.end(), further.begin(), further.end());
  return list;
}

}  // namespace isthmus::testing
