#pragma once

#include "classify/logistic.h"
#include "isthmus/context.h"
#include "isthmus/domain.h"
#include "isthmus/methods.h"
#include "isthmus/options.h"
#include "isthmus/report.h"
#include "model/state.h"

namespace isthmus {

/// Reads the samples of both domains block by block.
ModelState fit_logistic(const DomainPair& pair, LogisticOptions options, const Context& context);

/// The options as those of another method: `classifier_ridge` and `balanced`.
void describe_as_classifier(OptionVisitor& visit, LogisticOptions& options);
/// Fits to labelled samples (k×ns). What options.ridge leaves open cross-validation chooses.
LogisticFit fit_source_logistic(const SampleView& source, const std::vector<int>& labels, int class_count,
                                LogisticOptions& options, const Context& context,
                                WhenCancelled when_cancelled = WhenCancelled::Throw);

}  // namespace isthmus
