#include "methods/rsa_cdda/printed.h"

#include <Eigen/LU>
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/last_finished.h"
#include "domain/class_means.h"
#include "domain/forms.h"
#include "linalg/blas.h"
#include "linalg/eigen.h"
#include "methods/rsa_cdda/coordinates.h"
#include "methods/rsa_cdda/labels.h"
#include "ops/operations.h"

namespace isthmus {
namespace {

/// X M_RSA Xᵀ/‖M_RSA‖_F with M_RSA = M_C − M_REP (indefinite once labels exist).
Matrix signed_form(const ClassMeans& classes) {
  const ClosenessWeights weights{static_cast<double>(classes.class_count()), 1.0, EmptyClass::KeepHalf};
  Matrix coefficients = closeness(classes, weights).coefficients();
  if (classes.target_labelled()) coefficients -= repulsion(classes, {}).coefficients();
  const Matrix form = classes.means() * coefficients * classes.means().transpose();
  return form / frobenius_norm(coefficients, classes.counts());
}

class PrintedRun {
 public:
  PrintedRun(const DomainPair& pair, const RsaCddaOptions& options, const Context& context)
      : pair_(pair),
        options_(options),
        context_(context),
        coordinates_(spectral_coordinates(pair, *options.rank, context)),
        features_(coordinates_.features(options.spectrum)),
        classes_(source(), pair.source_labels(), target(), {}, pair.class_count(), context),
        scatter_(ops::moments({features_}, context).scatter()) {}

  /// (a): embeddings of all components, labels by 1-NN. False when stopped.
  bool embed_rounds() {
    for (int round = 1; round <= *options_.rounds; ++round) {
      const Matrix system = signed_form(classes_) + *options_.lambda * identity();
      const double lowest = linalg::smallest_eigen(system, 1).values[0];
      projection_ = lowest > 0.0 ? definite_embedding(system) : indefinite_embedding(system);
      if (!finish_round("embedding", round, {{"smallest_eigenvalue", lowest}})) return false;
    }
    return true;
  }

  /// (b): A inherited from (a), cut to ten columns, and updated last in each sweep.
  bool reconstruction_rounds() {
    constexpr Index kComponents = 10;
    projection_ = Matrix(projection_.leftCols(std::min(kComponents, projection_.cols())));
    Reconstructor solver(projection_.cols(), pair_.source_count(), pair_.target_count(),
                         {*options_.error_norm, {*options_.lambda1, *options_.lambda2}, context_.seed},
                         options_.penalty, context_);
    for (int round = 1; round <= *options_.rounds; ++round) {
      const Matrix ds = linalg::multiply_transposed(projection_, source(), run());
      const Matrix dt = linalg::multiply_transposed(projection_, target(), run());
      Matrix z;
      solver.step(ds, dt, run(), &z);
      solver.set_penalty(std::min(solver.penalty() * *options_.growth, 1e8));
      update_projection(solver, z);
      const auto rank = static_cast<double>(solver.low_rank().values.size());
      if (!finish_round("reconstruction", round,
                        {{"projection_norm", projection_.norm()}, {"reconstruction_rank", rank}})) {
        return false;
      }
    }
    return true;
  }

  ModelState finish() {
    ModelState state;
    state.target.labels = std::move(inference_.labels);
    state.target.probabilities = std::move(inference_.scores);
    state.branches = finished_branches(std::move(inference_), coordinates_.map(options_.spectrum), options_,
                                       context_.unstoppable());
    state.report = std::move(report);
    return state;
  }

  Report report;

 private:
  Eigen::Ref<const Matrix> source() const { return features_.leftCols(pair_.source_count()); }
  Eigen::Ref<const Matrix> target() const { return features_.rightCols(pair_.target_count()); }
  Execution run() const { return context_.after(report.iterations); }
  Matrix identity() const { return Matrix::Identity(features_.rows(), features_.rows()); }
  Index components() const {
    const Index wanted = *std::max_element(options_.components.begin(), options_.components.end());
    return std::min(wanted, features_.rows());
  }

  Matrix definite_embedding(const Matrix& system) const {
    return linalg::generalized_largest_eigen(scatter_, system, components()).vectors;
  }

  /// The smallest algebraic φ of S a = φ (XHXᵀ + δI) a; δ keeps the right side definite where the data is
  /// flat.
  Matrix indefinite_embedding(const Matrix& system) const {
    const double delta = 1e-6 * scatter_.trace() / static_cast<double>(features_.rows());
    const Matrix right = scatter_ + delta * identity();
    Matrix vectors = linalg::generalized_largest_eigen(-system, right, components()).vectors;
    linalg::normalize_columns(vectors);
    return vectors;
  }

  /// Step 1 of (b) with Z and E of this sweep: A is a ridge fit to the residuals.
  void update_projection(const Reconstructor& solver, const Matrix& z) {
    const double mu = solver.penalty();
    Matrix gap = target();
    linalg::gemm(linalg::Op::None, linalg::Op::None, -1.0, source(), z, 1.0, gap, run());
    const Matrix system = 2.0 * signed_form(classes_) + 2.0 * *options_.lambda * identity() +
                          mu * (linalg::gram(gap, run()) + scatter_);
    const Matrix wanted = solver.error() - solver.scaled_multiplier();
    projection_ =
        system.partialPivLu().solve(mu * linalg::multiply_by_transpose(gap, wanted, run()));  // indefinite
  }

  /// Labels by the projection; then the round is done and its measures count. False when stopped.
  bool finish_round(const char* phase, int round,
                    const std::vector<std::pair<std::string, double>>& measures) {
    const Matrix none;
    LabelInference next = infer_labels(
        {features_, pair_.source_labels(), pair_.class_count(), projection_, inference_, none, none},
        options_, {}, run());
    const Index changes = classes_.relabel(target(), next.labels, run());
    inference_ = std::move(next);
    for (const auto& [name, value] : measures) report.series[name].push_back(value);
    report.series["label_changes"].push_back(static_cast<double>(changes));
    ++report.iterations;
    IterationInfo info{phase, round, *options_.rounds};
    info.label_changes = static_cast<int>(changes);
    return context_.report(info) == Decision::Continue;
  }

  const DomainPair& pair_;
  const RsaCddaOptions& options_;
  const Context& context_;
  SpectralCoordinates coordinates_;
  Matrix features_;
  ClassMeans classes_;
  Matrix scatter_;
  Matrix projection_;
  LabelInference inference_;
};

}  // namespace

ModelState fit_printed(const DomainPair& pair, const RsaCddaOptions& options, const Context& context) {
  PrintedRun fit(pair, options, context);
  fit.report.status = to_last_finished(fit.report.iterations, [&] {
    return fit.embed_rounds() && fit.reconstruction_rounds() ? Status::IterationLimit : Status::Stopped;
  });
  return fit.finish();
}

}  // namespace isthmus
