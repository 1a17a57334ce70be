#include "methods/coral.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/options_io.h"
#include "isthmus/errors.h"
#include "linalg/blas.h"
#include "linalg/eigen.h"
#include "ops/operations.h"

namespace isthmus {
namespace {

/// One sample has no covariance; its scatter is zero as it stands.
Matrix covariance(const linalg::Moments& moments) {
  return moments.scatter() / std::max(1.0, static_cast<double>(moments.count) - 1.0);
}

/// (C + ridge·I)^power for symmetric positive semidefinite C.
Matrix regularized_power(const Matrix& covariance, double ridge, double power, const Execution& run) {
  const linalg::EigenPairs pairs = linalg::symmetric_eigen(covariance);
  const Vector values = pairs.values.cwiseMax(0.0).array() + ridge;
  const double size = static_cast<double>(values.size()) * std::numeric_limits<double>::epsilon();
  if (power < 0 && values.minCoeff() <= size * values.maxCoeff()) {
    throw InvalidArgument(
        fmt::format("option 'regularization' is too small to invert the source's covariance (smallest "
                    "eigenvalue {:.3g}, largest {:.3g}): ask for more, 1 as in the paper, or remove constant "
                    "and redundant features",
                    values.minCoeff(), values.maxCoeff()));
  }
  const Matrix scaled = pairs.vectors * values.array().pow(power).matrix().asDiagonal();
  return linalg::multiply_by_transpose(scaled, pairs.vectors, run);
}

}  // namespace

void describe(OptionVisitor& visit, CoralOptions& o) {
  visit.real("regularization", o.regularization, {.low = 0},
             "Added to the diagonal of both covariances, in units of the features' mean variance over both "
             "domains. 1 is the paper's value for features of unit variance.");
  describe_references(visit, o.classifier);
}

ModelState fit_coral(const DomainPair& pair, CoralOptions o, const Context& context) {
  Report report;
  Embedding source_embedding;
  {
    const PhaseTimer timer(report, "alignment");
    const linalg::Moments source = ops::moments({pair.source()}, context);
    const linalg::Moments target = ops::moments({pair.target()}, context);
    const Matrix source_covariance = covariance(source);
    const Matrix target_covariance = covariance(target);
    const double mean_variance = (source_covariance.trace() + target_covariance.trace()) /
                                 (2.0 * static_cast<double>(pair.dimension()));
    if (!std::isfinite(mean_variance))
      throw NumericalError("correlation alignment: the features' variance is not finite");
    if (mean_variance == 0) {
      throw InvalidArgument(
          "correlation alignment: no feature varies in either domain; at least one needs to");
    }
    const double ridge = o.regularization * mean_variance;
    source_embedding.projection =
        linalg::multiply(regularized_power(source_covariance, ridge, -0.5, context),
                         regularized_power(target_covariance, ridge, 0.5, context), context);
    source_embedding.offset = target.mean - source_embedding.projection.transpose() * source.mean;
    report.facts["ridge"] = ridge;
    report.facts["covariance_distance"] = (source_covariance - target_covariance).norm();
  }
  return source_state(pair, o, {}, std::move(source_embedding), std::move(report), context);
}

}  // namespace isthmus
