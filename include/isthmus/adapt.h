#pragma once

#include <any>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isthmus/context.h"
#include "isthmus/domain.h"
#include "isthmus/methods.h"
#include "isthmus/model.h"
#include "isthmus/options.h"
#include "isthmus/preprocessing.h"

namespace isthmus {

/// One method as the registry lists it.
struct MethodInfo {
  std::string_view name;       ///< "rsa-cdda"
  std::string_view title;      ///< "Robust data geometric structure aligned, close yet discriminative ..."
  std::string_view summary;    ///< one sentence
  std::string_view reference;  ///< paper
  std::vector<OptionSpec> options;
};

/// All methods, in the order of Table 1.
std::span<const MethodInfo> methods();
/// Throws InvalidArgument with a did-you-mean on an unknown name.
const MethodInfo& find_method(std::string_view name);

/// The method used when none is named, whatever the data.
std::string_view default_method();

/// The preparation used when none is given: "auto", the list that the features themselves speak for. No list
/// suits all of them, and a wrong one costs more than a wrong method: unit length mixes up units, z-scores
/// blow up the faint pixels of an image. A model and its report tell the list that was used.
std::string_view default_preprocessing();

/// What to do, as text: what the program, config files and Python hand on.
struct AdaptRequest {
  std::string method{default_method()};
  OptionMap options = {};  ///< unset options keep their defaults
  /// Unfitted; fitted on the pair. `{}` takes the samples as they are.
  Preprocessing preprocessing = Preprocessing::parse(default_preprocessing());
};

/// Prepares the pair, fits the method and labels the target.
///
///     isthmus::DomainPair pair({source_features, source_labels}, {target_features, {}});
///     isthmus::Model model = isthmus::adapt(std::move(pair), {}, context);
///     model.target().labels;
Model adapt(DomainPair pair, const AdaptRequest& request, const Context& context = {});

/// Behind the function below: `options` hold the options of a method, which is known by their type.
Model adapt_by(DomainPair pair, const std::any& options, Preprocessing preprocessing, const Context& context);

/// The same by a method's own options, held to the same bounds:
///
///     isthmus::adapt(pair, isthmus::JdaOptions{.rounds = {.rounds = 5}}, context);
template <MethodOptions Options>
Model adapt(DomainPair pair, const Options& options, const Context& context = {},
            Preprocessing preprocessing = Preprocessing::parse(default_preprocessing())) {
  return adapt_by(std::move(pair), options, std::move(preprocessing), context);
}

}  // namespace isthmus
