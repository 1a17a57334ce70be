#pragma once

#include <nlohmann/json.hpp>

#include "isthmus/context.h"
#include "isthmus/domain.h"
#include "isthmus/model.h"

namespace isthmus {

/// What a report draws of an adaptation beside the model's own report: at most 2000 samples in their first
/// two principal components before and after, the distance of the domains' means (MMD) before and after,
/// samples per class, the confusion matrix where the target's labels are known, and where the model explains
/// its labels the reconstruction matrix by classes and the largest outliers. `pair` holds the samples as
/// read. One pass over the samples, in blocks.
nlohmann::ordered_json adaptation_view(const DomainPair& pair, const Model& model, const Context& context);

}  // namespace isthmus
